import { describe, expect, test } from '@jest/globals';
import type { HeadroomDocument } from '../../../lambdas/contract/document.ts';
import { documentSchema } from '../../../lambdas/contract/document.ts';
import { assess } from '../../../lambdas/core/assess/assess.ts';
import { documentOf } from '../../../lambdas/core/report/document.ts';
import { verdictOf } from '../../../lambdas/core/report/verdict.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import type { EniReading, ReadFailure, RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../support/builders.ts';

const READ: EniReading = { state: 'read', managedResourcesIncluded: true, failures: [] };
const DENIED: ReadFailure = {
  input: 'instances',
  call: 'ec2:DescribeInstances',
  code: 'UnauthorizedOperation',
  permission: 'ec2:DescribeInstances',
  message: 'not allowed',
};

function documentFor(facts: RegionFacts, enis: EniReading, addresses: readonly string[] = []): HeadroomDocument {
  const builder = new OccupancyBuilder(facts);
  if (addresses.length > 0) builder.add(eni({ addresses }));
  const report = assess(facts, enis, builder.finish());
  const description = { kind: 'files', name: 'here' } as const;
  return documentOf({ description, facts, enis, report, generatedAt: Date.UTC(2026, 0, 2) });
}

describe('the document', () => {
  const whole = documentFor(
    region([subnet('10.0.0.0/24', { availableIps: 250 }), subnet(null, { subnetId: 'subnet-0ffffffffffffffff' })]),
    READ,
    ['10.0.0.20'],
  );

  test('is what its schema says', () => expect(() => documentSchema.parse(whole)).not.toThrow());

  test('has the ledger at the top of each subnet', () => {
    expect(whole.subnets[0]).toMatchObject({
      usableIps: 251,
      usedIps: 1,
      availableIps: 250,
      enis: 1,
      confidence: 'exact',
    });
  });

  test('says no number of a subnet without IPv4', () => {
    const numbers = Object.entries(whole.subnets[1] ?? {}).filter(
      ([name, value]) => typeof value === 'number' && name !== 'enis',
    );
    expect(numbers).toEqual([]);
  });

  test('says when it was made, and that no time to reason with was given', () => {
    expect(whole.generatedAt).toBe('2026-01-02T00:00:00.000Z');
    expect(whole.source).toMatchObject({ kind: 'files', path: 'here', region: 'us-east-1', now: null });
  });

  test('names each input that nobody gave, and none that was read', () => {
    expect(whole.source.absent).toContain('cidr-reservations');
    expect(whole.source.absent).toContain('daemonset');
    expect(whole.source.absent).toContain('now');
    expect(whole.source.absent).not.toContain('network-interfaces');
    expect(whole.source.absent).not.toContain('caller');
  });

  test('names a failed read once, however many parts it hangs on', () => {
    const facts = region([subnet('10.0.0.0/24')], {
      instances: { state: 'unknown', value: [], failures: [DENIED] },
      failures: [DENIED],
    });
    expect(documentFor(facts, READ).source.unknown).toEqual([DENIED]);
  });

  test('without interfaces has counts only', () => {
    const [only] = documentFor(region([subnet('10.0.0.0/24', { availableIps: 200 })]), { state: 'absent' }).subnets;
    expect(only).toMatchObject({ confidence: 'counts-only', usableIps: 251, availableIps: 200, enis: null });
    expect(only).not.toHaveProperty('freePrefixes');
  });
});

describe('the verdict', () => {
  const healthy = documentFor(region([subnet('10.0.0.0/24')]), READ);
  const finding = (severity: 'critical' | 'warning' | 'info') =>
    ({ id: 'x', code: 'SUBNET_LOW', severity, observed: 1, message: '', evidence: {} }) as const;
  const failed = { ...healthy.source, unknown: [DENIED] };
  const blind = { ...healthy.source, absent: ['network-interfaces'] };

  test.each([
    ['nothing found', {}, 'critical', 'done'],
    ['info', { findings: [finding('info')] }, 'warning', 'done'],
    ['warning', { findings: [finding('warning')] }, 'critical', 'done'],
    ['warning, where those count', { findings: [finding('warning')] }, 'warning', 'critical'],
    ['critical', { findings: [finding('info'), finding('critical')] }, 'critical', 'critical'],
    ['a failed read', { source: failed }, 'critical', 'partial'],
    ['no interfaces', { source: blind }, 'critical', 'partial'],
    [
      'a failed read beside something critical',
      { source: failed, findings: [finding('critical')] },
      'critical',
      'critical',
    ],
    ['no reservations file', { source: { ...healthy.source, absent: ['cidr-reservations'] } }, 'critical', 'done'],
  ] as const)('%s', (_name, change, failOn, verdict) => {
    const document: HeadroomDocument = { ...healthy, findings: [], ...change };
    expect(verdictOf(document, failOn)).toBe(verdict);
  });
});
