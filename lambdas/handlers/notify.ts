/** Tells mail and chat what came on the bus, and once a minute what was held until now. */
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { logFailure } from '../adapters/log/log-failure.ts';
import { lastingNotify } from '../adapters/notifying/aws-world.ts';
import { notify } from '../app/notify/notify.ts';
import { notifySettings } from '../app/notify/settings.ts';
import { loopbackWebhook, readEnvironment } from '../contract/environment.ts';

const env = readEnvironment('notify', process.env);
const config = readBundledConfig(env.configFile);
const settings = notifySettings(config);
const lasting = lastingNotify(env, config, { loopback: loopbackWebhook(process.env) });

const write = (line: string) => process.stdout.write(`${line}\n`);

/** Gives back what could not be told: the queue hands it out again, and what fails for good is a dead letter. */
async function run({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const log = jsonLog(write, { requestId: context.awsRequestId });
  const world = {
    ...lasting,
    clock: { now: () => Date.now(), remaining: () => context.getRemainingTimeInMillis() },
    log: (level: 'info' | 'warn' | 'error', message: string, fields?: object) => log(level, 'report', message, fields),
  };
  const undone = await notify(world, settings, Records);
  return { batchItemFailures: undone.map((itemIdentifier) => ({ itemIdentifier })) };
}

export const handler = middy<SQSEvent, SQSBatchResponse>(run).use(logFailure('report', write));
