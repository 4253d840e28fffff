/** The function as Lambda calls it, with AWS stood in for on the wire. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parseConfig } from '../../lambdas/contract/config.ts';
import { type AwsAnswer, type AwsCall, type AwsStandIn, startAwsStandIn } from '../support/aws-stand-in.ts';
import { eventFilesOf } from '../support/events.ts';

const ENI = 'eni-00350000000000001';
const SUBNET = 'subnet-00350000000000001';
const INTERFACES = `<DescribeNetworkInterfacesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><networkInterfaceSet><item><networkInterfaceId>${ENI}</networkInterfaceId><subnetId>${SUBNET}</subnetId></item></networkInterfaceSet></DescribeNetworkInterfacesResponse>`;

let aws: AwsStandIn;
let folder: string;
let handler: (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;
let tableRefuses = false;
const before = { ...process.env };

function answer(call: AwsCall): AwsAnswer | undefined {
  const json = { 'content-type': 'application/x-amz-json-1.0' };
  switch (call.action) {
    case 'GetItem':
      return { body: '{}', headers: json };
    case 'PutItem':
      if (tableRefuses)
        return { status: 400, body: '{"__type":"AccessDeniedException","message":"no"}', headers: json };
      return { body: '{}', headers: json };
    case 'PutEvents':
      return { body: '{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}', headers: json };
    case 'DescribeNetworkInterfaces':
      return { body: INTERFACES, headers: { 'content-type': 'text/xml' } };
    default:
      break;
  }
  // No snapshot yet; and the metric is taken, whatever protocol it comes in.
  if (call.method === 'GET')
    return {
      status: 404,
      body: '<Error><Code>NoSuchKey</Code></Error>',
      headers: { 'content-type': 'application/xml' },
    };
  return { body: '{}', headers: json };
}

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
  aws = await startAwsStandIn(answer);
  folder = mkdtempSync(path.join(tmpdir(), 'headroom-react-'));
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(parseConfig({})));
  Object.assign(process.env, {
    HEADROOM_ACCOUNT: '111111111111',
    HEADROOM_CONFIG_FILE: path.join(folder, 'config.json'),
    HEADROOM_TABLE: 'table',
    HEADROOM_BUCKET: 'bucket',
    HEADROOM_BUS: 'headroom',
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: aws.url,
  });
  ({ handler } = await import('../../lambdas/handlers/react.ts'));
});

afterAll(async () => {
  jest.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(folder, { recursive: true });
  await aws.stop();
});

function queue(...files: readonly string[]): SQSEvent {
  const events = eventFilesOf('c35-cloudtrail-events');
  return {
    Records: files.map((file) => ({ messageId: file, body: JSON.stringify(events.get(`${file}.json`)) })),
  } as SQSEvent;
}
const context = { awsRequestId: 'run-1' } as Context;

test('a refused prefix is looked up, kept and told', async () => {
  tableRefuses = false;
  expect(await handler(queue('e04', 'e17'), context)).toEqual({ batchItemFailures: [] });
  const told = aws.calls.filter(({ action }) => action === 'PutEvents');
  const entries = told.flatMap(
    ({ parameters }) => parameters.Entries as readonly { DetailType: string; Detail: string }[],
  );
  expect(entries.map(({ DetailType }) => DetailType)).toEqual(['Subnet Finding Raised']);
  expect(JSON.parse(entries[0]!.Detail)).toMatchObject({
    origin: 'react',
    count: 1,
    finding: { code: 'PREFIX_EXHAUSTED', severity: 'critical', subnetId: SUBNET },
  });
});

test('what the table refuses goes back to the queue, and only that', async () => {
  tableRefuses = true;
  expect(await handler(queue('e01', 'e10'), context)).toEqual({ batchItemFailures: [{ itemIdentifier: 'e01' }] });
});
