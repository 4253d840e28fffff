import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller, RecordedCall } from './call.ts';
import { credentialScope, operationOf, type WireRequest } from './decode.ts';
import { iamPrefix, permissionsOf } from './permissions.ts';

/** An answer given in the place of the service's own, to see what the caller makes of it. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Looks at each call before it is sent on, and may answer it, or fail it by taking its time. */
export type Interceptor = (call: Omit<RecordedCall, 'status'>) => Answer | undefined | Promise<Answer | undefined>;

/** A proxy between the functions and the emulators that writes down every call. */
export interface Recorder {
  /** The endpoint that functions are to use for every service. */
  readonly url: string;
  /** The calls so far, in the order in which they were answered. Throws where a request could not be understood. */
  readonly calls: () => readonly RecordedCall[];
  readonly clear: () => void;
  /** Has `interceptor` look at each call from now on; gives a function that takes it away again. */
  readonly intercept: (interceptor: Interceptor) => () => void;
  readonly stop: () => Promise<void>;
}

/** Where calls are sent on to. */
export interface Upstreams {
  /** Everything but EC2. */
  readonly emulator: string;
  /** EC2; the emulator's own where left out. */
  readonly ec2?: string | undefined;
}

const UNKNOWN_CALLER: Caller = { functionName: 'unknown', functionArn: '', roleArn: '' };

/** The caller that the launcher wrote into the function's session token. */
const callerOf = (request: WireRequest): Caller => {
  const token = request.headers['x-amz-security-token'];
  if (typeof token !== 'string' || token === '') return UNKNOWN_CALLER;
  return JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Caller;
};

const read = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const understand = (request: WireRequest, at: number): Omit<RecordedCall, 'status'> | undefined => {
  const scope = credentialScope(request);
  if (scope === undefined) return undefined;
  const caller = callerOf(request);
  const service = iamPrefix(scope.signingName);
  const { name, params } = operationOf(request, scope.signingName);
  const place = { account: caller.roleArn.split(':')[4] ?? '', region: scope.region };
  return {
    ...caller,
    service,
    action: name,
    region: scope.region,
    params,
    requires: permissionsOf(service, name, params, place),
    at,
  };
};

/** Sends a request on and its answer back, streamed; gives the status. */
const forward = (upstream: string, request: WireRequest, response: ServerResponse): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(upstream);
    const onward = sendRequest(
      {
        hostname,
        port,
        method: request.method,
        path: request.url,
        headers: { ...request.headers } as NodeJS.Dict<string>,
      },
      (answer) => {
        const status = answer.statusCode ?? 502;
        response.writeHead(status, answer.headers);
        answer.pipe(response);
        answer.once('end', () => resolve(status));
        answer.once('error', reject);
      },
    );
    onward.once('error', reject);
    onward.end(request.body);
  });

/** Starts the recorder on loopback, on a port that the system chooses. */
export const startRecorder = async (upstreams: Upstreams): Promise<Recorder> => {
  const calls: RecordedCall[] = [];
  const failures: unknown[] = [];
  const interceptors = new Set<Interceptor>();

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = Date.now();
    const wire: WireRequest = {
      method: message.method ?? 'GET',
      url: message.url ?? '/',
      headers: message.headers,
      body: await read(message),
    };
    const call = understand(wire, at);
    for (const interceptor of call === undefined ? [] : interceptors) {
      const answer = await interceptor(call as Omit<RecordedCall, 'status'>);
      if (answer === undefined) continue;
      response.writeHead(answer.status, answer.headers).end(answer.body);
      calls.push({ ...(call as Omit<RecordedCall, 'status'>), status: answer.status });
      return;
    }
    const upstream = call?.service === 'ec2' ? (upstreams.ec2 ?? upstreams.emulator) : upstreams.emulator;
    const status = await forward(upstream, wire, response);
    if (call !== undefined) calls.push({ ...call, status });
  };

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      failures.push(error);
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => {
      if (failures.length > 0) throw new AggregateError(failures, 'calls that could not be recorded or sent on');
      return [...calls];
    },
    clear: () => {
      calls.length = 0;
    },
    intercept: (interceptor) => {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
