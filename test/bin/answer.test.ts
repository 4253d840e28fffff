/** `apply`, `refuse` and `undo`: who is asked, what is sent, and how it ends. */
import { PassThrough } from 'node:stream';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { askPerson } from '../../bin/service/ask.ts';
import type { PlanState } from '../../lambdas/contract/plan.ts';
import { moved, newPlan, type StoredPlan } from '../../lambdas/core/remediate/stored-plan.ts';
import { at, counted, DISCOVERY, decisionsOf, filler, known, NOW, ready } from '../core/remediate/planning.ts';
import { type AwsAnswer, type AwsCall, type AwsStandIn, startAwsStandIn } from '../support/aws-stand-in.ts';
import { type, typed } from '../support/fake-terminal.ts';
import { headroom } from '../support/run-headroom.ts';

const SECONDS = 60_000;
const ID = 'plan-0123456789ab';
/** How the plan begins where it is shown. */
const SUMMARY = 'Open subnet-2 (10.0.2.0/24, us-east-1a) to a:';

const planned: StoredPlan = (() => {
  const subnets = [at(1, { [DISCOVERY]: 'a' }), at(2, { 'headroom:standby-for': 'a' })];
  const [decision] = ready(decisionsOf(counted({ facts: known(subnets), enis: filler(1, 248) })));
  if (decision === undefined) throw new Error('nothing is planned');
  return { ...newPlan({ ...decision, mode: 'propose' }, NOW, 3600), id: ID, announced: true };
})();

/** The service: a plan in its table, and what becomes of it as soon as it is answered. */
let plan: StoredPlan;
let becomes: PlanState;
let why: string | undefined;
let refusal: AwsAnswer | undefined;
let aws: AwsStandIn;
let before: NodeJS.ProcessEnv;

function stack(): AwsAnswer {
  const output = (key: string, value: string) =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
  const outputs = output('TableName', 'the-table') + output('ApprovalUrl', `${aws.url}/approve`);
  return {
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:eu-central-1:111122223333:stack/Headroom/9</StackId><StackName>Headroom</StackName><CreationTime>2026-11-30T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${outputs}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
}

function answer({ action, path, parameters }: AwsCall): AwsAnswer | undefined {
  if (action === 'DescribeStacks') return stack();
  if (action === 'GetItem') {
    const { sk } = parameters.Key as { readonly sk: { readonly S: string } };
    if (sk.S !== ID) return { body: '{}' };
    const item = marshall({ pk: 'plan', sk: ID, value: plan, version: 1 }, { removeUndefinedValues: true });
    return { body: JSON.stringify({ Item: item }) };
  }
  if (path !== '/approve') return undefined;
  if (refusal !== undefined) return refusal;
  plan = moved(plan, becomes, { at: NOW, what: becomes, ...(why === undefined ? {} : { why }) });
  return { status: 202, body: '{}' };
}

beforeEach(async () => {
  plan = planned;
  becomes = 'applied';
  why = undefined;
  refusal = undefined;
  aws = await startAwsStandIn(answer);
  before = { ...process.env };
  Object.assign(process.env, environment());
});
afterEach(async () => {
  process.env = before;
  await aws.stop();
});

function environment() {
  return {
    AWS_ENDPOINT_URL: aws.url,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_REGION: 'eu-central-1',
  };
}

function sent(): readonly unknown[] {
  return aws.calls.filter(({ path }) => path === '/approve');
}

describe('the question', () => {
  const asked = async (...typedIn: readonly string[]) => {
    const input = new PassThrough();
    const output = new PassThrough({ encoding: 'utf8' });
    const said = askPerson('Have this carried out? [y/N] ', { input, output });
    for (const text of typedIn) input.write(text);
    input.end();
    const yes = await said;
    return { yes, shown: output.read() as string };
  };

  test.each<[string, readonly string[], boolean]>([
    ['y', ['y\n'], true],
    ['yes in capitals, with spaces', [' YES \n'], true],
    ['yes that comes in parts', ['ye', 's\r', '\n'], true],
    ['y that was never entered', ['y'], false],
    ['n', ['n\n'], false],
    ['nothing', ['\n'], false],
    ['the end of the input', [], false],
    ['something else that begins alike', ['yesterday\n'], false],
    ['a second line', ['no\n', 'y\n'], false],
  ])('%s', async (_, typedIn, yes) => {
    expect(await asked(...typedIn)).toEqual({ yes, shown: 'Have this carried out? [y/N] ' });
  });
});

describe('headroom apply, with a person', () => {
  test('shows the plan, asks, and tells what came of it', async () => {
    const questions: string[] = [];
    why = 'the tags read back';
    const { status, printed } = await typed(['apply', ID, '--why', 'full'], async (question) => {
      questions.push(question);
      expect(sent()).toEqual([]);
      return true;
    });
    expect(questions).toEqual(['Have this carried out? [y/N] ']);
    expect({ status, sent: sent() }).toMatchObject({ status: 0, sent: [{ method: 'POST' }] });
    expect(printed).toContain(SUMMARY);
    expect(printed).toMatch(/plan-0123456789ab: applied: the tags read back\n$/);
  });

  test('who says no changes nothing', async () => {
    const { status, remarks } = await typed(['apply', ID], async () => false);
    expect({ status, remarks }).toEqual({ status: 4, remarks: ['headroom: declined; nothing was changed'] });
    expect(sent()).toEqual([]);
  });

  test('nobody is asked with --yes, nor about a plan that is not there', async () => {
    const nobody = async () => {
      throw new Error('asked');
    };
    expect(await typed(['apply', ID, '--yes'], nobody)).toMatchObject({ status: 0 });
    expect(await typed(['apply', 'plan-000000000000'], nobody)).toMatchObject({
      status: 1,
      remarks: ['headroom: there is no plan plan-000000000000; headroom plan lists them'],
    });
  });

  test('with --json the plan and the question are remarks', async () => {
    const { printed, remarks } = await typed(['apply', ID, '--json'], async () => true);
    expect(JSON.parse(printed)).toMatchObject({ plan: [{ id: ID, state: 'applied' }] });
    expect(remarks.join('\n')).toContain(SUMMARY);
  });
});

describe('how it ends', () => {
  test.each<[string, PlanState, PlanState, number]>([
    ['apply', 'planned', 'applied', 0],
    ['apply', 'applying', 'applied', 0],
    ['apply', 'planned', 'failed', 1],
    ['apply', 'planned', 'rolledBack', 1],
    ['apply', 'planned', 'replaced', 1],
    ['apply', 'approved', 'refused', 1],
    ['apply', 'approved', 'expired', 1],
    ['refuse', 'planned', 'refused', 0],
    ['refuse', 'refused', 'refused', 0],
    ['undo', 'applied', 'undone', 0],
    ['undo', 'undoing', 'applied', 1],
  ])('%s of a plan that is %s and becomes %s: exit status %i', async (verb, is, then, status) => {
    plan = { ...planned, state: is };
    becomes = then;
    const ran = await type(verb, ID, '--yes');
    expect(ran).toMatchObject({ status, printed: expect.stringContaining(`${ID}: ${then}`) });
  });

  test('an answer that is not taken says why', async () => {
    refusal = { status: 409, body: '{"code":"CONFLICT","message":"it expired"}' };
    expect(await type('apply', ID, '--yes')).toMatchObject({
      status: 1,
      remarks: ['headroom: apply was not taken (409): it expired'],
    });
  });
});

describe('headroom apply as a process without a terminal', () => {
  test.each<[string, string | undefined]>([
    ['closed', undefined],
    ['empty', ''],
    ['a pipe that says yes', 'y\n'],
  ])(
    'standard input %s: nothing is sent, and --yes is named',
    async (_, input) => {
      const ran = await headroom(['apply', ID], { env: environment(), ...(input === undefined ? {} : { input }) });
      expect(ran).toMatchObject({
        status: 1,
        stdout: expect.stringContaining(SUMMARY),
        stderr: 'headroom: apply asks before it does anything: without a terminal, say --yes\n',
      });
      expect(sent()).toEqual([]);
    },
    SECONDS,
  );

  test(
    'with --yes it is sent, signed, and waited for',
    async () => {
      const ran = await headroom(['apply', ID, '--yes'], { env: environment() });
      expect(ran).toMatchObject({ status: 0, stdout: expect.stringMatching(/plan-0123456789ab: applied\n$/) });
      expect(sent()).toMatchObject([
        { method: 'POST', headers: { authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 .*\/lambda\//) } },
      ]);
    },
    SECONDS,
  );
});
