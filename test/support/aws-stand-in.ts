import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as it arrived: the action (JSON and Query protocols), and its parameters. */
export interface AwsCall {
  readonly action: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly method: string;
}

export interface AwsAnswer {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An AWS endpoint of loopback that answers as a test says; what the test does not know is a 500 that names the action. */
export interface AwsStandIn {
  readonly url: string;
  readonly calls: readonly AwsCall[];
  readonly stop: () => Promise<void>;
}

function understand(headers: IncomingHttpHeaders, body: string): Pick<AwsCall, 'action' | 'parameters'> {
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    return {
      action: target.split('.').at(-1) ?? '',
      parameters: JSON.parse(body === '' ? '{}' : body) as Record<string, unknown>,
    };
  }
  const form = new URLSearchParams(body);
  return { action: form.get('Action') ?? '', parameters: Object.fromEntries(form) };
}

export async function startAwsStandIn(answer: (call: AwsCall) => AwsAnswer | undefined): Promise<AwsStandIn> {
  const calls: AwsCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '/', method = 'GET' } = request;
      const call = { ...understand(headers, Buffer.concat(chunks).toString('utf8')), headers, path: url, method };
      calls.push(call);
      const {
        status = 200,
        body,
        headers: more,
      } = answer(call) ?? { status: 500, body: `no answer for ${call.action}` };
      response.writeHead(status, { ...more }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
