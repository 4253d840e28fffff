/** Takes what people answer to plans. Reached by a function URL that IAM guards; it can change nothing in EC2. */
import type { Context } from 'aws-lambda';
import { readBundledConfig } from '../adapters/configuration/bundled-config.ts';
import { jsonLog } from '../adapters/log/json-log.ts';
import { approveWorld, lastingApprove } from '../adapters/remediating/approve-world.ts';
import { answerResponse, type UrlEvent, type UrlResponse, urlRequest } from '../adapters/remediating/url-request.ts';
import { answerPlan } from '../app/remediate/answer.ts';
import { readEnvironment } from '../contract/environment.ts';

const env = readEnvironment('approve', process.env);
const config = readBundledConfig(env.configFile);
const clients = lastingApprove();
const home = { account: env.account, region: env.region };

export async function handler(event: UrlEvent, context: Context): Promise<UrlResponse> {
  const asked = urlRequest(event);
  if (!asked.ok) return asked.response;
  const log = jsonLog((line) => process.stdout.write(`${line}\n`), { requestId: context.awsRequestId });
  const { why, ...request } = asked.request;
  const world = approveWorld(clients, env, log);
  const answered = await answerPlan(
    world,
    { home, config },
    { ...request, by: asked.by, ...(why === undefined ? {} : { why }) },
  );
  return answerResponse(answered);
}
