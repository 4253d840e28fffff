import { describe, expect, test } from '@jest/globals';
import { EnvironmentError, readEnvironment } from '../../lambdas/contract/environment.ts';
import { DIMENSION_SETS, METRICS, type MetricDefinition, metricsPerMember } from '../../lambdas/contract/metrics.ts';
import {
  clusterAlarmName,
  isRunTimeAlarm,
  runbookAnchor,
  SERVICE_ALARMS,
  sharedAlarmName,
  snapshotDayPrefix,
  snapshotKey,
} from '../../lambdas/contract/names.ts';

describe('alarm names', () => {
  test('of clusters and zones are as published', () => {
    expect(clusterAlarmName('prod', 'use1-az1', 'critical')).toBe('headroom/prod/use1-az1/critical');
    expect(clusterAlarmName('prod', 'use1-az1', 'warning')).toBe('headroom/prod/use1-az1/warning');
  });

  test.each([
    [clusterAlarmName('service', 'use1-az1', 'critical'), true],
    [sharedAlarmName('vpc-0123456789abcdef0', 'use1-az1', 'warning'), true],
    [SERVICE_ALARMS.heartbeat, false],
    [SERVICE_ALARMS.deadLetters('observe'), false],
    ['somebody-else/prod/use1-az1/critical', false],
    ['headroom/prod/use1-az1/info', false],
  ])('%s is made at run time: %p', (name, expected) => {
    expect(isRunTimeAlarm(name)).toBe(expected);
  });

  test('a shared one is never the one of a cluster', () => {
    expect(sharedAlarmName('vpc-1', 'use1-az1', 'critical')).toMatch(/^headroom\/[^0-9A-Za-z]/);
  });

  test.each([
    ['SUBNET_LOW', 'docs/runbook.md#subnet_low'],
    ['headroom/service/snapshot-age', 'docs/runbook.md#headroomservicesnapshot-age'],
    ['What to do at night', 'docs/runbook.md#what-to-do-at-night'],
  ])('the section of %s', (heading, anchor) => {
    expect(runbookAnchor(heading)).toBe(anchor);
  });
});

describe('snapshot keys', () => {
  const time = new Date('2026-11-30T23:59:58.007Z');

  test('name account, region, day and time', () => {
    expect(snapshotDayPrefix('111122223333', 'eu-central-1', time)).toBe(
      'snapshots/111122223333/eu-central-1/2026/11/30/',
    );
    expect(snapshotKey('111122223333', 'eu-central-1', time)).toBe(
      'snapshots/111122223333/eu-central-1/2026/11/30/235958.007Z.json.gz',
    );
  });

  test('sort by time', () => {
    const times = [
      '2026-11-30T23:59:58.007Z',
      '2026-11-30T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
      '2026-11-30T23:59:58.010Z',
    ];
    const keys = times.map((at) => snapshotKey('1', 'r', new Date(at)));
    expect(keys.toSorted()).toEqual(times.toSorted().map((at) => snapshotKey('1', 'r', new Date(at))));
  });
});

describe('metrics', () => {
  const all = Object.values<MetricDefinition>(METRICS);

  test('are as many as contract says: four a zone, four a cluster and zone, three a subnet, nine of the service', () => {
    expect(
      ['zone', 'cluster', 'subnet', 'service'].map((scope) => metricsPerMember(scope as keyof typeof DIMENSION_SETS)),
    ).toEqual([4, 4, 3, 9]);
  });

  test('no two are the same to CloudWatch', () => {
    const ids = all.map(({ scope, name }) => `${name}{${DIMENSION_SETS[scope].join()}}`);
    expect(new Set(ids).size).toBe(all.length);
  });
});

describe('a function’s environment', () => {
  const whole = { HEADROOM_BUCKET: 'b', HEADROOM_SCHEDULE_RULE: 'r', HEADROOM_OBSERVE_FUNCTION: 'f' };

  test('is read by name', () => {
    expect(readEnvironment('cleanup', { ...whole, OTHER: 'x' })).toEqual({
      bucket: 'b',
      scheduleRule: 'r',
      observeFunction: 'f',
    });
  });

  test('says everything that is missing', () => {
    expect(() => readEnvironment('cleanup', { HEADROOM_BUCKET: '' })).toThrow(EnvironmentError);
    expect(() => readEnvironment('cleanup', { HEADROOM_SCHEDULE_RULE: 'r' })).toThrow(
      'cleanup lacks HEADROOM_BUCKET (name of the S3 bucket), HEADROOM_OBSERVE_FUNCTION (name of the observe function)',
    );
  });
});
