/** Opens the deployed service for the verbs that speak to it. */
import type { ServiceOptions } from '../lambdas/adapters/deployment/find-deployment.ts';
import type { Deployment } from '../lambdas/ports/deployment.ts';
import type { StateTable } from '../lambdas/ports/state-table.ts';

export interface ServiceArgs {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

export interface Service {
  readonly deployment: Deployment;
  /** For clients of the service's own account and region. */
  readonly options: ServiceOptions & { readonly region: string };
}

/** @throws ReadError there is none, or it cannot be asked for. */
export async function openService({ region, profile }: ServiceArgs): Promise<Service> {
  const { findDeployment } = await import('../lambdas/adapters/deployment/find-deployment.ts');
  const options = { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
  const deployment = await findDeployment(options);
  return { deployment, options: { ...options, region: deployment.region } };
}

/** The service's memory. */
export async function openState({ deployment, options }: Service): Promise<StateTable> {
  const [{ DynamoDBClient }, { dynamoStateTable }, { requiredOutput, serviceClientConfig }] = await Promise.all([
    import('@aws-sdk/client-dynamodb'),
    import('../lambdas/adapters/dynamodb/state-table.ts'),
    import('../lambdas/adapters/deployment/find-deployment.ts'),
  ]);
  return dynamoStateTable(new DynamoDBClient(serviceClientConfig(options)), requiredOutput(deployment, 'table'));
}

/** Does what rests on one call, and says what to do where it is refused. @throws ReadError */
export async function asking<T>(call: string, { options }: Service, work: () => Promise<T>): Promise<T> {
  const { fatalCallError } = await import('../lambdas/adapters/aws-error.ts');
  try {
    return await work();
  } catch (error) {
    throw fatalCallError(error, { call, permission: call }, options);
  }
}
