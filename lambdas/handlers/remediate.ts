/** Plans, and carries out what the mode, a person and every guard allow. Absent unless a mode asks for it. */
import type { Context, SQSEvent } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { lastingRemediate, remediateWorld } from '../adapters/remediating/aws-world.ts';
import { requestsOf } from '../adapters/remediating/requests-of.ts';
import { remediate } from '../app/remediate/remediate.ts';
import { readEnvironment } from '../contract/environment.ts';

const env = readEnvironment('remediate', process.env);
const config = readBundledConfig(env.configFile);
const clients = lastingRemediate(env);

/** Rejects where a VPC failed: the queue brings the messages again, and what fails for good is a dead letter. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<void> {
  const clock = {
    now: () => Date.now(),
    remaining: () => context.getRemainingTimeInMillis(),
    wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  };
  const log = jsonLog((line) => process.stdout.write(`${line}\n`), { requestId: context.awsRequestId });
  const subject = { account: env.account, region: env.region, config };
  await remediate(remediateWorld(clients, env, config, clock, log), subject, {
    id: context.awsRequestId,
    ...requestsOf(Records),
  });
}
