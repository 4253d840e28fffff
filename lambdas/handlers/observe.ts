/** Measures on every tick of the schedule, and soon after every change that the queue tells of. */
import '../adapters/small-young-generation.ts';
import middy from '@middy/core';
import type { Context, ScheduledEvent, SQSEvent } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { logFailure } from '../adapters/log/log-failure.ts';
import { awsWorld, lasting } from '../adapters/observing/aws-world.ts';
import { changesOf } from '../adapters/observing/changes-of.ts';
import { observe } from '../app/observe/observe.ts';
import { readEnvironment } from '../contract/environment.ts';

const env = readEnvironment('observe', process.env);
const clients = lasting(env);
const config = readBundledConfig(env.configFile);
const { account, region, criticalTopicArn, warningTopicArn } = env;
const topics = { critical: criticalTopicArn, warning: warningTopicArn };

const write = (line: string) => process.stdout.write(`${line}\n`);

/** Rejects where a scan failed: Lambda or the queue tries again, and what fails for good is a dead letter. */
async function run(event: ScheduledEvent | SQSEvent, context: Context): Promise<void> {
  const clock = {
    now: () => Date.now(),
    remaining: () => context.getRemainingTimeInMillis(),
    wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  };
  const log = jsonLog(write, { requestId: context.awsRequestId });
  const world = awsWorld(clients, env, config, clock, log);
  await observe(world, { account, region, topics, config }, { id: context.awsRequestId, why: changesOf(event) });
}

export const handler = middy<ScheduledEvent | SQSEvent, void>(run).use(logFailure('observe', write));
