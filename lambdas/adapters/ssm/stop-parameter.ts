import { GetParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import type { StopSwitch } from '../../ports/remediating.ts';
import { awsCode } from '../aws-error.ts';

/** The stop parameter: absent until somebody needs it. Any other failure rejects: who cannot hear "stop" must not act. */
export function stopParameter(client: SSMClient, name: string): StopSwitch {
  return {
    async value() {
      try {
        const { Parameter } = await client.send(new GetParameterCommand({ Name: name, WithDecryption: false }));
        return Parameter?.Value ?? '';
      } catch (error) {
        if (awsCode(error) === 'ParameterNotFound') return undefined;
        throw error;
      }
    },
  };
}
