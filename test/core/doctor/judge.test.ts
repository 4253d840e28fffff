import { describe, expect, test } from '@jest/globals';
import * as judge from '../../../lambdas/core/doctor/judge.ts';

const fine = { name: 'observe', state: 'Active', lastUpdate: 'Successful', errors: 0, roleExists: true } as const;

function policy(...statements: readonly object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: statements });
}
const letIn = (Service: string | readonly string[], Action: string | readonly string[]) => ({
  Effect: 'Allow',
  Principal: { Service },
  Action,
  Resource: '*',
});
const ALL = ['cloudwatch.amazonaws.com', 'events.amazonaws.com', 'sns.amazonaws.com'];

describe('the key', () => {
  test.each([
    ['each by name', policy(...ALL.map((service) => letIn(service, ['kms:Decrypt', 'kms:GenerateDataKey*']))), 'ok'],
    ['all at once, everything', policy(letIn(ALL, 'kms:*')), 'ok'],
    ['one statement that is no list', JSON.stringify({ Statement: letIn(ALL, '*') }), 'ok'],
    [
      'EventBridge may only decrypt',
      policy(letIn([ALL[0] as string, ALL[2] as string], 'kms:*'), letIn(ALL[1] as string, 'kms:Decrypt')),
      'problem',
    ],
    ['a denial is no permission', policy({ ...letIn(ALL, 'kms:*'), Effect: 'Deny' }), 'problem'],
    [
      'the account alone',
      policy({ Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::1:root' }, Action: 'kms:*' }),
      'problem',
    ],
    ['a dot is no wildcard', policy(letIn(ALL, 'kmsXDecrypt')), 'problem'],
  ])('%s', (_, text, state) => {
    expect(judge.judgeKey(text).state).toBe(state);
  });

  test('says whom it shuts out, and what is lost by it', () => {
    const { detail, remedy } = judge.judgeKey(policy(letIn([ALL[0] as string, ALL[2] as string], 'kms:*')));
    expect(detail).toBe('the key policy does not let events.amazonaws.com in (events reach no queue)');
    expect(remedy).toContain('events.amazonaws.com');
  });
});

describe('functions', () => {
  test.each([
    [{}, 'ok', '1 ready'],
    [{ roleExists: false }, 'problem', 'observe: its role is gone'],
    [{ state: 'Inactive', reason: 'idle' }, 'problem', 'observe is Inactive (idle)'],
    [{ lastUpdate: 'Failed' }, 'problem', 'the last change of observe failed'],
    [{ reservedConcurrency: 0 }, 'problem', 'its reserved concurrency is 0'],
    [{ reservedConcurrency: 5 }, 'ok', '1 ready'],
    [{ errors: 1 }, 'problem', 'observe failed once'],
    [{ errors: 3 }, 'problem', 'observe failed 3 times'],
  ])('%j: %s', (change, state, words) => {
    expect(judge.judgeFunctions([{ ...fine, ...change }])).toMatchObject({
      state,
      detail: expect.stringContaining(words),
    });
  });

  test('none is a problem', () => {
    expect(judge.judgeFunctions([]).state).toBe('problem');
  });
});

describe('the stack, its rules and its alarms', () => {
  test.each([
    ['CREATE_COMPLETE', 'ok'],
    ['UPDATE_COMPLETE', 'ok'],
    ['UPDATE_IN_PROGRESS', 'problem'],
    ['UPDATE_ROLLBACK_COMPLETE', 'problem'],
    ['DELETE_FAILED', 'problem'],
  ])('%s: %s', (status, state) => {
    expect(judge.judgeStack(status).state).toBe(state);
  });

  test('a rule that is off, and none with a schedule', () => {
    const rule = { name: 'r', enabled: true, schedule: 'rate(1 minute)' };
    expect(judge.judgeRules([rule]).state).toBe('ok');
    expect(judge.judgeRules([rule, { name: 'off', enabled: false }])).toMatchObject({
      state: 'problem',
      detail: 'disabled: off',
    });
    expect(judge.judgeRules([{ name: 'r', enabled: true }]).state).toBe('problem');
  });

  test('an alarm that is on, or could not tell its topic', () => {
    const name = 'headroom/service/heartbeat';
    expect(judge.judgeAlarms([{ name, state: 'OK' }]).state).toBe('ok');
    expect(judge.judgeAlarms([{ name, state: 'ALARM' }])).toMatchObject({
      state: 'problem',
      detail: `${name} is on`,
      remedy: 'docs/runbook.md#headroomserviceheartbeat',
    });
    expect(judge.judgeAlarms([{ name, state: 'OK', failedAction: 'Failed to execute action x' }]).detail).toContain(
      'could not tell',
    );
    expect(judge.judgeAlarms([]).state).toBe('problem');
  });
});

describe('trail, topics, snapshot, clusters, webhook', () => {
  const trail = (logging: boolean, writesSelected: boolean | undefined) => ({ arn: 't', logging, writesSelected });
  test.each([
    [[], 'problem', 'REACT_BLIND'],
    [[trail(false, true)], 'problem', 'REACT_BLIND'],
    [[trail(true, false)], 'problem', 'REACT_BLIND'],
    [[trail(true, undefined)], 'unknown', undefined],
    [[trail(true, true), trail(false, false)], 'ok', undefined],
  ])('trails %j: %s', (trails, state, code) => {
    const seen = judge.judgeTrails(trails);
    expect([seen.state, seen.code]).toEqual([state, code]);
  });

  const topic = (level: 'critical' | 'warning', confirmed: number) => ({ arn: level, level, confirmed, pending: 1 });
  test('a topic of alarms without a confirmed subscriber', () => {
    expect(judge.judgeTopics([topic('critical', 1), topic('warning', 1)]).state).toBe('ok');
    expect(judge.judgeTopics([topic('critical', 1), topic('warning', 0)])).toMatchObject({
      state: 'problem',
      code: 'NOBODY_IS_PAGED',
    });
    expect(judge.judgeMessages([topic('warning', 0)], false).state).toBe('problem');
    expect(judge.judgeMessages([topic('warning', 0)], true).state).toBe('ok');
  });

  test.each([
    [undefined, 'problem'],
    [90_000, 'ok'],
    [3_600_000, 'ok'],
    [3_600_001, 'problem'],
  ])('a snapshot of %s ms: %s', (age, state) => {
    expect(judge.judgeSnapshot(age === undefined ? undefined : 10_000_000 - age, 10_000_000).state).toBe(state);
  });

  test('clusters that the service may not look into', () => {
    const cluster = { name: 'prod', subnetIds: [], autoMode: false, healthIssues: [], tags: new Map() };
    const clusters = { state: 'read', value: [cluster] } as const;
    const failure = {
      input: 'nodegroups',
      call: 'eks:ListNodegroups',
      code: 'AccessDeniedException',
      message: 'no',
      cluster: 'prod',
    } as const;
    expect(judge.judgeClusters({ clusters, kubernetes: [], failures: [] })).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('no facts from inside prod'),
    });
    expect(judge.judgeClusters({ clusters, kubernetes: [], failures: [failure] })).toMatchObject({
      state: 'problem',
      detail: 'cannot see into prod: eks:ListNodegroups (AccessDeniedException)',
    });
    const listing = {
      input: 'clusters',
      call: 'eks:ListClusters',
      code: 'AccessDeniedException',
      permission: 'eks:ListClusters',
      message: 'no',
    } as const;
    expect(judge.judgeClusters({ clusters: { state: 'absent' }, kubernetes: [], failures: [listing] }).state).toBe(
      'problem',
    );
  });

  test('a webhook', () => {
    expect(judge.judgeWebhook(undefined).state).toBe('ok');
    expect(judge.judgeWebhook('it is not https')).toMatchObject({
      state: 'problem',
      detail: 'the secret holds no webhook: it is not https',
    });
  });
});
