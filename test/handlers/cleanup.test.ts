import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudFormationCustomResourceEvent, Context } from 'aws-lambda';
import { handler } from '../../lambdas/handlers/cleanup.ts';

interface Answer {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Stands in for the pre-signed URL of CloudFormation. */
let server: Server;
let answers: Answer[];
let status: number;

beforeEach(async () => {
  answers = [];
  status = 200;
  server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const { method, headers } = request;
      answers.push({ method, contentType: headers['content-type'], body: JSON.parse(body) as Record<string, unknown> });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function request(type: 'Create' | 'Update' | 'Delete'): CloudFormationCustomResourceEvent {
  const { port } = server.address() as AddressInfo;
  return {
    RequestType: type,
    ResponseURL: `http://127.0.0.1:${port}/answer`,
    StackId: 'the-stack',
    RequestId: 'the-request',
    LogicalResourceId: 'the-resource',
    PhysicalResourceId: 'headroom-cleanup',
    ResourceType: 'AWS::CloudFormation::CustomResource',
    ServiceToken: 'the-function',
    ResourceProperties: { ServiceToken: 'the-function' },
    OldResourceProperties: { ServiceToken: 'the-function' },
  };
}

const context = { getRemainingTimeInMillis: () => 900_000 } as Context;

describe('the custom resource', () => {
  test.each(['Create', 'Update'] as const)('%s does nothing, and says so to CloudFormation', async (type) => {
    await handler(request(type), context);
    expect(answers).toEqual([
      {
        method: 'PUT',
        contentType: '',
        body: {
          Status: 'SUCCESS',
          PhysicalResourceId: 'headroom-cleanup',
          StackId: 'the-stack',
          RequestId: 'the-request',
          LogicalResourceId: 'the-resource',
        },
      },
    ]);
  });

  test('Delete that fails is answered with its reason, so that the stack stays and shows it', async () => {
    await handler(request('Delete'), context);
    expect(answers[0]?.body).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringMatching(/^EnvironmentError: cleanup lacks HEADROOM_BUCKET/),
    });
  });

  test('an answer that is not taken is an error, for Lambda to try again', async () => {
    status = 403;
    await expect(handler(request('Create'), context)).rejects.toThrow(
      'CloudFormation did not take the answer: HTTP 403',
    );
  });
});
