import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FINDING_CODES, SEVERITIES } from '../../../lambdas/contract/finding.ts';
import { compareFindings, finding } from '../../../lambdas/core/assess/finding.ts';
import { subnet } from '../../support/builders.ts';

const DETAILS = { severity: 'info', observed: 1, message: 'said' } as const;
const HERE = subnet('10.0.0.0/24', { subnetId: 'subnet-0000000000000000a' });

describe('a finding', () => {
  test('about a subnet carries its place', () => {
    expect(finding('SUBNET_LOW', { subnet: HERE }, { ...DETAILS, threshold: 2 })).toEqual({
      id: 'SUBNET_LOW/subnet-0000000000000000a',
      code: 'SUBNET_LOW',
      severity: 'info',
      subnetId: 'subnet-0000000000000000a',
      zone: 'us-east-1a',
      zoneId: 'use1-az1',
      vpcId: 'vpc-00000000000000001',
      observed: 1,
      threshold: 2,
      message: 'said',
      evidence: {},
    });
  });

  test('has no field and no evidence that is undefined', () => {
    const made = finding(
      'SUBNET_LOW',
      {},
      { ...DETAILS, threshold: undefined, remedy: undefined, evidence: { a: undefined, b: null } },
    );
    expect(Object.keys(made).sort()).toEqual(['code', 'evidence', 'id', 'message', 'observed', 'severity']);
    expect(made.evidence).toEqual({ b: null });
  });

  test('keeps its id when its numbers change, and not when its subject does', () => {
    const first = finding('ZONE_LOW', { cluster: 'prod', zoneId: 'use1-az1', vpcId: 'vpc-1' }, DETAILS);
    const later = finding(
      'ZONE_LOW',
      { cluster: 'prod', zoneId: 'use1-az1', vpcId: 'vpc-1' },
      { ...DETAILS, observed: 2, message: 'else' },
    );
    expect(later.id).toBe(first.id);
    for (const subject of [
      { cluster: 'prod', zoneId: 'use1-az2', vpcId: 'vpc-1' },
      { cluster: 'test', zoneId: 'use1-az1', vpcId: 'vpc-1' },
      { cluster: 'prod', zoneId: 'use1-az1', vpcId: 'vpc-2' },
      { cluster: 'prod', zoneId: 'use1-az1', vpcId: 'vpc-1', part: 'default' },
    ]) {
      expect(finding('ZONE_LOW', subject, DETAILS).id).not.toBe(first.id);
    }
  });
});

const arbitrary = fc
  .record({
    code: fc.constantFrom(...FINDING_CODES),
    severity: fc.constantFrom(...SEVERITIES),
    subnetId: fc.constantFrom('subnet-a', 'subnet-b', undefined),
    cluster: fc.constantFrom('a', 'b', undefined),
  })
  .map(({ code, severity, subnetId, cluster }) => {
    const at = subnetId === undefined ? {} : { subnet: subnet('10.0.0.0/24', { subnetId }) };
    return finding(code, { ...at, ...(cluster === undefined ? {} : { cluster }) }, { ...DETAILS, severity });
  });

test('findings come worst first, then by code, subnet and cluster, in whichever order they were made', () => {
  fc.assert(
    fc.property(fc.uniqueArray(arbitrary, { selector: ({ id }) => id, maxLength: 12 }), fc.integer(), (made, seed) => {
      const sorted = [...made].sort(compareFindings);
      const shuffled = [...made].sort((a, b) => (`${seed}${a.id}` < `${seed}${b.id}` ? 1 : -1)).sort(compareFindings);
      expect(shuffled).toEqual(sorted);
      for (let i = 1; i < sorted.length; i++) {
        const [a, b] = [sorted[i - 1], sorted[i]];
        const key = (one: typeof a) => [
          SEVERITIES.indexOf(one?.severity ?? 'info'),
          one?.code,
          one?.subnetId ?? '',
          one?.cluster ?? '',
        ];
        expect(JSON.stringify(key(a)) <= JSON.stringify(key(b))).toBe(true);
      }
    }),
  );
});
