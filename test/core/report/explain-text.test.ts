import { describe, expect, test } from '@jest/globals';
import { assess } from '../../../lambdas/core/assess/assess.ts';
import { explainText } from '../../../lambdas/core/report/explain-text.ts';
import { explainedDocument } from '../../../lambdas/core/report/explained.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import type { EniReading, Reservation } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, reservation, subnet } from '../../support/builders.ts';
import { plainPen } from '../../support/plain-pen.ts';

const READ: EniReading = { state: 'read', managedResourcesIncluded: true, failures: [] };

function explained(
  at: string,
  enis: readonly Parameters<typeof eni>[0][],
  { reservations = [], all = false }: { reservations?: readonly Reservation[]; all?: boolean } = {},
): string[] {
  const facts = region([subnet(at, { tags: { Name: 'pods' } })], {
    reservations: { state: 'read', value: reservations },
    now: Date.UTC(2026, 0, 1),
  });
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  for (const fields of enis) builder.add(eni(fields));
  const occupancy = builder.finish();
  const [first] = facts.subnets;
  const subnetId = first?.subnetId as string;
  const document = explainedDocument({
    description: { kind: 'files', name: 'here' },
    facts,
    enis: READ,
    report: assess(facts, READ, occupancy),
    generatedAt: 0,
    subnetId,
    occupancy: occupancy.subnets.get(subnetId),
  });
  return explainText(plainPen, document, { all });
}

function section(lines: readonly string[], title: string): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith(title));
  return start < 0 ? [] : lines.slice(start + 1, lines.indexOf('', start));
}

const NODE = { attachment: { instanceId: 'i-00000000000000001', deviceIndex: 0 } };
const CLUSTER = 'cluster.k8s.amazonaws.com/name';

describe('who breaks which block', () => {
  test('the block once, its addresses below; one cluster is told once', () => {
    const lines = explained('10.0.0.0/25', [
      { id: 'eni-0000000000000000a', addresses: ['10.0.0.20'], tags: { [CLUSTER]: 'prod' }, ...NODE },
      { id: 'eni-0000000000000000b', addresses: ['10.0.0.40', '10.0.0.41'], tags: { [CLUSTER]: 'prod' } },
    ]);
    expect(section(lines, 'WHO BREAKS WHICH BLOCK: 2 blocks')).toEqual([
      '  BLOCK      ADDRESS       INTERFACE              INSTANCE             CLASS',
      '  10.0.0.16  10.0.0.20  *  eni-0000000000000000a  i-00000000000000001  instance-other',
      '  10.0.0.32  10.0.0.40  *  eni-0000000000000000b                       unknown',
      '             10.0.0.41     eni-0000000000000000b                       unknown',
      '  All of cluster prod.',
      '  * the primary address of its interface: it goes only with the interface, that of a node only with',
      '  the node.',
    ]);
  });

  test('several clusters have a column, and ids stay whole however long the names', () => {
    const tags = (name: string) => ({ [CLUSTER]: name.repeat(40) });
    const lines = explained('100.100.100.0/24', [
      { id: 'eni-0000000000000000a', addresses: ['100.100.100.120'], tags: tags('a'), ...NODE },
      { id: 'eni-0000000000000000b', addresses: ['100.100.100.140'], tags: tags('b') },
    ]);
    const rows = section(lines, 'WHO BREAKS');
    expect(rows[1]).toMatch(/100\.100\.100\.120 +\* +eni-0000000000000000a +i-00000000000000001 +a+… +\S/);
    for (const row of rows) expect(plainPen.width(row)).toBeLessThanOrEqual(100);
  });

  test('a long list is cut, with the option that shows it whole', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ addresses: [`10.0.${1 + (i >> 4)}.${(i & 15) * 16 + 1}`] }));
    const rows = (all: boolean) => section(explained('10.0.0.0/22', many, { all }), 'WHO BREAKS');
    expect(rows(false)).toContain('  ... 10 more addresses: --all shows them');
    expect(rows(true).filter((row) => row.includes('eni-'))).toHaveLength(30);
  });
});

test('reservations are listed', () => {
  const lines = explained('10.0.0.0/24', [], { reservations: [reservation('10.0.0.64/26', 'prefix')] });
  expect(section(lines, 'RESERVATIONS')).toEqual([
    '  RANGE         TYPE    ID                DESCRIPTION',
    '  10.0.0.64/26  prefix  scr-10.0.0.64/26',
  ]);
});

test('the head says what, where and how sure', () => {
  expect(explained('10.0.0.0/24', []).slice(0, 3)).toEqual([
    'from here | region us-east-1 | account 111111111111 | as of 2026-01-01T00:00:00Z',
    'subnet-00000000000000001 (pods)  10.0.0.0/24',
    'vpc-00000000000000001, us-east-1a (use1-az1) | no cluster may use it | confidence: exact',
  ]);
});
