/** Calls the approve function's URL, signed as the caller: Lambda verifies the signature and hands on who it is. */
import { Sha256 } from '@aws-crypto/sha256-js';
import { fromNodeProviderChain } from '@aws-sdk/credential-providers';
import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { PlanAnswer } from '../../contract/plan.ts';
import { ReadError } from '../../ports/read-error.ts';
import { awsMessage } from '../aws-error.ts';
import type { RegionCredentials } from '../live/options.ts';

export interface AnswerCall {
  readonly url: string;
  readonly region: string;
  readonly profile?: string;
  readonly credentials?: RegionCredentials;
}

export interface PlanAnswerBody {
  readonly answer: PlanAnswer;
  readonly planId: string;
  readonly why?: string;
}

/** Milliseconds: a cold start takes a few seconds. */
const TIMEOUT_MS = 30_000;

/**
 * @returns the status and the answer's message, if it has one. 202: noted. 403: no approver, or the URL itself refused. 404, 409: as the message says.
 * @throws ReadError `NO_CREDENTIALS`, `UNREACHABLE`.
 */
export async function sendAnswer(
  call: AnswerCall,
  body: PlanAnswerBody,
): Promise<{ readonly status: number; readonly message?: string }> {
  const url = new URL(call.url);
  const request = await signed(call, url, JSON.stringify(body));
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: request.headers,
      body: request.body as string,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new ReadError('UNREACHABLE', `No answer from the approve function: ${awsMessage(error)}`, {
      cause: error,
      remedy: 'Whether it was noted shows headroom plan; answering again does no harm.',
    });
  }
  const message = messageIn(await response.text());
  return { status: response.status, ...(message === undefined ? {} : { message }) };
}

async function signed({ region, profile, credentials }: AnswerCall, url: URL, body: string): Promise<HttpRequest> {
  const signer = new SignatureV4({
    service: 'lambda',
    region,
    sha256: Sha256,
    credentials: credentials ?? fromNodeProviderChain(profile === undefined ? {} : { profile }),
  });
  const request = new HttpRequest({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/json' },
    body,
  });
  try {
    return (await signer.sign(request)) as HttpRequest;
  } catch (error) {
    throw new ReadError('NO_CREDENTIALS', `No AWS credentials to sign with: ${awsMessage(error)}`, { cause: error });
  }
}

/** Ours says `message`, Lambda's own refusal `Message`. */
function messageIn(text: string): string | undefined {
  try {
    const { message, Message } = JSON.parse(text) as { readonly message?: unknown; readonly Message?: unknown };
    const found = message ?? Message;
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
