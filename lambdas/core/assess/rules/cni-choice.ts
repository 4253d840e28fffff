/** Findings about the subnet that the VPC CNI draws from, where its settings leave it no other. */
import type { SubnetFacts } from '../../subnet/snapshot.ts';
import type { ClusterModel, Footprint } from '../cluster-model.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { capacityOf, roomOf } from '../footprint.ts';
import { listOf } from '../readings.ts';
import { cniRule, isCandidate } from '../selection/vpc-cni.ts';
import type { Rule } from './rule.ts';

/** The least that the CNI asks for, after it was refused all that it wanted (amazon-vpc-cni-k8s `pkg/ipamd/ipamd.go`); and an interface to put it on. */
const LEAST: { readonly [mode: string]: { readonly more: Footprint; readonly elsewhere: Footprint } } = {
  prefix: { more: { ips: 0, prefixes: 1 }, elsewhere: { ips: 1, prefixes: 1 } },
  'secondary-ip': { more: { ips: 1, prefixes: 0 }, elsewhere: { ips: 2, prefixes: 0 } },
};

interface Bound {
  readonly picked: SubnetView;
  /** Why nothing else is tried, as a part of a sentence. */
  readonly because: string;
  readonly remedy: (other: string) => string;
}

/**
 * `CONSUMER_PREFERS_EXHAUSTED_SUBNET` for the VPC CNI: with subnet discovery off, or custom networking on, it tries one subnet and no other, and that one has
 * nothing left, while a subnet of the zone that carries the CNI's tag has room. With discovery on it goes on to the next subnet by itself, and nothing is said.
 */
export const cniBoundToExhaustedSubnet: Rule = (context) =>
  context.clusters.flatMap((cluster) => {
    const least = LEAST[cluster.cni.mode];
    if (least === undefined || cluster.facts?.ipFamily === 'ipv6') return [];
    return boundSubnets(context, cluster).flatMap(({ picked, because, remedy }) => {
      if (capacityOf(roomOf(picked.ledger, 'max'), least.more) !== 0) return [];
      const other = openedElsewhere(context, cluster, picked.facts, least.elsewhere);
      if (other === undefined) return [];
      const { subnetId, availabilityZone: zone } = picked.facts;
      const should = other.facts.subnetId;
      const what = least.more.prefixes > 0 ? 'free /28' : 'free address';
      return [
        finding(
          'CONSUMER_PREFERS_EXHAUSTED_SUBNET',
          { subnet: picked.facts, cluster: cluster.name, part: 'vpc-cni' },
          {
            severity: 'critical',
            observed: 0,
            message: `The VPC CNI of ${cluster.name} takes pod addresses in ${zone} from ${subnetId} alone, which has no ${what}: ${because}. ${should} is tagged ${cluster.cniTag} and has room, and is never tried.`,
            evidence: {
              consumer: 'vpc-cni',
              picked: subnetId,
              shouldPick: should,
              pickedAvailableIps: availableOf(picked),
              shouldPickAvailableIps: availableOf(other),
              because,
              mode: cluster.cni.mode,
            },
            remedy: remedy(should),
          },
        ),
      ];
    });
  });

/** The subnets from which the CNI draws whatever they hold; empty where it goes on to others, or its version is not known. */
function boundSubnets(context: AssessContext, cluster: ClusterModel): readonly Bound[] {
  const { cni, kubernetes, presence } = cluster;
  const views = (ids: Iterable<string>) =>
    [...new Set(ids)].sort(compareText).flatMap((id) => context.subnets.get(id) ?? []);
  if (cni.customNetworking) {
    const configs = views(listOf(kubernetes?.eniConfigs).map(({ subnetId }) => subnetId));
    // Of several ENIConfigs in a zone a label of the node picks: which one, the files do not say.
    const alone = configs.filter(({ facts }) => configs.filter((one) => sameZone(one.facts, facts)).length === 1);
    return alone.map((picked) => ({
      picked,
      because: 'custom networking takes the subnet of the ENIConfig, whatever its tags say',
      remedy: (other) =>
        `Name ${other} in the ENIConfig of ${picked.facts.availabilityZone}; nodes that start after that use it.`,
    }));
  }
  if (cniRule(cni) !== 'off') return [];
  const because =
    cni.env.get('ENABLE_SUBNET_DISCOVERY') === undefined
      ? `v${cni.version} of the CNI does not discover subnets`
      : 'subnet discovery is off (ENABLE_SUBNET_DISCOVERY)';
  const standing = [...presence].filter(([, { nodes }]) => nodes > 0).map(([subnetId]) => subnetId);
  return views(standing).map((picked) => ({
    picked,
    because,
    remedy: () =>
      'Turn subnet discovery on (VPC CNI v1.18 or later, ENABLE_SUBNET_DISCOVERY=true). Interfaces that exist stay where they are: nodes that have all their interfaces must be replaced.',
  }));
}

/** The roomiest subnet of the zone that somebody opened to the CNI by its tag, by the rule of the newest versions. */
function openedElsewhere(
  context: AssessContext,
  cluster: ClusterModel,
  picked: SubnetFacts,
  footprint: Footprint,
): SubnetView | undefined {
  const cni = { ...cluster.cni, cniTag: cluster.cniTag };
  return [...context.subnets.values()]
    .filter(
      ({ facts }) =>
        facts.subnetId !== picked.subnetId && sameZone(facts, picked) && isCandidate('value', cni, facts, ''),
    )
    .map((view) => ({ view, room: capacityOf(roomOf(view.ledger, 'min'), footprint) ?? 0 }))
    .filter(({ room }) => room > 0)
    .sort((a, b) => b.room - a.room || compareText(a.view.facts.subnetId, b.view.facts.subnetId))[0]?.view;
}

function sameZone(a: SubnetFacts, b: SubnetFacts): boolean {
  return a.vpcId === b.vpcId && a.availabilityZoneId === b.availabilityZoneId;
}

function availableOf({ ledger }: SubnetView): number {
  return ledger.applicable ? ledger.availableIps : 0;
}
