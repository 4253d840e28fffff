import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Finding, Severity } from '../../../lambdas/contract/finding.ts';
import type { ClusterReport, ClusterZoneReport, ZoneReport } from '../../../lambdas/core/assess/report.ts';
import { planAlarms } from '../../../lambdas/core/publish/alarm-changes.ts';
import { type AlarmSpec, wantedAlarms } from '../../../lambdas/core/publish/alarm-specs.ts';
import { clusterValues, zoneValues } from '../../../lambdas/core/publish/metric-values.ts';
import { nobodyIsPaged, reactBlind, selectsWrites } from '../../../lambdas/core/publish/service-findings.ts';
import { CALM_MS, watchSubnets } from '../../../lambdas/core/publish/subnet-watch.ts';
import { subnet } from '../../support/builders.ts';

/** The next of an endless stream. */
function drawn<T>(stream: Iterator<T>): T {
  return stream.next().value as T;
}

const NOBODY: ReadonlySet<string> = new Set();
const zone = (fields: Partial<ClusterZoneReport> = {}): ClusterZoneReport => ({
  vpcId: 'vpc-1',
  zone: 'us-east-1a',
  zoneId: 'use1-az1',
  subnetIds: ['subnet-a'],
  availableIps: 10,
  freePrefixes: 2,
  nodeHeadroom: 1,
  severity: 'fine',
  ...fields,
});
const cluster = (name: string, zones: readonly ClusterZoneReport[]): ClusterReport => ({
  cluster: name,
  mode: 'prefix',
  modeEvidence: '',
  subnets: [],
  zones,
});
const TOPICS = { critical: 'arn:c', warning: 'arn:w', clusters: new Map() };
const wanted = (clusters: readonly ClusterReport[], budget = 120) =>
  wantedAlarms(clusters, { topics: TOPICS, periodSeconds: 60, budget });

describe('a value that is not known', () => {
  const keys = (values: readonly { readonly key: string }[]) => values.map(({ key }) => key);

  test('of a cluster is left out, and with a subnet unread so is a severity that may be worse', () => {
    const unread = new Set(['subnet-a']);
    const few = zone({ freePrefixes: null, nodeHeadroom: null });
    expect(keys(clusterValues('prod', few, NOBODY, false))).toEqual(['clusterAvailableIps', 'clusterSeverity']);
    expect(keys(clusterValues('prod', few, unread, false))).toEqual(['clusterAvailableIps']);
    expect(keys(clusterValues('prod', few, NOBODY, true))).toEqual(['clusterAvailableIps']);
    const bad = clusterValues('prod', zone({ severity: 'critical' }), unread, true);
    expect(bad.find(({ key }) => key === 'clusterSeverity')?.value).toBe(2);
  });

  test('of a zone: the worst of the subnets that were read is not the worst', () => {
    const one = { count: 1, sum: 5, min: 5, max: 5 };
    const report: ZoneReport = {
      vpcId: 'vpc-1',
      zone: 'us-east-1a',
      zoneId: 'use1-az1',
      subnetIds: ['subnet-a', 'subnet-b'],
      availableIps: one,
      freePrefixes: one,
      fragmentationPercent: null,
      enis: one,
    };
    expect(keys(zoneValues(report, NOBODY))).toEqual(['zoneAvailableIps', 'zoneFreePrefixes', 'zoneEnis']);
    expect(keys(zoneValues(report, new Set(['subnet-b'])))).toEqual(['zoneAvailableIps']);
  });
});

describe('subnets with metrics of their own', () => {
  const facts = ['a', 'b', 'c', 'd'].map((letter) => subnet('10.0.0.0/24', { subnetId: `subnet-${letter}` }));
  const low = (letter: string, severity: Severity = 'warning'): Finding => ({
    id: `SUBNET_LOW/subnet-${letter}`,
    code: 'SUBNET_LOW',
    severity,
    subnetId: `subnet-${letter}`,
    observed: 1,
    message: '',
    evidence: {},
  });
  const options = { now: 0, cap: 2, complete: true };

  test('come in at once and go only after a calm time', () => {
    const known = new Map([['subnet-a', { atRisk: 0 }]]);
    const at = (now: number) => watchSubnets(facts, [], known, { ...options, now });
    expect(watchSubnets(facts, [low('a')], new Map(), options)).toMatchObject({ chosen: ['subnet-a'], cut: 0 });
    expect(at(CALM_MS - 1).chosen).toEqual(['subnet-a']);
    expect(at(CALM_MS)).toMatchObject({ chosen: [], forget: ['subnet-a'] });
  });

  test('beyond the cap the worst stay, the one that is there before its equal, and the tagged before all', () => {
    const tagged = [
      ...facts.slice(0, 3),
      subnet('10.0.0.0/24', { subnetId: 'subnet-d', tags: { 'headroom:metrics': 'always' } }),
    ];
    const known = new Map([['subnet-c', { atRisk: 0 }]]);
    const all = [low('a'), low('b'), low('c')];
    expect(watchSubnets(facts, all, known, options)).toMatchObject({ chosen: ['subnet-c', 'subnet-a'], cut: 1 });
    expect(watchSubnets(facts, [...all, low('b', 'critical')], known, options).chosen).toEqual([
      'subnet-b',
      'subnet-c',
    ]);
    expect(watchSubnets(tagged, all, known, options).chosen).toEqual(['subnet-d', 'subnet-c']);
  });

  test('are not forgotten for not being listed by a read that failed', () => {
    const known = new Map([['subnet-z', { atRisk: 0 }]]);
    expect(watchSubnets(facts, [], known, { ...options, complete: false }).forget).toEqual([]);
    expect(watchSubnets(facts, [], known, options).forget).toEqual(['subnet-z']);
  });
});

describe('alarms', () => {
  const clusters = [
    cluster('a', [zone()]),
    cluster('b', [zone({ subnetIds: ['subnet-a', 'subnet-b'] })]),
    cluster('c', [zone({ subnetIds: ['subnet-b'] })]),
    cluster('x', [zone({ subnetIds: ['subnet-x'] })]),
    cluster('y', [zone({ subnetIds: ['subnet-x'] })]),
  ];

  test('clusters that share subnets, straight or by way of a third, are one cause; others in the zone are another', () => {
    const rules = wanted(clusters).specs.filter((spec) => spec.kind === 'composite' && spec.name.endsWith('critical'));
    const members = (spec: AlarmSpec) =>
      spec.kind === 'composite' ? [...spec.rule.matchAll(/headroom\/(\w)\//g)].map(([, name]) => name) : [];
    expect(rules.map((spec) => [spec.name, members(spec)])).toEqual([
      ['headroom/@vpc-1/use1-az1/critical', ['a', 'b', 'c']],
      ['headroom/@vpc-1.x/use1-az1/critical', ['x', 'y']],
    ]);
  });

  test('the text holds no number that a scan could change', () => {
    const text = ({ specs }: ReturnType<typeof wanted>) => specs.map(({ description }) => description);
    const other = clusters.map((one) => ({
      ...one,
      zones: one.zones.map((at) => ({ ...at, availableIps: 0, nodeHeadroom: 0, severity: 'critical' as const })),
    }));
    expect(text(wanted(other))).toEqual(text(wanted(clusters)));
  });

  test('the budget is kept, and what it cuts is counted', () => {
    expect(wanted(clusters, 120).suppressed).toBe(0);
    expect(wanted(clusters, 120).specs).toHaveLength(14);
    for (const budget of [0, 1, 2, 9, 10, 11, 12, 13]) {
      const { specs, suppressed } = wanted(clusters, budget);
      expect(specs.length).toBeLessThanOrEqual(budget);
      if (budget >= 10) expect(specs.length + suppressed).toBe(14);
    }
  });

  test('whatever there is, after one round of changes there is nothing left to change', () => {
    const { specs } = wanted(clusters);
    const state = fc.constantFrom('OK' as const, 'ALARM' as const, 'INSUFFICIENT_DATA' as const);
    fc.assert(
      fc.property(
        fc.subarray([...specs]),
        fc.infiniteStream(state),
        fc.infiniteStream(fc.boolean()),
        (some, states, spoilt) => {
          const existing = some.map((spec) => ({
            spec: drawn(spoilt) ? { ...spec, description: 'old' } : spec,
            state: drawn(states),
          }));
          const facts = { wanted: specs, absences: new Map(), complete: true, confirmedGone: () => true };
          const { changes } = planAlarms({ ...facts, existing });
          const byName = new Map(existing.map((alarm) => [alarm.spec.name, alarm]));
          for (const change of changes) {
            if (change.kind !== 'put') throw new Error(change.kind);
            const before = byName.get(change.spec.name)?.state ?? ('INSUFFICIENT_DATA' as const);
            byName.set(change.spec.name, { spec: change.spec, state: before });
          }
          expect(planAlarms({ ...facts, existing: [...byName.values()] }).changes).toEqual([]);
        },
      ),
    );
  });

  test('composites go before the members that they stand on', () => {
    const existing = wanted(clusters).specs.map((spec) => ({ spec, state: 'OK' as const }));
    const absences = new Map(existing.map(({ spec }) => [spec.name, { reads: 2 }]));
    const { changes } = planAlarms({ wanted: [], existing, absences, complete: true, confirmedGone: () => true });
    const names = changes.map((change) => (change.kind === 'delete' ? change.name : ''));
    expect(names).toHaveLength(14);
    expect(names.slice(0, 4).every((name) => name.includes('@'))).toBe(true);
  });
});

describe('the service itself', () => {
  test('sees where one trail that is on selects management calls that write', () => {
    expect(reactBlind([])).toHaveLength(1);
    expect(reactBlind([{ arn: 't', logging: false, writesSelected: true }])).toHaveLength(1);
    expect(reactBlind([{ arn: 't', logging: true, writesSelected: false }])).toHaveLength(1);
    // A trail of the organisation that may not be asked: not known to be blind.
    expect(reactBlind([{ arn: 't', logging: true, writesSelected: undefined }])).toEqual([]);
  });

  test.each([
    [[], [], true],
    [[{ readWriteType: 'ReadOnly' }], [], false],
    [[{ readWriteType: 'WriteOnly' }], [], true],
    [[{ includeManagementEvents: false, readWriteType: 'All' }], [], false],
    [[], [[{ field: 'eventCategory', equals: ['Data'] }]], false],
    [[], [[{ field: 'eventCategory', equals: ['Management'] }]], true],
    [
      [],
      [
        [
          { field: 'eventCategory', equals: ['Management'] },
          { field: 'readOnly', equals: ['true'] },
        ],
      ],
      false,
    ],
    [
      [],
      [
        [
          { field: 'eventCategory', equals: ['Management'] },
          { field: 'readOnly', equals: ['false'] },
        ],
      ],
      true,
    ],
  ])('selectors %j and %j let writes through: %s', (basic, advanced, through) => {
    expect(selectsWrites(basic, advanced)).toBe(through);
  });

  test('is unheard by each topic that nobody has confirmed', () => {
    const topic = { level: 'critical' as const, pending: 0 };
    const found = nobodyIsPaged([
      { arn: 'one', confirmed: 0, ...topic },
      { arn: 'two', confirmed: 2, ...topic },
    ]);
    expect(found.map(({ id, severity }) => [id, severity])).toEqual([['NOBODY_IS_PAGED/one', 'critical']]);
  });
});
