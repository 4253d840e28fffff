/** Reads a case folder with the decoders alone, so that the core's tests stand on the real cases without the folder reader. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeZones } from '../../lambdas/adapters/describe/availability-zones.ts';
import { decodeReservations } from '../../lambdas/adapters/describe/cidr-reservations.ts';
import { decodeCluster } from '../../lambdas/adapters/describe/eks-cluster.ts';
import { decodeNodegroup } from '../../lambdas/adapters/describe/eks-nodegroup.ts';
import { decodeInstanceTypes } from '../../lambdas/adapters/describe/instance-types.ts';
import { decodeInstances } from '../../lambdas/adapters/describe/instances.ts';
import { decodeDaemonSet } from '../../lambdas/adapters/describe/kube-daemon-set.ts';
import { decodeNodeClasses } from '../../lambdas/adapters/describe/kube-node-classes.ts';
import { decodeNodePools } from '../../lambdas/adapters/describe/kube-node-pools.ts';
import { decodeNodes } from '../../lambdas/adapters/describe/kube-nodes.ts';
import { decodePods } from '../../lambdas/adapters/describe/kube-pods.ts';
import { toEniRecord } from '../../lambdas/adapters/describe/network-interfaces.ts';
import { decodeSubnets } from '../../lambdas/adapters/describe/subnets.ts';
import { assessContext } from '../../lambdas/core/assess/assess.ts';
import type { AssessContext } from '../../lambdas/core/assess/context.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { Place } from '../../lambdas/core/input/place.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';
import type { EniReading, EniRecord, Reading, RegionFacts } from '../../lambdas/core/subnet/snapshot.ts';
import { READ, region } from './builders.ts';

const CASES = fileURLToPath(new URL('../cases/', import.meta.url));

type Decode<T> = (document: unknown, place: Place) => T;

/** Facts and interfaces of a case. @param name the folder's name or its first part: `c10`. @param subnets another subnets file, relative to the folder. */
export function caseRegion(name: string, subnets = 'subnets.json') {
  const folder = readdirSync(CASES).find((entry) => entry === name || entry.startsWith(`${name}-`));
  if (folder === undefined) throw new Error(`no case ${name}`);
  const document = (file: string): unknown => JSON.parse(readFileSync(join(CASES, folder, file), 'utf8'));
  const given = (file: string) => existsSync(join(CASES, folder, file));
  const read = <T>(file: string, decode: Decode<T>): Reading<T> =>
    given(file) ? { state: 'read', value: decode(document(file), Place.of(file)) } : { state: 'absent' };
  const one = <T>(file: string, decode: Decode<T>) => read(file, (value, place) => [decode(value, place)]);

  const inside = {
    nodes: read('nodes.json', decodeNodes),
    pods: read('pods.json', decodePods),
    nodeClasses: read('nodeclasses.json', decodeNodeClasses),
    nodePools: read('nodepools.json', decodeNodePools),
    eniConfigs: { state: 'absent' } as const,
    daemonSet: read('daemonset.json', decodeDaemonSet),
  };
  const facts: RegionFacts = region(decodeSubnets(document(subnets), Place.of(subnets)), {
    reservations: read('cidr-reservations.json', decodeReservations),
    zones: read('availability-zones.json', decodeZones),
    instances: read('instances.json', decodeInstances),
    instanceTypes: read('instance-types.json', decodeInstanceTypes),
    clusters: one('clusters.json', decodeCluster),
    nodegroups: one('nodegroups.json', decodeNodegroup),
    kubernetes: Object.values(inside).some(({ state }) => state === 'read') ? [inside] : [],
  });
  const file = 'network-interfaces.json';
  const enis: readonly EniRecord[] = given(file)
    ? (document(file) as { NetworkInterfaces: unknown[] }).NetworkInterfaces.map((raw, at) =>
        toEniRecord(raw, Place.of(file).at(at)),
      )
    : [];
  const reading: EniReading = given(file) ? READ : { state: 'absent' };
  return { facts, enis, reading };
}

/** A context made of facts and interfaces; without interfaces, of counts alone. */
export function contextOf(
  facts: RegionFacts,
  enis?: readonly EniRecord[],
  settings: AssessSettings = {},
): AssessContext {
  const builder = new OccupancyBuilder(facts);
  for (const eni of enis ?? []) builder.add(eni);
  return assessContext(facts, enis === undefined ? { state: 'absent' } : READ, builder.finish(), settings);
}

export function caseContext(name: string, settings: AssessSettings = {}): AssessContext {
  const { facts, enis, reading } = caseRegion(name);
  return contextOf(facts, reading.state === 'absent' ? undefined : enis, settings);
}
