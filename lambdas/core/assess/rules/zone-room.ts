import type { ClusterModel, NodeFootprint } from '../cluster-model.ts';
import { finding } from '../finding.ts';
import { type ClusterZone, clusterZones, nodeHeadroom, zoneCapacity } from '../headroom.ts';
import { thresholdsFor } from '../settings.ts';
import { isAllThatCounts } from '../whole.ts';
import { addresses, count } from '../words.ts';
import type { Rule } from './rule.ts';

/**
 * `ZONE_EXHAUSTED`, `ZONE_LOW`: what a cluster's subnets in a zone could still serve, whoever picks them. Exhausted is judged by the best that the free
 * prefixes may be, low by the worst; where neither is known, or not every subnet of the VPC, nothing is said.
 */
export const zoneRoom: Rule = (context) =>
  context.clusters.flatMap((cluster) =>
    clusterZones(cluster, context.subnets).flatMap((zone) => {
      if (!isAllThatCounts(context.facts, zone.vpcId)) return [];
      const best = zoneCapacity(cluster, zone, 'max');
      const worst = zoneCapacity(cluster, zone, 'min');
      if (best === 0) return [zoneFinding('ZONE_EXHAUSTED', cluster, zone, { worst: 0, best: 0 }, 0)];
      const { zone: name, zoneId } = zone;
      const { zoneLowNodes } = thresholdsFor(context.settings, { cluster: cluster.name, zone: name, zoneId });
      if (worst === null || worst >= zoneLowNodes) return [];
      return [zoneFinding('ZONE_LOW', cluster, zone, { worst, best: best ?? worst }, zoneLowNodes)];
    }),
  );

function zoneFinding(
  code: 'ZONE_EXHAUSTED' | 'ZONE_LOW',
  cluster: ClusterModel,
  zone: ClusterZone,
  { worst, best }: { readonly worst: number; readonly best: number },
  threshold: number,
) {
  const subnets = zone.views.map(({ facts }) => facts.subnetId);
  const availableIps = zone.views.reduce((sum, { ledger }) => sum + (ledger.applicable ? ledger.availableIps : 0), 0);
  const some = best === 0 ? 'no more node' : count(best, 'more node');
  const room = worst === best ? some : `between ${worst} and ${some}`;
  const { zone: name, zoneId, vpcId } = zone;
  return finding(
    code,
    { cluster: cluster.name, zone: name, zoneId, vpcId },
    {
      severity: code === 'ZONE_EXHAUSTED' ? 'critical' : 'warning',
      observed: worst,
      threshold,
      message: `Cluster ${cluster.name} can take ${room} in ${name}: ${count(subnets.length, 'subnet')} with ${count(availableIps, 'available address', 'available addresses')}${cluster.footprint === undefined ? '' : `, ${need(cluster.footprint)}`}.`,
      evidence: {
        subnets,
        availableIps,
        nodeHeadroom: nodeHeadroom(cluster, zone),
        instanceType: cluster.footprint?.instanceType,
        mode: cluster.cni.mode,
        modeEvidence: cluster.cni.modeEvidence,
      },
      remedy: `Open a standby subnet in ${name} to the cluster, or free addresses in the ones it has.`,
    },
  );
}

function need({ instanceType, node, pods }: NodeFootprint): string {
  const amount = (ips: number, prefixes: number) =>
    [ips > 0 ? addresses(ips) : '', prefixes > 0 ? count(prefixes, 'prefix', 'prefixes') : '']
      .filter((part) => part !== '')
      .join(' and ');
  const apart = pods === undefined ? '' : `, and ${amount(pods.ips, pods.prefixes)} of a pod subnet`;
  return `where a node${instanceType === undefined ? '' : ` (${instanceType})`} needs ${amount(node.ips, node.prefixes)}${apart}`;
}
