/** A server that answers as AWS does: one canned answer for each call of calls.ts. */
import { createServer, type Server } from 'node:http';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const jsonError = (type: string, message: string, headers = {}): Answer => ({
  status: 400,
  headers,
  body: JSON.stringify({ __type: type, message }),
});

const item = (value: unknown) => ({
  pk: { S: 'scan' },
  value: { M: { at: { N: '1.5' }, ids: { L: [{ S: 'a' }, { NULL: true }] }, on: { BOOL: true } } },
  raw: { B: Buffer.from(String(value)).toString('base64') },
});

/** By operation: of the JSON and the query protocols by name, of the REST ones by method and path. A list is answered with in turn. */
const ANSWERS: Readonly<Record<string, Answer | readonly Answer[]>> = {
  GetItem: [
    jsonError('com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException', 'too fast'),
    { status: 500, body: '' },
    { status: 200, body: JSON.stringify({ Item: item('bytes') }) },
  ],
  Query: {
    status: 200,
    body: JSON.stringify({ Items: [item(1), item(2)], Count: 2, LastEvaluatedKey: { pk: { S: 'scan' } } }),
  },
  DescribeNetworkInterfaces: [
    {
      status: 503,
      body: '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>Request limit exceeded.</Message></Error></Errors></Response>',
    },
    {
      status: 200,
      body: '<DescribeNetworkInterfacesResponse><networkInterfaceSet><item><networkInterfaceId>eni-1</networkInterfaceId></item></networkInterfaceSet></DescribeNetworkInterfacesResponse>',
    },
  ],
  'GET /snapshots/damaged': {
    status: 200,
    headers: { 'x-amz-checksum-crc32': 'AAAAAA==', etag: '"e"' },
    body: 'hello',
  },
  'PUT /snapshots/busy': [
    { status: 503, body: '<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>' },
    { status: 200, headers: { etag: '"f"', 'x-amz-version-id': 'v' }, body: '' },
  ],
  PutMetricData: { status: 200, body: '{}' },
  PutItem: jsonError(
    'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
    'The conditional request failed',
  ),
  'GET /snapshots/missing': {
    status: 404,
    body: '<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>missing</Key></Error>',
  },
  // CRC-64/NVME of `hello`, as the AWS CLI uploads.
  'GET /snapshots/latest': {
    status: 200,
    headers: { 'x-amz-checksum-crc64nvme': 'M3eFcAZSQlc=', etag: '"e"', 'x-amz-version-id': 'v' },
    body: 'hello',
  },
  'PUT /snapshots/latest': {
    status: 403,
    body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  },
  'POST /snapshots': {
    status: 200,
    body: '<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>b</Key><Code>InternalError</Code></Error></DeleteResult>',
  },
  DescribeAlarms: {
    status: 200,
    body: JSON.stringify({
      MetricAlarms: [{ AlarmName: 'a', AlarmArn: 'arn:a', Threshold: 1.5, StateValue: 'OK', Period: 60 }],
      NextToken: 'more',
    }),
  },
  DeleteDashboards: jsonError('com.amazonaws.cloudwatch#DashboardNotFoundError', 'no such dashboard', {
    'x-amzn-query-error': 'ResourceNotFound;Sender',
  }),
  DescribeSubnets: {
    status: 400,
    body: '<Response><Errors><Error><Code>InvalidSubnetID.NotFound</Code><Message>no such subnet</Message></Error></Errors><RequestID>r</RequestID></Response>',
  },
  DescribeInstances: {
    status: 200,
    body: `<DescribeInstancesResponse><reservationSet><item><reservationId>r-1</reservationId><instancesSet><item><instanceId>i-1</instanceId>
<instanceType>m5.large</instanceType><kernelId>k</kernelId><launchTime>2026-01-01T00:00:00.000Z</launchTime><subnetId>subnet-1</subnetId>
<instanceState><code>16</code><name>running</name></instanceState><tagSet><item><key>Name</key><value>a &amp; b</value></item></tagSet>
<hypervisor>xen</hypervisor><cpuOptions><coreCount>1</coreCount></cpuOptions></item></instancesSet></item></reservationSet></DescribeInstancesResponse>`,
  },
  PutEvents: jsonError('AccessDeniedException', 'not allowed'),
  'PUT /2017-10-31/functions/gone/concurrency': {
    status: 404,
    headers: { 'x-amzn-errortype': 'ResourceNotFoundException:http://internal.amazon.com/coral/' },
    body: '{"Type":"User","Message":"Function not found"}',
  },
  GetSecretValue: jsonError('ResourceNotFoundException', "Secrets Manager can't find the specified secret."),
  Publish: {
    status: 403,
    body: '<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code><Message>may not publish</Message></Error></ErrorResponse>',
  },
  SendMessage: jsonError('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.', {
    'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender',
  }),
  GetParameter: jsonError('ParameterNotFound', ''),
};

const asked = new Map<string, number>();

function next(name: string): Answer | undefined {
  const answers = [ANSWERS[name] ?? []].flat();
  const times = asked.get(name) ?? 0;
  asked.set(name, times + 1);
  return answers[times % answers.length];
}

export function startAnswers(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const target = request.headers['x-amz-target'];
      const action = /^Action=(\w+)/.exec(Buffer.concat(chunks).toString())?.[1];
      const path = `${request.method} ${(request.url ?? '').split('?')[0]?.replace(/(?<=.)\/$/, '')}`;
      const name = typeof target === 'string' ? (target.split('.')[1] ?? '') : (action ?? path);
      const { status, headers, body } = next(name) ?? { status: 599, body: `nothing is known for ${name}` };
      response.writeHead(status, headers).end(body);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, server });
    });
  });
}
