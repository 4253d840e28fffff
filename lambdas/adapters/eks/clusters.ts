/** What EKS says of the clusters in the VPCs: the clusters themselves, their node groups and their VPC CNI add-on. */

import { Place } from '../../core/input/place.ts';
import type { AddonFacts, ClusterFacts, NodegroupFacts, ReadFailure } from '../../core/subnet/snapshot.ts';
import { awsCode } from '../aws-error.ts';
import { type ConfigurationParser, decodeAddon, jsonConfiguration } from '../describe/eks-addon.ts';
import { decodeCluster } from '../describe/eks-cluster.ts';
import { decodeNodegroup } from '../describe/eks-nodegroup.ts';
import { eachPage } from '../ec2/paging.ts';
import { type Part, type ReadingTaps, readPart, type Shard } from '../live/part.ts';
import type { EksCalls } from './eks-calls.ts';

/** The add-on's name, fixed by EKS. */
const VPC_CNI = 'vpc-cni';

/** What is deleted between the list and the question is gone, and no failure; a CNI that is no add-on never was there. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (awsCode(error) === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

interface ClusterShard extends Shard {
  readonly cluster: string;
}

export interface EksPart {
  readonly clusters: Part<ClusterFacts>;
  readonly nodegroups: Part<NodegroupFacts>;
  readonly addons: Part<AddonFacts>;
}

export async function readEks(eks: EksCalls, taps: ReadingTaps, vpcIds: ReadonlySet<string>): Promise<EksPart> {
  const names = await clusterNames(eks);
  const clusters = await readClusters(eks, taps, vpcIds, names.items);
  const shards = clusters.items.map(({ name }) => ({ cluster: name }));
  const [nodegroups, addons] = await Promise.all([readNodegroups(eks, taps, shards), readAddons(eks, taps, shards)]);
  // What hangs on a list or a cluster that could not be read is as unknown as that; it is the same failure, told once.
  const above = [...names.failures, ...clusters.failures];
  return {
    clusters: { items: clusters.items, failures: above },
    nodegroups: { items: nodegroups.items, failures: [...above, ...nodegroups.failures] },
    addons: { items: addons.items, failures: [...above, ...addons.failures] },
  };
}

/** The names are no answer of their own in a snapshot: `clusters` keeps what describes each. */
function clusterNames(eks: EksCalls): Promise<Part<string>> {
  return readPart<Shard, string>(NO_TAPS, {
    input: 'clusters',
    call: 'eks:ListClusters',
    shards: [{}],
    read: (_, take) =>
      eachPage(
        (token) => eks.listClusters(token),
        (page) => page.nextToken,
        async ({ clusters = [] }) => take({}, clusters),
      ),
  });
}

const NO_TAPS: ReadingTaps = { raw: undefined, progress: undefined, pageSize: undefined };

function readClusters(
  eks: EksCalls,
  taps: ReadingTaps,
  vpcIds: ReadonlySet<string>,
  names: readonly string[],
): Promise<Part<ClusterFacts>> {
  return readPart<ClusterShard, ClusterFacts>(taps, {
    input: 'clusters',
    call: 'eks:DescribeCluster',
    shards: names.map((cluster) => ({ cluster })),
    countShards: true,
    read: async ({ cluster: name }, take) => {
      const cluster = (await unlessGone(eks.cluster(name)))?.cluster;
      // A cluster of another VPC has no part in these subnets. One being made may not say where it is yet: it is kept.
      const vpcId = cluster?.resourcesVpcConfig?.vpcId;
      if (cluster === undefined || (vpcId !== undefined && !vpcIds.has(vpcId))) return;
      await take({ cluster }, [decodeCluster({ cluster }, Place.of('eks:DescribeCluster'))]);
    },
  });
}

async function readNodegroups(
  eks: EksCalls,
  taps: ReadingTaps,
  clusters: readonly ClusterShard[],
): Promise<Part<NodegroupFacts>> {
  const named = await readPart<ClusterShard, ClusterShard & { readonly nodegroup: string }>(NO_TAPS, {
    input: 'nodegroups',
    call: 'eks:ListNodegroups',
    shards: clusters,
    read: ({ cluster }, take) =>
      eachPage(
        (token) => unlessGone(eks.listNodegroups(cluster, token)),
        (page) => page?.nextToken,
        async (page) =>
          take(
            {},
            (page?.nodegroups ?? []).map((nodegroup) => ({ cluster, nodegroup })),
          ),
      ),
  });
  const described = await readPart<ClusterShard & { readonly nodegroup: string }, NodegroupFacts>(taps, {
    input: 'nodegroups',
    call: 'eks:DescribeNodegroup',
    shards: named.items,
    countShards: true,
    read: async (shard, take) => {
      const nodegroup = (await unlessGone(eks.nodegroup(shard.cluster, shard.nodegroup)))?.nodegroup;
      if (nodegroup !== undefined)
        await take({ nodegroup }, [decodeNodegroup({ nodegroup }, Place.of('eks:DescribeNodegroup'))]);
    },
  });
  const failures: readonly ReadFailure[] = [...named.failures, ...described.failures];
  return { items: described.items, failures };
}

function readAddons(eks: EksCalls, taps: ReadingTaps, clusters: readonly ClusterShard[]): Promise<Part<AddonFacts>> {
  return readPart<ClusterShard, AddonFacts>(taps, {
    input: 'addons',
    call: 'eks:DescribeAddon',
    shards: clusters,
    countShards: true,
    read: async ({ cluster }, take) => {
      const addon = (await unlessGone(eks.addon(cluster, VPC_CNI)))?.addon;
      if (addon === undefined) return;
      const parse = await parserFor(addon.configurationValues);
      await take({ addon }, [decodeAddon({ addon }, Place.of('eks:DescribeAddon'), parse)]);
    },
  });
}

/** The YAML parser is larger than all else that reading clusters takes, and many a configuration is JSON, or none. */
async function parserFor(text = ''): Promise<ConfigurationParser> {
  const json = jsonConfiguration(text);
  if (json !== undefined) return () => json;
  return (await import('../describe/addon-configuration.ts')).parseConfiguration;
}
