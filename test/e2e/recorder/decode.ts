import { gunzipSync } from 'node:zlib';
import { cbor } from '@smithy/core/cbor';
import { restOperation } from './rest.ts';

/** A request as it came over the wire, the body whole. */
export interface WireRequest {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** What a request asks for, whatever protocol it was said in. */
export interface Operation {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Key, region and service of a SigV4 credential scope. */
export interface CredentialScope {
  readonly accessKeyId: string;
  readonly region: string;
  /** The signing name: `monitoring`, `ec2`, ... */
  readonly signingName: string;
}

/** The operation of a request that fits no known one: no policy allows an action of this name. */
export const UNKNOWN_OPERATION = 'UnknownOperation';

const header = (request: WireRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
};

/** The credential scope of a signed request; undefined for one that is not signed in its `Authorization` header. */
export const credentialScope = (request: WireRequest): CredentialScope | undefined => {
  const match = /Credential=([^/,\s]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(header(request, 'authorization'));
  const [, accessKeyId, region, signingName] = match ?? [];
  return accessKeyId && region && signingName ? { accessKeyId, region, signingName } : undefined;
};

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const json = (body: Buffer): Record<string, unknown> =>
  body.length === 0 ? {} : record(JSON.parse(body.toString('utf8')) as unknown);

const query = (parameters: URLSearchParams): Operation => {
  const { Action, Version: _version, ...params } = Object.fromEntries(parameters);
  return { name: Action ?? UNKNOWN_OPERATION, params };
};

/**
 * Reads a request in any of the protocols that the SDK speaks: awsJson 1.0 and 1.1 and older `X-Amz-Target` (DynamoDB,
 * EventBridge, SSM, SQS, CloudWatch, ...), Smithy RPC v2 CBOR, AWS Query (SNS, STS) and EC2 Query, REST (S3, EKS, Lambda).
 */
export const operationOf = (request: WireRequest, signingName: string): Operation => {
  // PutMetricData is compressed from 10 kB up.
  const body = /gzip/.test(header(request, 'content-encoding')) ? gunzipSync(request.body) : request.body;
  const target = header(request, 'x-amz-target');
  if (target !== '') return { name: target.slice(target.lastIndexOf('.') + 1), params: json(body) };

  const url = new URL(request.url, 'http://localhost');
  const rpc = /^\/service\/[^/]+\/operation\/([^/]+)$/.exec(url.pathname)?.[1];
  if (rpc !== undefined) return { name: rpc, params: body.length === 0 ? {} : record(cbor.deserialize(body)) };

  if (/x-www-form-urlencoded/.test(header(request, 'content-type'))) {
    return query(new URLSearchParams(body.toString('utf8')));
  }
  if (url.searchParams.has('Action')) return query(url.searchParams);

  const rest = restOperation(request.method, url, signingName, header(request, 'x-amz-copy-source') !== '');
  if (rest === undefined) return { name: UNKNOWN_OPERATION, params: { method: request.method, path: url.pathname } };
  const document = /json/.test(header(request, 'content-type')) ? json(body) : {};
  return { name: rest.name, params: { ...document, ...rest.params } };
};
