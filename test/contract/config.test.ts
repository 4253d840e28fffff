import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseConfig } from '../../lambdas/contract/config.ts';
import { durationSeconds, writtenDuration } from '../../lambdas/contract/config-fields.ts';
import { ConfigError } from '../../lambdas/contract/config-problem.ts';
import { DEFAULT_THRESHOLDS } from '../../lambdas/contract/thresholds.ts';

function problemsOf(document: unknown): readonly string[] {
  try {
    parseConfig(document);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ field, value, remedy }) => `${field} = ${value}: ${remedy}`);
  }
}

describe('the defaults', () => {
  test.each([[undefined], [null], [{}]])('%p gives them', (document) => {
    expect(parseConfig(document)).toMatchObject({
      mode: { activateStandby: 'observe', reservePrefixes: 'observe', cleanLeakedEnis: 'observe' },
      scope: { vpcs: [], clusters: [], excludeSubnets: [], excludeTags: {} },
      clusters: {},
      schedule: { tick: 60, fullReadAtMost: 900, settle: 30, apiShare: 0.25, factsMaxAge: 86_400 },
      metrics: {
        budget: 350,
        alarmBudget: 120,
        subnetCap: 50,
        expected: { vpcs: 5, clusters: 10, zones: 3 },
        monthlyCeilingUsd: 150,
      },
      notifications: { email: [] },
      remediation: {
        approvers: [],
        iacIgnoresTags: false,
        windows: [],
        limits: { perRun: 1, perDay: 4 },
        cooldown: 1800,
        stopParameter: '/headroom/stop',
      },
    });
  });
});

describe('what may be written', () => {
  test('one mode for all actions, or one for each', () => {
    const clusters = { prod: {} };
    const remediation = { approvers: ['arn:aws:iam::111122223333:role/on-call'] };
    expect(parseConfig({ mode: 'propose', clusters, remediation }).mode).toEqual({
      activateStandby: 'propose',
      reservePrefixes: 'propose',
      cleanLeakedEnis: 'propose',
    });
    expect(parseConfig({ mode: { cleanLeakedEnis: 'auto' }, clusters }).mode).toEqual({
      activateStandby: 'observe',
      reservePrefixes: 'observe',
      cleanLeakedEnis: 'auto',
    });
  });

  test('thresholds by default, cluster, zone and subnet', () => {
    const config = parseConfig({
      thresholds: {
        subnetLowPercent: 5,
        zones: { 'use1-az1': { zoneLowNodes: 9 } },
        subnets: { 'subnet-0123456789abcdef0': { subnetLowIps: 0 } },
      },
      clusters: { prod: { thresholds: { fragmentedRatio: 0.25 } } },
    });
    expect(config.thresholds.subnetLowPercent).toBe(5);
    expect(config.thresholds.zones).toEqual({ 'use1-az1': { zoneLowNodes: 9 } });
    expect(config.thresholds.subnets).toEqual({ 'subnet-0123456789abcdef0': { subnetLowIps: 0 } });
    expect(config.clusters.prod?.thresholds).toEqual({ fragmentedRatio: 0.25 });
  });

  test('every threshold there is, at its default', () => {
    expect(parseConfig({ thresholds: DEFAULT_THRESHOLDS }).thresholds).toEqual({
      ...DEFAULT_THRESHOLDS,
      zones: {},
      subnets: {},
    });
  });

  test('limits of 0, which mean none at all', () => {
    expect(parseConfig({ remediation: { limits: { perRun: 0, perDay: 0 } } }).remediation.limits).toEqual({
      perRun: 0,
      perDay: 0,
    });
  });
});

describe('a mistake is told with field, value and what would be right', () => {
  test.each<[string, unknown, readonly (string | RegExp)[]]>([
    ['no mapping', [], ['(document) = []: must be a mapping (YAML or JSON); {} or an empty file for the defaults']],
    [
      'unknown key',
      { shedule: {} },
      [/^shedule = \{\}: no such key; did you mean schedule\? the keys here are mode, scope, /],
    ],
    ['unknown key inside', { metrics: { bugdet: 3 } }, [/^metrics\.bugdet = 3: no such key; did you mean budget\?/]],
    [
      'unknown key, nothing near',
      { schedule: { colour: 'red' } },
      [/^schedule\.colour = "red": no such key; the keys here are tick,/],
    ],
    [
      'wrong type',
      { metrics: { budget: '350' } },
      [/^metrics\.budget = "350": must be a whole number from 9 to 10000 \(custom metrics/],
    ],
    [
      'fraction of a count',
      { metrics: { subnetCap: 1.5 } },
      [/^metrics\.subnetCap = 1\.5: must be a whole number from 0 to 3000/],
    ],
    [
      'threshold out of range',
      { thresholds: { subnetLowPercent: 101 } },
      ['thresholds.subnetLowPercent = 101: must be a number from 0 to 100 (percent of the usable addresses)'],
    ],
    [
      'threshold of a cluster out of range',
      { clusters: { prod: { thresholds: { fragmentedRatio: -0.1 } } } },
      [/^clusters\.prod\.thresholds\.fragmentedRatio = -0\.1: must be a number from 0 to 1 /],
    ],
    [
      'threshold of a zone that is none',
      { thresholds: { zones: { everywhere: {} } } },
      [/^thresholds\.zones\.everywhere = \{\}: the key must be a zone id like use1-az1/],
    ],
    [
      'leak age below what the CNI itself waits',
      { thresholds: { leakedEniAgeSeconds: 60 } },
      ['thresholds.leakedEniAgeSeconds = 60: must be a whole number from 300 to 86400 (seconds)'],
    ],
    [
      'duration without unit',
      { schedule: { settle: 30 } },
      ['schedule.settle = 30: must be a duration like "30 seconds", from 0 seconds to 15 minutes'],
    ],
    [
      'tick that EventBridge cannot do',
      { schedule: { tick: '90 seconds' } },
      [
        'schedule.tick = "90 seconds": must be a duration like "1 minute", from 1 minute to 1 hour in steps of 1 minute',
      ],
    ],
    [
      'whole read more often than the tick',
      { schedule: { tick: '10 minutes', fullReadAtMost: '5 minutes' } },
      ['schedule.fullReadAtMost = "5 minutes": must not be shorter than schedule.tick'],
    ],
    ['mode', { mode: 'on' }, [/^mode = "on": must be one of observe, propose, auto/]],
    [
      'mode of one action',
      { mode: { reservePrefixes: 'on' } },
      ['mode.reservePrefixes = "on": must be one of observe, propose, auto'],
    ],
    [
      'mode of an unknown action',
      { mode: { makeCoffee: 'auto' } },
      [/^mode\.makeCoffee = "auto": no such key; the keys here are activateStandby,/],
    ],
    [
      'mode without clusters',
      { mode: { cleanLeakedEnis: 'auto' } },
      ['clusters = {}: must name the clusters that cleanLeakedEnis may serve: the IAM conditions are made from them'],
    ],
    [
      'proposals that nobody could approve',
      { mode: { reservePrefixes: 'propose' }, clusters: { prod: {} } },
      [/^remediation\.approvers = \[\]: must name at least one IAM ARN/],
    ],
    [
      'automatic tags that the next run of the infrastructure code takes away',
      { mode: { activateStandby: 'auto' }, clusters: { prod: {} } },
      [/^remediation\.iacIgnoresTags = false: must be true for activateStandby: auto/],
    ],
    ['cluster name', { clusters: { 'a b': {} } }, ['clusters."a b" = {}: the key must be the name of an EKS cluster']],
    [
      'empty selector',
      { clusters: { prod: { karpenterSelectors: [{}] } } },
      [/^clusters\.prod\.karpenterSelectors\[0\] = .*: must have an id or at least one tag/],
    ],
    [
      'topic',
      { notifications: { criticalTopicArn: 'on-call' } },
      [/^notifications\.criticalTopicArn = "on-call": must be the ARN of a standard SNS topic/],
    ],
    [
      'quiet hours',
      { notifications: { quietHours: { from: 22, to: '07:00', timeZone: 'Europe/Atlantis' } } },
      [
        'notifications.quietHours.from = 22: must be a time of day from "00:00" to "23:59", in quotes',
        'notifications.quietHours.timeZone = "Europe/Atlantis": must be an IANA time zone, like Europe/Berlin or UTC',
      ],
    ],
    [
      'VPC without security groups',
      { deployment: { vpc: { subnetIds: ['subnet-0123456789abcdef0'] } } },
      ['deployment.vpc.securityGroupIds = (missing): must be a list of security group ids'],
    ],
    [
      'log retention that CloudWatch Logs does not know',
      { deployment: { logRetention: '10 days' } },
      [/^deployment\.logRetention = "10 days": must be one of 1 day, 3 days, 5 days, 7 days, /],
    ],
  ])('%s', (_name, document, expected) => {
    const problems = problemsOf(document);
    expect(problems).toHaveLength(expected.length);
    expected.forEach((wanted, index) => {
      if (typeof wanted === 'string') expect(problems[index]).toBe(wanted);
      else expect(problems[index]).toMatch(wanted);
    });
  });

  test('a long value is cut', () => {
    const [problem] = problemsOf({ mode: 'x'.repeat(1000) });
    expect(problem?.length).toBeLessThan(300);
  });

  test('no document makes it fail in any other way', () => {
    fc.assert(
      fc.property(fc.anything(), (document) => {
        problemsOf(document);
      }),
    );
  });

  test('no section makes it fail in any other way', () => {
    const sections = [
      'mode',
      'scope',
      'clusters',
      'thresholds',
      'schedule',
      'metrics',
      'notifications',
      'remediation',
      'deployment',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...sections), fc.anything(), (name, value) => {
        problemsOf({ [name]: value });
      }),
    );
  });
});

describe('durations', () => {
  test.each([
    ['1 minute', 60],
    ['30 seconds', 30],
    ['24 hours', 86_400],
    ['2 days', 172_800],
    ['0 seconds', 0],
  ])('%s', (written, seconds) => {
    expect(durationSeconds(written)).toBe(seconds);
  });

  test.each([['1m'], ['one minute'], ['-1 minute'], ['1.5 minutes'], ['1  minute'], [''], ['1 week']])(
    '%p is none',
    (written) => {
      expect(durationSeconds(written)).toBeUndefined();
    },
  );

  test('what is written is what was read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (seconds) => {
        expect(durationSeconds(writtenDuration(seconds))).toBe(seconds);
      }),
    );
  });
});
