import { Sha256 } from '@aws-crypto/sha256-js';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import { REGION } from './testbed.ts';

/** Whose request it is. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** A request to a function URL. */
export interface FunctionUrlRequest {
  readonly method?: string;
  /** Path and query after the URL's host, `/` if left out. */
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Unsigned where left out. */
  readonly credentials?: Credentials;
}

/** The answer of a function URL. */
export interface FunctionUrlResponse {
  readonly status: number;
  readonly body: string;
}

/** Calls a function URL as AWS gives it (`https://<id>.lambda-url.<region>.../`) on the emulator at `endpoint`, signed. */
export const callFunctionUrl = async (
  endpoint: string,
  functionUrl: string,
  request: FunctionUrlRequest = {},
): Promise<FunctionUrlResponse> => {
  const id = new URL(functionUrl).hostname.split('.')[0];
  const target = new URL(`/_aws/lambda-url/${id}${request.path ?? '/'}`, endpoint);
  const plain = new HttpRequest({
    protocol: target.protocol,
    hostname: target.hostname,
    port: Number(target.port),
    method: request.method ?? 'GET',
    path: target.pathname,
    query: Object.fromEntries(target.searchParams),
    headers: { host: target.host, ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const signed =
    request.credentials === undefined
      ? plain
      : await new SignatureV4({
          service: 'lambda',
          region: REGION,
          sha256: Sha256,
          credentials: request.credentials,
        }).sign(plain);
  const response = await fetch(target, {
    method: signed.method,
    headers: signed.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  return { status: response.status, body: await response.text() };
};
