/** Takes up failed allocations from the queue, and says within seconds which subnet it was and why. */
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { logFailure } from '../adapters/log/log-failure.ts';
import { awsParts, lasting } from '../adapters/reacting/aws-world.ts';
import { findingBook } from '../app/react/finding-book.ts';
import { react } from '../app/react/react.ts';
import { rereadRequests } from '../app/react/reread-requests.ts';
import { readEnvironment } from '../contract/environment.ts';
import type { ReactLog } from '../ports/reacting.ts';

const env = readEnvironment('react', process.env);
const config = readBundledConfig(env.configFile);
const clients = lasting(env, config);
const now = () => Date.now();

const write = (line: string) => process.stdout.write(`${line}\n`);

/** What could not be done goes back to the queue, message by message; what fails for good is a dead letter. */
async function run(event: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const entry = jsonLog(write, { requestId: context.awsRequestId });
  const log: ReactLog = (level, message, fields) => entry(level, 'react', message, fields);
  const { state, bus, ...parts } = awsParts(clients, env, config, now, log);
  const home = { account: env.account, region: env.region };
  const book = findingBook({ state, bus, home, now });
  const world = { ...parts, book, reread: rereadRequests(state), log, now };
  const { failed } = await react(
    world,
    event.Records.map(({ messageId, body }) => ({ id: messageId, body })),
  );
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

export const handler = middy<SQSEvent, SQSBatchResponse>(run).use(logFailure('react', write));
