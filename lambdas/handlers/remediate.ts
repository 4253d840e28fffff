/** Plans, and carries out what the mode, a person and every guard allow. Absent unless a mode asks for it. */
import '../adapters/small-young-generation.ts';
import middy from '@middy/core';
import type { Context, SQSEvent } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { logFailure } from '../adapters/log/log-failure.ts';
import { lastingRemediate, remediateWorld } from '../adapters/remediating/aws-world.ts';
import { requestsOf } from '../adapters/remediating/requests-of.ts';
import { remediate } from '../app/remediate/remediate.ts';
import { readEnvironment } from '../contract/environment.ts';

const env = readEnvironment('remediate', process.env);
const config = readBundledConfig(env.configFile);
const clients = lastingRemediate(env);

const write = (line: string) => process.stdout.write(`${line}\n`);

/** Rejects where a VPC failed: the queue brings the messages again, and what fails for good is a dead letter. */
async function run({ Records }: SQSEvent, context: Context): Promise<void> {
  const clock = {
    now: () => Date.now(),
    remaining: () => context.getRemainingTimeInMillis(),
    wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  };
  const log = jsonLog(write, { requestId: context.awsRequestId });
  const subject = { account: env.account, region: env.region, config };
  await remediate(remediateWorld(clients, env, config, clock, log), subject, {
    id: context.awsRequestId,
    ...requestsOf(Records),
  });
}

export const handler = middy<SQSEvent, void>(run).use(logFailure('apply', write));
