import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assess } from '../../../lambdas/core/assess/assess.ts';
import { formatCidr } from '../../../lambdas/core/ip/ipv4.ts';
import { restoreOccupancy, storeOccupancy } from '../../../lambdas/core/stored/stored-occupancy.ts';
import {
  StoredError,
  type StoredVpc,
  snapshotFromText,
  snapshotToText,
  vpcFromText,
  vpcToText,
} from '../../../lambdas/core/stored/stored-region.ts';
import { OccupancyBuilder, type SubnetOccupancy } from '../../../lambdas/core/subnet/occupancy.ts';
import { eni, ip, region, subnet } from '../../support/builders.ts';
import { caseRegion } from '../../support/case-region.ts';

const CASES = readdirSync(fileURLToPath(new URL('../../cases/', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** As kept and taken out again by way of text. */
function kept(occupancy: SubnetOccupancy): SubnetOccupancy | undefined {
  const vpc: StoredVpc = {
    vpcId: occupancy.subnet.vpcId,
    readAt: 1,
    unsettled: false,
    factsTag: '',
    counts: new Map([[occupancy.subnet.subnetId, { cidr: formatCidr(occupancy.map.cidr), availableIps: 3 }]]),
    managedResourcesIncluded: true,
    oddReads: 0,
    subnets: [storeOccupancy(occupancy)],
  };
  const [stored] = vpcFromText(vpcToText(vpc)).subnets;
  return stored === undefined ? undefined : restoreOccupancy(stored, occupancy.subnet);
}

describe('what was kept says what was read', () => {
  test.each(CASES)('%s: the assessment is the same to the last field', (name) => {
    const { facts, enis, reading } = caseRegion(name);
    const builder = new OccupancyBuilder(facts);
    for (const one of enis) builder.add(one);
    const fresh = builder.finish();
    const subnets = new Map([...fresh.subnets].map(([id, occupancy]) => [id, kept(occupancy) as SubnetOccupancy]));
    const of = (occupancy: typeof fresh) => assess(facts, reading, occupancy);
    expect(of({ ...fresh, subnets })).toEqual(of(fresh));
    const whole = snapshotFromText(snapshotToText({ facts, enis: reading, occupancy: fresh }));
    expect(assess(whole.facts, whole.enis, whole.occupancy)).toEqual(of(fresh));
    expect(whole.facts).toEqual(facts);
  });

  test('whatever the interfaces hold, every field of the map is the same', () => {
    const at = subnet('10.0.0.0/22');
    const one = fc.record({
      addresses: fc.uniqueArray(fc.nat(1023), { maxLength: 6 }),
      prefixes: fc.uniqueArray(fc.nat(70), { maxLength: 2 }),
      status: fc.constantFrom('in-use', 'available'),
      description: fc.constantFrom('aws-K8S-i-0123', 'ELB app/a/b', '', 'Amazon EKS prod'),
      instanceId: fc.option(fc.constantFrom('i-00000000000000001', 'i-00000000000000002'), { nil: undefined }),
      tags: fc.dictionary(
        fc.constantFrom('cluster.k8s.amazonaws.com/name', 'kubernetes.io/cluster/x', '$map', 'a'),
        fc.string({ maxLength: 5 }),
        { maxKeys: 3 },
      ),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (drawn) => {
        const builder = new OccupancyBuilder(region([at]));
        for (const { addresses, prefixes, instanceId, ...rest } of drawn) {
          builder.add({
            ...eni({ ...rest, ...(instanceId === undefined ? {} : { attachment: { instanceId, deviceIndex: 0 } }) }),
            addresses: addresses.map((offset) => ip('10.0.0.0') + offset),
            // Some lie beyond the subnet: strays are kept too.
            prefixes: prefixes.map((block) => ip('10.0.0.0') + 16 * block),
          });
        }
        const [fresh] = builder.finish().subnets.values();
        if (fresh === undefined) throw new Error('no map');
        const again = kept(fresh);
        expect(again).toBeDefined();
        expect(storeOccupancy(again as SubnetOccupancy)).toEqual(plain(fresh));
      }),
      { numRuns: 200 },
    );
  });

  test('a subnet that was made anew with another range is not taken for the old one', () => {
    const builder = new OccupancyBuilder(region([subnet('10.0.0.0/24')]));
    const [old] = builder.finish().subnets.values();
    if (old === undefined) throw new Error('no map');
    expect(restoreOccupancy(storeOccupancy(old), subnet('10.0.1.0/24'))).toBeUndefined();
  });

  test('another version, another kind and no JSON are errors, not guesses', () => {
    for (const text of ['{"kind":"vpc","schemaVersion":2}', '{"kind":"region","schemaVersion":1}', 'nonsense', '[]']) {
      expect(() => vpcFromText(text)).toThrow(StoredError);
    }
  });
});

/** Counters as plain objects: a share is equal by what it counts, not by its class. */
function plain(occupancy: SubnetOccupancy): object {
  const shares = <K, V extends object>(map: ReadonlyMap<K, V>) =>
    new Map([...map].map(([key, value]) => [key, { ...value }]));
  const stored = storeOccupancy(occupancy);
  return {
    ...stored,
    holders: shares(stored.holders),
    clusters: shares(stored.clusters),
    eksUse: shares(stored.eksUse),
    owners: shares(stored.owners),
    nodes: shares(stored.nodes),
  };
}
