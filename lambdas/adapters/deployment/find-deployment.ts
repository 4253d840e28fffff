/** Finds the deployed service by its stack: what `plan`, `apply`, `mute`, `doctor`, `test-alert` and `assess --at` speak to. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { STACK_NAME, STACK_OUTPUTS } from '../../contract/names.ts';
import type { Deployment, OutputName } from '../../ports/deployment.ts';
import { ReadError } from '../../ports/read-error.ts';
import { awsCode, awsMessage, fatalCallError } from '../aws-error.ts';
import { clientConfig } from '../live/client-config.ts';
import type { RegionCredentials } from '../live/options.ts';

/** Where the service is looked for. */
export interface ServiceOptions {
  /** Without it: `AWS_REGION`, then the profile's. */
  readonly region?: string;
  readonly profile?: string;
  readonly credentials?: RegionCredentials;
  /** One endpoint for all services; without it the SDK's own variables count. */
  readonly endpoint?: string;
  readonly attempts?: number;
  /** Default {@link STACK_NAME}. */
  readonly stackName?: string;
}

/** The client settings of a service's options: the same as those of a live region. */
export function serviceClientConfig(options: ServiceOptions) {
  return clientConfig({ ...options, now: 0 });
}

/**
 * The deployed service of an account and region.
 *
 * @throws ReadError `NOT_FOUND` where no stack of that name stands there; `DENIED`, `NO_REGION`, `NO_CREDENTIALS`, `CREDENTIALS_EXPIRED`,
 *   `CREDENTIALS_REJECTED`, `UNREACHABLE`, `THROTTLED`, `AWS_FAILED` as for every read.
 */
export async function findDeployment(options: ServiceOptions = {}): Promise<Deployment> {
  const stackName = options.stackName ?? STACK_NAME;
  try {
    // Inside: a missing region is told by the client, not before.
    const client = new CloudFormationClient(serviceClientConfig(options));
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    if (stack?.StackId === undefined || stack.StackStatus === 'DELETE_COMPLETE') throw absent(stackName, options);
    const [, partition = '', , region = '', account = ''] = stack.StackId.split(':');
    const byKey = new Map((stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    const outputs: { [name in OutputName]?: string } = {};
    for (const name of Object.keys(STACK_OUTPUTS) as OutputName[]) {
      const value = byKey.get(STACK_OUTPUTS[name]);
      if (value !== undefined && value !== '') outputs[name] = value;
    }
    return {
      stackName,
      stackId: stack.StackId,
      account,
      region,
      partition,
      status: stack.StackStatus ?? 'UNKNOWN',
      outputs,
    };
  } catch (error) {
    // CloudFormation has no code of its own for a stack that is not there.
    if (awsCode(error) === 'ValidationError' && /does not exist/.test(awsMessage(error)))
      throw absent(stackName, options);
    throw fatalCallError(
      error,
      { call: 'cloudformation:DescribeStacks', permission: 'cloudformation:DescribeStacks' },
      options,
    );
  }
}

/**
 * An output without which a verb cannot go on.
 *
 * @throws ReadError `NOT_FOUND` naming the output, and the status of a stack that is not whole.
 */
export function requiredOutput({ outputs, stackName, status }: Deployment, name: OutputName): string {
  const value = outputs[name];
  if (value !== undefined) return value;
  throw new ReadError('NOT_FOUND', `The stack ${stackName} (${status}) has no output ${STACK_OUTPUTS[name]}.`, {
    remedy:
      name === 'approvalUrl'
        ? 'It is there where the mode of an action is propose or auto; see the configuration.'
        : 'Deploy this version again: npx cdk deploy.',
  });
}

function absent(stackName: string, { region, profile }: ServiceOptions): ReadError {
  const place = `${region === undefined ? '' : ` in ${region}`}${profile === undefined ? '' : ` (profile ${profile})`}`;
  return new ReadError('NOT_FOUND', `No deployed service was found${place}: there is no stack ${stackName}.`, {
    remedy: 'Give the --region and --profile it is deployed to, or deploy it with npx cdk deploy.',
  });
}
