/**
 * A folder of JSON that people already have as a source of facts: what the AWS CLI and kubectl print, by file name.
 *
 * Decoders are imported where their file is there, so that the common folder of two files starts fast.
 */
import { wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { blockSize } from '../../core/ip/ipv4.ts';
import { AWS_RESERVED_IPS } from '../../core/subnet/ledger.ts';
import type {
  EniReading,
  EniSink,
  InputName,
  KubernetesFacts,
  Reading,
  RegionFacts,
  SubnetFacts,
} from '../../core/subnet/snapshot.ts';
import type { ReadProgress, RegionSource } from '../../ports/region-source.ts';
import { listsNothing } from '../describe/eks-lists.ts';
import type { HowRead } from '../describe/reading.ts';
import { decodeSubnets, regionsOfSubnets } from '../describe/subnets.ts';
import { CONTENTS, type InputFile, listInputs } from './input-files.ts';
import { readDocuments } from './json-file.ts';
import { mergeById, mergeStrictly, type Page } from './merge.ts';
import { readNetworkInterfaces } from './network-interface-files.ts';

export interface FolderOptions {
  /** The time to reason with, epoch milliseconds; wins over `now.json`. */
  readonly now?: number;
  /** Told while network interfaces are read. */
  readonly progress?: ReadProgress;
}

type Inputs = ReadonlyMap<InputName, readonly InputFile[]>;
type Decode<T> = (document: unknown, place: Place) => readonly T[];

/**
 * The facts of a folder. Nothing is read before `facts()`.
 *
 * Every error is an `InputError` with file, place, what was there and what was expected. A file of the known names is never skipped; any other is left
 * alone. An input without a file is `absent`.
 */
export function openFolder(folder: string, options: FolderOptions = {}): RegionSource {
  let listed: Promise<Inputs> | undefined;
  const inputs = () => {
    listed ??= listInputs(folder);
    return listed;
  };
  return {
    description: { kind: 'files', name: folder },
    facts: async () => readFacts(await inputs(), options.now),
    networkInterfaces: async (_facts: RegionFacts, sink: EniSink): Promise<EniReading> => {
      const files = (await inputs()).get('network-interfaces');
      const how = (await readHow(await inputs()))?.enis;
      if (files === undefined && how === undefined) return { state: 'absent' };
      await readNetworkInterfaces(files ?? [], sink, options.progress);
      return { state: 'read', failures: [], ...how };
    },
  };
}

async function pagesOf<T>(inputs: Inputs, name: InputName, decode: Decode<T>): Promise<readonly Page<T>[]> {
  const pages: Page<T>[] = [];
  for (const { path, place: file } of inputs.get(name) ?? []) {
    for (const { document, place } of await readDocuments(path, file, CONTENTS[name])) {
      pages.push({ place, items: decode(document, place) });
    }
  }
  return pages;
}

/** One optional input: `absent` without a file. */
async function reading<T>(
  inputs: Inputs,
  name: InputName,
  decoder: () => Promise<Decode<T>>,
  idOf: (item: T) => string,
  merge: typeof mergeById = mergeById,
): Promise<Reading<readonly T[]>> {
  if (!inputs.has(name)) return { state: 'absent' };
  return { state: 'read', value: merge(await pagesOf(inputs, name, await decoder()), idOf) };
}

/**
 * A count above what the subnet can hold turns "full" into "room": somebody edited the file, or put two together. EC2 has never been seen to give one, so that what it says
 * live is taken as it is.
 */
function requirePossible({ cidr, availableIps }: SubnetFacts, place: Place): void {
  if (cidr === undefined) return;
  const usable = blockSize(cidr.length) - AWS_RESERVED_IPS;
  if (availableIps <= usable) return;
  throw wrongValue(
    place.at('AvailableIpAddressCount'),
    availableIps,
    `is more than a /${cidr.length} has`,
    `at most ${usable}, its addresses less the 5 that AWS reserves`,
  );
}

async function readSubnets(inputs: Inputs): Promise<{ subnets: readonly SubnetFacts[]; region?: string }> {
  const regions = new Set<string>();
  const pages = await pagesOf(inputs, 'subnets', (document, place) => {
    for (const region of regionsOfSubnets(document, place)) regions.add(region);
    const decoded = decodeSubnets(document, place);
    for (const [index, subnet] of decoded.entries()) requirePossible(subnet, place.at('Subnets').at(index));
    return decoded;
  });
  const subnets = mergeStrictly(pages, ({ subnetId }) => subnetId);
  const [region] = regions;
  return regions.size === 1 && region !== undefined ? { subnets, region } : { subnets };
}

/** The one value of an input of which there is one. */
async function single<T>(
  inputs: Inputs,
  name: InputName,
  decoder: () => Promise<(document: unknown, place: Place) => T>,
): Promise<T | undefined> {
  if (!inputs.has(name)) return undefined;
  const decode = await decoder();
  const pages = await pagesOf(inputs, name, (document, place) => [decode(document, place)]);
  return mergeStrictly(pages, () => name)[0];
}

async function readHow(inputs: Inputs): Promise<HowRead | undefined> {
  return single(inputs, 'reading', async () => (await import('../describe/reading.ts')).decodeReading);
}

async function readFacts(inputs: Inputs, givenNow: number | undefined): Promise<RegionFacts> {
  const facts = await readFiles(inputs, givenNow);
  const how = await readHow(inputs);
  return how === undefined ? facts : (await import('../describe/reading.ts')).withHowRead(facts, how);
}

async function readFiles(inputs: Inputs, givenNow: number | undefined): Promise<RegionFacts> {
  const { subnets, region } = await readSubnets(inputs);
  const account = await single(inputs, 'caller', async () => (await import('../describe/caller.ts')).decodeCaller);
  const writtenNow = await single(inputs, 'now', async () => (await import('../describe/now.ts')).decodeNow);
  const now = givenNow ?? writtenNow;
  return {
    ...(region === undefined ? {} : { region }),
    ...(account === undefined ? {} : { account }),
    ...(now === undefined ? {} : { now }),
    subnets,
    reservations: await reading(
      inputs,
      'cidr-reservations',
      async () => (await import('../describe/cidr-reservations.ts')).decodeReservations,
      ({ reservationId }) => reservationId,
      mergeStrictly,
    ),
    ...(await readNetwork(inputs)),
    ...(await readInstances(inputs)),
    ...(await readEks(inputs)),
    kubernetes: await readKubernetes(inputs),
    failures: [],
  };
}

type Part<K extends keyof RegionFacts> = Promise<Pick<RegionFacts, K>>;

async function readNetwork(inputs: Inputs): Part<'vpcs' | 'routeTables' | 'networkAcls' | 'zones'> {
  return {
    vpcs: await reading(
      inputs,
      'vpcs',
      async () => (await import('../describe/vpcs.ts')).decodeVpcs,
      ({ vpcId }) => vpcId,
    ),
    routeTables: await reading(
      inputs,
      'route-tables',
      async () => (await import('../describe/route-tables.ts')).decodeRouteTables,
      ({ routeTableId }) => routeTableId,
    ),
    networkAcls: await reading(
      inputs,
      'network-acls',
      async () => (await import('../describe/network-acls.ts')).decodeNetworkAcls,
      ({ networkAclId }) => networkAclId,
    ),
    zones: await reading(
      inputs,
      'availability-zones',
      async () => (await import('../describe/availability-zones.ts')).decodeZones,
      ({ zoneId }) => zoneId,
    ),
  };
}

async function readInstances(inputs: Inputs): Part<'instances' | 'instanceTypes'> {
  return {
    instances: await reading(
      inputs,
      'instances',
      async () => (await import('../describe/instances.ts')).decodeInstances,
      ({ instanceId }) => instanceId,
    ),
    instanceTypes: await reading(
      inputs,
      'instance-types',
      async () => (await import('../describe/instance-types.ts')).decodeInstanceTypes,
      ({ instanceType }) => instanceType,
    ),
  };
}

async function readEks(inputs: Inputs): Part<'clusters' | 'nodegroups' | 'addons'> {
  return {
    clusters: await reading(
      inputs,
      'clusters',
      async () => {
        const { decodeCluster } = await import('../describe/eks-cluster.ts');
        return (document, place) => (listsNothing(document, 'clusters') ? [] : [decodeCluster(document, place)]);
      },
      ({ name }) => name,
    ),
    nodegroups: await reading(
      inputs,
      'nodegroups',
      async () => {
        const { decodeNodegroup } = await import('../describe/eks-nodegroup.ts');
        return (document, place) => (listsNothing(document, 'nodegroups') ? [] : [decodeNodegroup(document, place)]);
      },
      ({ cluster, name }) => `${cluster}/${name}`,
    ),
    addons: await reading(
      inputs,
      'addons',
      async () => {
        const { decodeAddon } = await import('../describe/eks-addon.ts');
        const { parseConfiguration } = await import('../describe/addon-configuration.ts');
        return (document, place) =>
          listsNothing(document, 'addons') ? [] : [decodeAddon(document, place, parseConfiguration)];
      },
      ({ cluster, name }) => `${cluster}/${name}`,
    ),
  };
}

const KUBERNETES_INPUTS: readonly InputName[] = [
  'nodes',
  'pods',
  'nodeclasses',
  'nodepools',
  'eniconfigs',
  'daemonset',
];

/** A folder tells of one cluster at the most, and its files do not say of which. */
async function readKubernetes(inputs: Inputs): Promise<readonly KubernetesFacts[]> {
  if (!KUBERNETES_INPUTS.some((name) => inputs.has(name))) return [];
  const daemonSet = await single(
    inputs,
    'daemonset',
    async () => (await import('../describe/kube-daemon-set.ts')).decodeDaemonSet,
  );
  const byName = ({ name }: { readonly name: string }) => name;
  return [
    {
      nodes: await reading(
        inputs,
        'nodes',
        async () => (await import('../describe/kube-nodes.ts')).decodeNodes,
        byName,
      ),
      pods: await reading(
        inputs,
        'pods',
        async () => (await import('../describe/kube-pods.ts')).decodePods,
        ({ namespace, name }) => `${namespace}/${name}`,
      ),
      nodeClasses: await reading(
        inputs,
        'nodeclasses',
        async () => (await import('../describe/kube-node-classes.ts')).decodeNodeClasses,
        ({ kind, name }) => `${kind}/${name}`,
      ),
      nodePools: await reading(
        inputs,
        'nodepools',
        async () => (await import('../describe/kube-node-pools.ts')).decodeNodePools,
        byName,
      ),
      eniConfigs: await reading(
        inputs,
        'eniconfigs',
        async () => (await import('../describe/kube-eni-configs.ts')).decodeEniConfigs,
        byName,
      ),
      daemonSet: daemonSet === undefined ? { state: 'absent' } : { state: 'read', value: daemonSet },
    },
  ];
}
