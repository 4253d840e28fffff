import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { fatalCallError } from '../aws-error.ts';
import { type ServiceOptions, serviceClientConfig } from '../deployment/find-deployment.ts';

/** Who asks, as IAM knows them: kept beside what a person decided. @throws ReadError as for every read. */
export async function callerArn(options: ServiceOptions): Promise<string> {
  try {
    const { Arn } = await new STSClient(serviceClientConfig(options)).send(new GetCallerIdentityCommand({}));
    return Arn ?? 'unknown';
  } catch (error) {
    throw fatalCallError(error, { call: 'sts:GetCallerIdentity', permission: 'sts:GetCallerIdentity' }, options);
  }
}
