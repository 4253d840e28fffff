/** Findings about the subnet that Karpenter or the VPC CNI picks next, by its own rule. */
import type { ClusterModel, NodeLauncher } from '../cluster-model.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { capacityOf, roomOf } from '../footprint.ts';
import { karpenterPicks } from '../selection/karpenter.ts';
import { rankedSubnets } from '../selection/ranked.ts';
import { selectSubnets } from '../selection/selectors.ts';
import { cniRule, cniSubnetOrder } from '../selection/vpc-cni.ts';
import { isWhole } from '../whole.ts';
import type { Rule } from './rule.ts';

interface KarpenterPick {
  readonly cluster: ClusterModel;
  readonly launcher: NodeLauncher;
  readonly picked: SubnetView;
  /** The launcher's other subnets in the zone, by id. */
  readonly others: readonly SubnetView[];
}

/**
 * Where each Karpenter selector would launch the next node, zone by zone. IPv6-only subnets have no count to be picked by and are left out, as is a VPC of which
 * some subnets were not read, and a zone where the selector also means a subnet that the configuration leaves out: the pick may be one of those.
 */
function karpenterNext(context: AssessContext, cluster: ClusterModel): readonly KarpenterPick[] {
  return cluster.launchers
    .filter(({ kind }) => kind === 'karpenter')
    .flatMap((launcher) => {
      const selected = rankedSubnets(context, launcher.subnetIds).filter(({ vpcId }) => isWhole(context.facts, vpcId));
      const beside = selectSubnets(launcher.terms, context.facts.excluded ?? []);
      const told = [...karpenterPicks(selected).values()].filter(
        ({ availabilityZone: zone }) => !beside.some(({ availabilityZone }) => availabilityZone === zone),
      );
      return told.map(({ subnetId, availabilityZone }) => ({
        cluster,
        launcher,
        picked: context.subnets.get(subnetId) as SubnetView,
        others: selected
          .filter((one) => one.availabilityZone === availabilityZone && one.subnetId !== subnetId)
          .map((one) => context.subnets.get(one.subnetId) as SubnetView),
      }));
    });
}

/**
 * `CONSUMER_PREFERS_EXHAUSTED_SUBNET`: Karpenter's pick of a zone cannot serve a node while another subnet that it selects there can. Both are judged so that
 * doubt about hidden addresses raises nothing. For the VPC CNI see cni-choice.ts.
 */
export const prefersExhaustedSubnet: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const footprint = cluster.footprint?.node;
    if (footprint === undefined) return [];
    const seen = new Set<string>();
    return karpenterNext(context, cluster).flatMap(({ launcher, picked, others }) => {
      const { subnetId, availabilityZone: zone } = picked.facts;
      if (capacityOf(roomOf(picked.ledger, 'max'), footprint) !== 0 || seen.has(subnetId)) return [];
      const able = others
        .map((view) => ({ view, nodes: capacityOf(roomOf(view.ledger, 'min'), footprint) ?? 0 }))
        .filter(({ nodes }) => nodes > 0)
        .sort((a, b) => b.nodes - a.nodes || (a.view.facts.subnetId < b.view.facts.subnetId ? -1 : 1))[0];
      if (able === undefined) return [];
      seen.add(subnetId);
      const should = able.view.facts.subnetId;
      const counts = `${availableOf(picked)} available addresses against ${availableOf(able.view)}`;
      return [
        finding(
          'CONSUMER_PREFERS_EXHAUSTED_SUBNET',
          { subnet: picked.facts, cluster: cluster.name },
          {
            severity: 'critical',
            observed: 0,
            message: `Karpenter launches the next node of ${cluster.name} in ${zone} into ${subnetId}, which cannot serve it; ${should} could serve ${able.nodes}. It picks by EC2's count: ${counts}.`,
            evidence: {
              consumer: 'karpenter',
              picked: subnetId,
              shouldPick: should,
              pickedAvailableIps: availableOf(picked),
              shouldPickAvailableIps: availableOf(able.view),
              nodesInShouldPick: able.nodes,
              nodeClass: launcher.name,
              mode: cluster.cni.mode,
            },
            remedy: `Take ${subnetId} out of the selector (its nodes will be replaced), or reserve or drain its addresses so that ${should} ranks first.`,
          },
        ),
      ];
    });
  });

function availableOf({ ledger }: SubnetView): number {
  return ledger.applicable ? ledger.availableIps : 0;
}

/**
 * `ZONE_BLOCKED_BY_ONE_SUBNET`: one selector's pick of a zone has no address left while another selector of the cluster has a pick there that can launch. From
 * about Karpenter v1.6 to v1.12 the first one's failures put the whole zone out for three minutes at a time; other versions keep the second one going.
 */
export const zoneBlockedByOneSubnet: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const picks = karpenterNext(context, cluster);
    const blocked = new Map<string, KarpenterPick>();
    for (const pick of picks) {
      const zone = pick.picked.facts.availabilityZoneId;
      if (availableOf(pick.picked) === 0 && !blocked.has(zone)) blocked.set(zone, pick);
    }
    return [...blocked].flatMap(([zoneId, { picked, launcher }]) => {
      const able = picks.find((one) => one.picked.facts.availabilityZoneId === zoneId && availableOf(one.picked) > 0);
      if (able === undefined) return [];
      const { subnetId, availabilityZone: zone } = picked.facts;
      return [
        finding(
          'ZONE_BLOCKED_BY_ONE_SUBNET',
          { subnet: picked.facts, cluster: cluster.name },
          {
            severity: 'warning',
            observed: 0,
            message: `Node class ${launcher.name} of ${cluster.name} picks ${subnetId} in ${zone}, which has no address left. With Karpenter v1.6 to v1.12 its failures block the whole zone, where ${able.picked.facts.subnetId} still has ${availableOf(able.picked)}.`,
            evidence: {
              nodeClass: launcher.name,
              picked: subnetId,
              blocked: able.picked.facts.subnetId,
              blockedAvailableIps: availableOf(able.picked),
              blockedNodeClass: able.launcher.name,
              byVersion: {
                'v1.0 to v1.5': 'the instance type in the zone, 3 minutes',
                'v1.6 to v1.12': 'the whole zone, 3 minutes',
                'v1.13 and later': 'the subnet alone, 3 minutes',
              },
            },
            remedy: `Take ${subnetId} out of node class ${launcher.name}, or run Karpenter v1.13 or later.`,
          },
        ),
      ];
    });
  });

/**
 * `CNI_VERSION_DEPENDENT_CHOICE`: the CNI's version is not known, and the subnet of a node's next interface depends on it. Both answers are given, once a zone:
 * for the first of the cluster's node subnets there whose nodes are concerned.
 */
export const versionDependentChoice: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const cni = { ...cluster.cni, cniTag: cluster.cniTag };
    if (cluster.cni.mode === 'auto' || cluster.cni.customNetworking || cniRule(cni) !== undefined) return [];
    const all = rankedSubnets(context, context.subnets.keys());
    const said = new Set<string>();
    const standing = [...cluster.presence].filter(([, { nodes }]) => nodes > 0).map(([subnetId]) => subnetId);
    const nodeSubnets = rankedSubnets(context, new Set([...cluster.nodeSubnets, ...standing])).sort((a, b) =>
      a.subnetId < b.subnetId ? -1 : 1,
    );
    return nodeSubnets.flatMap((node) => {
      if (!isWhole(context.facts, node.vpcId)) return [];
      const byKey = cniSubnetOrder('key', cni, node, all)[0];
      const byValue = cniSubnetOrder('value', cni, node, all)[0];
      const place = `${node.vpcId} ${node.availabilityZoneId}`;
      if (byKey?.subnetId === byValue?.subnetId || said.has(place)) return [];
      said.add(place);
      const { vpcId, availabilityZone: zone, availabilityZoneId: zoneId } = node;
      return [
        finding(
          'CNI_VERSION_DEPENDENT_CHOICE',
          { cluster: cluster.name, zone, zoneId, vpcId },
          {
            severity: 'info',
            observed: byValue?.subnetId ?? null,
            message: `The next interface of a node in ${node.subnetId} goes to ${byKey?.subnetId ?? 'no subnet'} with VPC CNI v1.18 to v1.21, to ${byValue?.subnetId ?? 'no subnet'} from v1.22.1 on. The version of ${cluster.name} is not known.`,
            evidence: {
              pickByKeyOnly: byKey?.subnetId ?? null,
              pickByValueAndCluster: byValue?.subnetId ?? null,
              nodeSubnet: node.subnetId,
              tagKey: cluster.cniTag,
              clusterName: cluster.cni.clusterName,
            },
            remedy:
              'Give the image of the aws-node DaemonSet (kubectl get daemonset aws-node -n kube-system -o json) or the version of the vpc-cni add-on.',
          },
        ),
      ];
    });
  });
