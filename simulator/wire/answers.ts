/** Whole answers: an action's result or its error, in the envelope of its service. */
import type { Refusal } from '../refusal.ts';
import type { Operation } from './schema.ts';
import { escapeXml, toXml } from './xml.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const EC2_NAMESPACE = 'http://ec2.amazonaws.com/doc/2016-11-15/';
const STS_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';

export function ec2Result(operation: Operation, result: object, requestId: string): Answer {
  const tag = `${operation.name}Response`;
  // A call with nothing to say says that it worked.
  const inner = toXml(operation.output, result) || '<return>true</return>';
  return xml(200, `<${tag} xmlns="${EC2_NAMESPACE}"><requestId>${requestId}</requestId>${inner}</${tag}>`);
}

export function ec2Error(refusal: Refusal, requestId: string): Answer {
  const error = `<Error><Code>${escapeXml(refusal.code)}</Code><Message>${escapeXml(refusal.message)}</Message></Error>`;
  return xml(refusal.status, `<Response><Errors>${error}</Errors><RequestID>${requestId}</RequestID></Response>`);
}

export function stsResult(action: string, fields: Readonly<Record<string, string>>, requestId: string): Answer {
  const inner = Object.entries(fields)
    .map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`)
    .join('');
  const metadata = `<ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata>`;
  const result = `<${action}Result>${inner}</${action}Result>`;
  return xml(200, `<${action}Response xmlns="${STS_NAMESPACE}">${result}${metadata}</${action}Response>`);
}

export function stsError(refusal: Refusal, requestId: string): Answer {
  const error = `<Error><Type>Sender</Type><Code>${escapeXml(refusal.code)}</Code><Message>${escapeXml(refusal.message)}</Message></Error>`;
  return xml(
    refusal.status,
    `<ErrorResponse xmlns="${STS_NAMESPACE}">${error}<RequestId>${requestId}</RequestId></ErrorResponse>`,
  );
}

export function jsonResult(result: object, requestId: string): Answer {
  return json(200, result, requestId, {});
}

export function jsonError(refusal: Refusal, requestId: string): Answer {
  return json(refusal.status, { message: refusal.message }, requestId, { 'x-amzn-errortype': refusal.code });
}

function xml(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/xml;charset=UTF-8' }, body: DECLARATION + body };
}

function json(status: number, body: object, requestId: string, headers: Readonly<Record<string, string>>): Answer {
  const all = { 'content-type': 'application/json', 'x-amzn-requestid': requestId, ...headers };
  return { status, headers: all, body: JSON.stringify(body) };
}
