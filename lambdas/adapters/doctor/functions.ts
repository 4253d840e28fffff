import { type CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { GetRoleCommand, type IAMClient } from '@aws-sdk/client-iam';
import {
  GetFunctionConcurrencyCommand,
  GetFunctionConfigurationCommand,
  type LambdaClient,
} from '@aws-sdk/client-lambda';
import type { FunctionFacts } from '../../core/doctor/judge.ts';
import { awsCode } from '../aws-error.ts';
import { probing } from './probing.ts';

const HOUR_MS = 3_600_000;

export interface FunctionClients {
  readonly lambda: LambdaClient;
  readonly iam: IAMClient;
  readonly cloudwatch: CloudWatchClient;
}

/** How a function stands. @param now - epoch milliseconds. */
export async function functionFacts(
  clients: FunctionClients,
  FunctionName: string,
  now: number,
): Promise<FunctionFacts> {
  const { State, StateReason, LastUpdateStatus, Role } = await probing('lambda:GetFunctionConfiguration', () =>
    clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName })),
  );
  const { ReservedConcurrentExecutions } = await probing('lambda:GetFunctionConcurrency', () =>
    clients.lambda.send(new GetFunctionConcurrencyCommand({ FunctionName })),
  );
  return {
    name: FunctionName,
    // Lambda leaves these out where there is nothing to say.
    state: State ?? 'Active',
    lastUpdate: LastUpdateStatus ?? 'Successful',
    reason: StateReason,
    errors: await probing('cloudwatch:GetMetricStatistics', () => errorsOf(clients.cloudwatch, FunctionName, now)),
    reservedConcurrency: ReservedConcurrentExecutions,
    roleExists: await probing('iam:GetRole', () => roleExists(clients.iam, Role ?? '')),
  };
}

async function errorsOf(client: CloudWatchClient, name: string, now: number): Promise<number> {
  const { Datapoints = [] } = await client.send(
    new GetMetricStatisticsCommand({
      Namespace: 'AWS/Lambda',
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: name }],
      StartTime: new Date(now - HOUR_MS),
      EndTime: new Date(now),
      Period: 3600,
      Statistics: ['Sum'],
    }),
  );
  return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
}

async function roleExists(client: IAMClient, arn: string): Promise<boolean> {
  try {
    await client.send(new GetRoleCommand({ RoleName: arn.split('/').at(-1) ?? arn }));
    return true;
  } catch (error) {
    if (awsCode(error) === 'NoSuchEntity') return false;
    throw error;
  }
}
