/** A call of the approve function URL: who it is by the word of IAM, and what they answer. */
import { PLAN_ANSWERS, type PlanAnswer } from '../../contract/plan.ts';

/** As much of the payload (function URLs, format 2.0) as is looked at. */
export interface UrlEvent {
  readonly body?: string | undefined;
  readonly isBase64Encoded?: boolean | undefined;
  readonly requestContext: {
    readonly http?: { readonly method?: string } | undefined;
    /** Put there by Lambda after it verified the signature; no caller can. */
    readonly authorizer?: { readonly iam?: { readonly userArn?: string | null } } | undefined;
  };
}

export interface UrlResponse {
  readonly statusCode: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** Characters of a reason that are kept. */
const WHY_LENGTH = 500;

/** An answer to a plan, as it is asked for. */
export interface PlanRequest {
  readonly answer: PlanAnswer;
  readonly planId: string;
  readonly why?: string;
}

const KEYS: ReadonlySet<string> = new Set(['answer', 'planId', 'why']);
const PLAN_ID = /^plan-[0-9a-f]{12}$/;

export type UrlRequest =
  | { readonly ok: true; readonly by: string; readonly request: PlanRequest }
  | { readonly ok: false; readonly response: UrlResponse };

/** A body that anybody may send: what does not fit is refused with 400, and a caller that IAM did not name with 403. */
export function urlRequest(event: UrlEvent): UrlRequest {
  const by = event.requestContext.authorizer?.iam?.userArn;
  if (by === undefined || by === null || by === '') return refused(403, 'FORBIDDEN', 'the caller is not known to IAM');
  if (event.requestContext.http?.method !== 'POST') return refused(405, 'METHOD', 'POST only');
  const text = event.isBase64Encoded === true ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refused(400, 'BAD_REQUEST', 'the body is no JSON');
  }
  const request = planRequest(body);
  if (request === undefined)
    return refused(400, 'BAD_REQUEST', `{answer: ${PLAN_ANSWERS.join(' | ')}, planId, why?} is expected`);
  return { ok: true, by, request };
}

/** By hand: three fields are no reason to load a schema library at each cold start. */
function planRequest(body: unknown): PlanRequest | undefined {
  if (typeof body !== 'object' || body === null || Object.keys(body).some((key) => !KEYS.has(key))) return undefined;
  const { answer, planId, why } = body as { readonly [key in keyof PlanRequest]?: unknown };
  const known = PLAN_ANSWERS.find((one) => one === answer);
  if (known === undefined || typeof planId !== 'string' || !PLAN_ID.test(planId)) return undefined;
  if (why === undefined) return { answer: known, planId };
  return typeof why === 'string' && why.length <= WHY_LENGTH ? { answer: known, planId, why } : undefined;
}

function refused(statusCode: number, code: string, message: string): UrlRequest {
  return { ok: false, response: jsonResponse(statusCode, { code, message }) };
}

const STATUS = { FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 } as const;

export function jsonResponse(statusCode: number, body: object): UrlResponse {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** What was made of the answer, as HTTP says it. 202: noted, and being done. */
export function answerResponse(
  answered:
    | { readonly ok: true; readonly plan: object }
    | { readonly ok: false; readonly code: keyof typeof STATUS; readonly message: string },
): UrlResponse {
  return answered.ok
    ? jsonResponse(202, { plan: answered.plan })
    : jsonResponse(STATUS[answered.code], { code: answered.code, message: answered.message });
}
