import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateStackCommand, DescribeStackEventsCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { ACCOUNT, REGION, type Testbed } from '../testbed.ts';
import { waitFor } from '../wait-for.ts';

/** Milliseconds for anything MiniStack does of its own accord; its EventBridge and queues take about a second. */
export const SOON = 30_000;

/** A template's resources, as CloudFormation takes them. */
export type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: unknown }>>;

/** Creates a stack and waits for its end; gives its status and the reasons of what failed. */
export const createStack = async (
  { clients }: Testbed,
  name: string,
  resources: Resources,
): Promise<{ status: string; reasons: string }> => {
  const template = JSON.stringify({ AWSTemplateFormatVersion: '2010-09-09', Resources: resources });
  await clients.cloudformation.send(
    new CreateStackCommand({ StackName: name, TemplateBody: template, Capabilities: ['CAPABILITY_IAM'] }),
  );
  const status = await waitFor(
    async () => {
      const { Stacks = [] } = await clients.cloudformation.send(new DescribeStacksCommand({ StackName: name }));
      const current = Stacks[0]?.StackStatus ?? '';
      return /(COMPLETE|FAILED)$/.test(current) && current;
    },
    { what: `the stack ${name} to end`, timeoutMs: SOON },
  );
  const { StackEvents = [] } = await clients.cloudformation.send(new DescribeStackEventsCommand({ StackName: name }));
  return { status, reasons: StackEvents.map((event) => event.ResourceStatusReason ?? '').join('\n') };
};

/** The ARN of a queue or function of that name. */
export const arnOf = (service: 'sqs' | 'lambda' | 'sns', name: string): string =>
  `arn:aws:${service}:${REGION}:${ACCOUNT}:${service === 'lambda' ? 'function:' : ''}${name}`;

/** An inline function, with whatever else its resource has. */
export const inlineFunction = (name: string, code: string, more: object = {}): Resources[string] => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Timeout: 10,
    Role: `arn:aws:iam::${ACCOUNT}:role/any`,
    Code: { ZipFile: code },
    ...more,
  },
});

/** Makes a queue; gives its URL. */
export const makeQueue = async (
  { clients }: Testbed,
  name: string,
  attributes: Record<string, string> = {},
): Promise<string> => {
  const { QueueUrl } = await clients.sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  return QueueUrl ?? '';
};

/** The bodies in a queue now, ten at most. */
export const bodies = async ({ clients }: Testbed, queueUrl: string): Promise<readonly string[]> => {
  const { Messages = [] } = await clients.sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
  );
  return Messages.map((message) => message.Body ?? '');
};

/** Publishes an event of this project's own kind on the default bus. */
export const publish = async ({ clients }: Testbed, detailType: string, detail: object = {}): Promise<void> => {
  await clients.events.send(
    new PutEventsCommand({
      Entries: [{ Source: 'gap', DetailType: detailType, Detail: JSON.stringify(detail), Time: new Date(0) }],
    }),
  );
};

/** A server to which functions report, by `fetch(process.env.REPORT + '?' + text)`. */
export const startReports = async (): Promise<{
  url: string;
  seen: () => readonly string[];
  stop: () => Promise<void>;
}> => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(decodeURIComponent((request.url ?? '').split('?')[1] ?? ''));
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen: () => [...seen],
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
