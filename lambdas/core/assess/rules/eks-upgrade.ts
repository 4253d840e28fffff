import type { Finding } from '../../../contract/finding.ts';
import type { ClusterFacts } from '../../subnet/snapshot.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { reportedByEks } from '../health.ts';
import { thresholdsFor } from '../settings.ts';
import { addresses, list, nameOf } from '../words.ts';

/** `EKS_UPGRADE_BLOCKED`: too few addresses for the control plane's interfaces in a subnet that is registered with a cluster. */
export function eksUpgrade(context: AssessContext): readonly Finding[] {
  const { clusters } = context.facts;
  if (clusters.state === 'absent') return [];
  const registered = new Map<string, ClusterFacts[]>();
  for (const cluster of clusters.value) {
    for (const subnetId of new Set(cluster.subnetIds))
      registered.set(subnetId, [...(registered.get(subnetId) ?? []), cluster]);
  }
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const blocked = inSubnet(context, view, registered.get(view.facts.subnetId) ?? []);
    if (blocked !== undefined) findings.push(blocked);
  }
  return findings;
}

function inSubnet(context: AssessContext, view: SubnetView, registered: readonly ClusterFacts[]): Finding | undefined {
  const { ledger } = view;
  if (!ledger.applicable) return undefined;
  const { subnetId, availabilityZone: zone, availabilityZoneId: zoneId } = view.facts;
  const free = ledger.availableIps;
  // A cluster's own thresholds hold even where no node of it may use the subnet.
  const blocked = registered
    .map(({ name }) => {
      const need = thresholdsFor(context.settings, { cluster: name, subnetId, zone, zoneId }).eksUpgradeFreeIps;
      return { name, need };
    })
    .filter(({ need }) => free < need)
    .sort((a, b) => b.need - a.need || compareText(a.name, b.name));
  const [strictest] = blocked;
  if (strictest === undefined) return undefined;
  const { need } = strictest;
  const upTo = blocked.some((one) => one.need !== need) ? 'up to ' : '';
  const names = blocked.map(({ name }) => name).sort(compareText);
  return finding(
    'EKS_UPGRADE_BLOCKED',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: free,
      threshold: need,
      message: `${addresses(free)} of ${nameOf(view.facts)} ${free === 1 ? 'is' : 'are'} available; an upgrade of ${list(names)} asks for ${upTo}${need} in each registered subnet, since new control-plane interfaces come before the old ones go.`,
      evidence: { free, need, clusters: names, eksSays: reportedByEks(context, subnetId) },
      remedy: `Free ${addresses(need - free)} here, or register a roomier subnet of the same zone before upgrading: aws eks update-cluster-config --name ${strictest.name} --resources-vpc-config subnetIds=...`,
    },
  );
}
