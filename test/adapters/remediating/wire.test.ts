import { describe, expect, test } from '@jest/globals';
import { sendAnswer } from '../../../lambdas/adapters/approving/send-answer.ts';
import { requestsOf } from '../../../lambdas/adapters/remediating/requests-of.ts';
import { answerResponse, type UrlEvent, urlRequest } from '../../../lambdas/adapters/remediating/url-request.ts';
import { startAwsStandIn } from '../../support/aws-stand-in.ts';

const BY = 'arn:aws:sts::111122223333:assumed-role/on-call/alice';
const event = (body: string | undefined, more: Partial<UrlEvent['requestContext']> = {}): UrlEvent => ({
  ...(body === undefined ? {} : { body }),
  requestContext: { http: { method: 'POST' }, authorizer: { iam: { userArn: BY } }, ...more },
});
const GOOD = JSON.stringify({ answer: 'approve', planId: 'plan-0123456789ab' });
const status = (of: UrlEvent) => {
  const read = urlRequest(of);
  return read.ok ? 200 : read.response.statusCode;
};

describe('a call of the approve URL', () => {
  test('is by whom IAM says, whatever its body says', () => {
    expect(urlRequest(event(GOOD))).toEqual({
      ok: true,
      by: BY,
      request: { answer: 'approve', planId: 'plan-0123456789ab' },
    });
    expect(status(event(JSON.stringify({ ...(JSON.parse(GOOD) as object), by: 'arn:aws:iam::1:user/eve' })))).toBe(400);
  });

  test('may come in base64', () => {
    expect(status({ ...event(Buffer.from(GOOD).toString('base64')), isBase64Encoded: true })).toBe(200);
  });

  test.each<[string, UrlEvent, number]>([
    ['without an identity', event(GOOD, { authorizer: undefined }), 403],
    ['with an empty one', event(GOOD, { authorizer: { iam: { userArn: '' } } }), 403],
    ['by GET', event(GOOD, { http: { method: 'GET' } }), 405],
    ['without a body', event(undefined), 400],
    ['with no JSON', event('approve'), 400],
    ['with nothing in JSON', event('null'), 400],
    ['with a list', event('[]'), 400],
    ['with a reason that is no text', event('{"answer":"undo","planId":"plan-0123456789ab","why":1}'), 400],
    ['with an answer nobody knows', event('{"answer":"delete","planId":"plan-0123456789ab"}'), 400],
    ['with a strange id', event('{"answer":"approve","planId":"../x"}'), 400],
    [
      'with a reason as long as a book',
      event(JSON.stringify({ answer: 'refuse', planId: 'plan-0123456789ab', why: 'x'.repeat(501) })),
      400,
    ],
  ])('%s is %#', (_, call, wanted) => {
    expect(status(call)).toBe(wanted);
  });

  test.each([
    ['FORBIDDEN', 403],
    ['NOT_FOUND', 404],
    ['CONFLICT', 409],
  ] as const)('%s is %i', (code, wanted) => {
    expect(answerResponse({ ok: false, code, message: 'why' })).toMatchObject({
      statusCode: wanted,
      body: `{"code":"${code}","message":"why"}`,
    });
  });
});

test('the queue: findings name their VPC, calls to look theirs, and all else asks for the open plans', () => {
  const finding = JSON.stringify({
    'detail-type': 'Subnet Finding Raised',
    detail: { finding: { vpcId: 'vpc-0123456789abcdef0' } },
  });
  expect(requestsOf([{ body: finding }, { body: '{"look":["vpc-11111111"]}' }])).toEqual({
    vpcIds: ['vpc-0123456789abcdef0', 'vpc-11111111'],
    open: false,
  });
  for (const body of ['{"look":[]}', 'null', 'x', '{}', '{"look":["vpc-x\\n"]}', '[1]'])
    expect(requestsOf([{ body }])).toEqual({ vpcIds: [], open: true });
});

describe('an answer that is sent', () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
  const send = async (answer: { status: number; body: string }) => {
    const server = await startAwsStandIn(() => answer);
    try {
      const call = { url: `${server.url}/`, region: 'eu-central-1', credentials };
      const said = await sendAnswer(call, { answer: 'approve', planId: 'plan-0123456789ab' });
      return { said, call: server.calls[0] };
    } finally {
      await server.stop();
    }
  };

  test('is signed for Lambda in the region, with the session’s token', async () => {
    const { said, call } = await send({ status: 202, body: '{"plan":{}}' });
    expect(said).toEqual({ status: 202 });
    expect(call?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/lambda\/aws4_request, SignedHeaders=/,
    );
    expect(call?.headers['x-amz-security-token']).toBe('token');
  });

  test.each([
    ['{"code":"CONFLICT","message":"plan-1 is applied"}', 'plan-1 is applied'],
    ['{"Message":"Forbidden"}', 'Forbidden'],
  ])('hands on the reason of a refusal: %s', async (body, message) => {
    expect((await send({ status: 403, body })).said).toEqual({ status: 403, message });
  });

  test('says so where nobody answers', async () => {
    const server = await startAwsStandIn(() => undefined);
    await server.stop();
    const call = { url: server.url, region: 'eu-central-1', credentials };
    await expect(sendAnswer(call, { answer: 'refuse', planId: 'plan-0123456789ab' })).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
  });
});
