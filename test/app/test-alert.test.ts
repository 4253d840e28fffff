import { describe, expect, test } from '@jest/globals';
import { testAlert } from '../../lambdas/app/test-alert.ts';
import type { MessageItem } from '../../lambdas/contract/notify-items.ts';
import { ProbeFailure } from '../../lambdas/ports/service-probes.ts';
import type { ActionOutcome, TestPaths } from '../../lambdas/ports/test-paths.ts';

const detail = {
  schemaVersion: 1,
  id: 'test/1',
  account: '1',
  region: 'us-east-1',
  at: '2026-11-30T12:00:00Z',
  by: 'jo',
} as const;

/** What is answered by each look; the last repeats. */
interface Script {
  readonly action?: readonly ActionOutcome[];
  readonly message?: readonly (Partial<MessageItem> | undefined)[];
  readonly raise?: Error;
  readonly remove?: Error;
  readonly send?: Error;
}

async function run({ action = [{ state: 'delivered' }], message = [], raise, remove, send }: Script) {
  const log: string[] = [];
  let now = 0;
  const looks = { critical: 0, warning: 0, message: 0 };
  const paths: TestPaths = {
    raiseTestAlarm: async (level, text) => {
      if (raise !== undefined) throw raise;
      log.push(`raise ${level} ${text.slice(0, 10)}`);
    },
    testAlarmAction: async (level) => action[Math.min(looks[level]++, action.length - 1)] as ActionOutcome,
    removeTestAlarm: async (level) => {
      if (remove !== undefined) throw remove;
      log.push(`remove ${level}`);
    },
    sendTestEvent: async ({ id }) => {
      if (send !== undefined) throw send;
      log.push(`send ${id}`);
    },
    testMessage: async () => {
      const item = message[Math.min(looks.message++, message.length - 1)];
      return item === undefined ? undefined : { decision: 'tell', told: {}, lease: 0, ...item };
    },
  };
  const time = {
    now: () => now,
    wait: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
  const checks = await testAlert(paths, time, { detail, channels: ['messages', 'slack'] });
  return { log, states: Object.fromEntries(checks.map(({ id, state }) => [id, state])), checks };
}

const everywhere = { told: { messages: 'a', slack: 'b' } };

describe('a test of every path', () => {
  test('waits until each says what became of it, and leaves no alarm behind', async () => {
    const { log, states } = await run({
      action: [{ state: 'pending' }, { state: 'delivered' }],
      message: [undefined, { told: { messages: 'a' } }, everywhere],
    });
    expect(states).toEqual({
      'alarm-critical': 'ok',
      'alarm-warning': 'ok',
      'message-messages': 'ok',
      'message-slack': 'ok',
    });
    expect(log.toSorted()).toEqual([
      'raise critical TEST by jo',
      'raise warning TEST by jo',
      'remove critical',
      'remove warning',
      'send test/1',
    ]);
  });

  test('an action that CloudWatch could not carry out, a channel that refuses', async () => {
    const { states, checks } = await run({
      action: [{ state: 'failed', why: 'Failed to execute action: KMS' }],
      message: [{ told: { messages: 'a' }, failed: { slack: 'GONE: Slack says no_service (HTTP 404)' } }],
    });
    expect(states).toEqual({
      'alarm-critical': 'problem',
      'alarm-warning': 'problem',
      'message-messages': 'ok',
      'message-slack': 'problem',
    });
    expect(checks.find(({ id }) => id === 'message-slack')?.detail).toBe('GONE: Slack says no_service (HTTP 404)');
  });

  test('nothing heard in time: unknown for an alarm, a problem for a message', async () => {
    const { states } = await run({ action: [{ state: 'pending' }], message: [undefined] });
    expect(states).toEqual({
      'alarm-critical': 'unknown',
      'alarm-warning': 'unknown',
      'message-messages': 'problem',
      'message-slack': 'problem',
    });
  });

  test('not allowed: says which permission; the other paths are tried all the same', async () => {
    const { states, checks, log } = await run({
      raise: new ProbeFailure('cloudwatch:PutMetricAlarm is not allowed', 'cloudwatch:PutMetricAlarm'),
      message: [everywhere],
    });
    expect(states['message-slack']).toBe('ok');
    expect(checks[0]).toMatchObject({ state: 'unknown', permission: 'cloudwatch:PutMetricAlarm' });
    expect(log).toContain('remove critical');
  });

  test('an alarm that cannot be taken away is said', async () => {
    const { states } = await run({
      remove: new ProbeFailure('cloudwatch:DeleteAlarms is not allowed', 'cloudwatch:DeleteAlarms'),
      message: [everywhere],
    });
    expect(states).toMatchObject({ 'alarm-critical': 'ok', 'alarm-critical-left': 'problem' });
  });

  test('an error that is no answer of AWS ends it', async () => {
    await expect(run({ send: new TypeError('mine') })).rejects.toThrow('mine');
  });
});
