/** How bad it is for a cluster in a zone: the worst finding about it there, less one subnet's shortage that the rest of the zone makes up for (docs/adr/0013). */
import { type Finding, type FindingCode, SEVERITIES, type Severity } from '../../contract/finding.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { capacityOf, footprintIn, roomOf } from './footprint.ts';
import { type ClusterZone, nodeHeadroom } from './headroom.ts';
import { rankedSubnets } from './selection/ranked.ts';
import { cniRule, cniSubnetOrder } from './selection/vpc-cni.ts';
import { thresholdsFor } from './settings.ts';

/** Shortages of one subnet, which another one can make up for. */
const OF_ONE_SUBNET: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'SUBNET_EXHAUSTED',
  'SUBNET_BELOW_NODE_MINIMUM',
  'PREFIX_EXHAUSTED',
]);

/** @param findings about the cluster, of the zone. */
export function zoneSeverity(
  context: AssessContext,
  cluster: ClusterModel,
  zone: ClusterZone,
  findings: readonly Finding[],
): Severity | 'fine' {
  const severities = new Set(
    findings.map((one) =>
      one.severity === 'critical' && isMadeUpFor(context, cluster, zone, one) ? 'warning' : one.severity,
    ),
  );
  return SEVERITIES.find((severity) => severities.has(severity)) ?? 'fine';
}

/**
 * Whether nobody of the cluster has to wait for the subnet: its launchers, by their own choice and at the worse end of every range, bring up as many nodes
 * elsewhere in the zone as keep it from being low, and running nodes of the subnet get their next interface elsewhere too. What is not known makes up for nothing.
 */
function isMadeUpFor(
  context: AssessContext,
  cluster: ClusterModel,
  zone: ClusterZone,
  { code, subnetId }: Finding,
): boolean {
  if (!OF_ONE_SUBNET.has(code)) return false;
  const view = zone.views.find(({ facts }) => facts.subnetId === subnetId);
  if (view === undefined) return false;
  const where = { cluster: cluster.name, zone: zone.zone, zoneId: zone.zoneId };
  const nodes = nodeHeadroom(cluster, zone, 'min');
  if (nodes === null || nodes < thresholdsFor(context.settings, where).zoneLowNodes) return false;
  return !cluster.presence.has(view.facts.subnetId) || podsGoElsewhere(context, cluster, view);
}

/** The VPC CNI skips an interface whose subnet is short and makes a new one where its discovery says (amazon-vpc-cni-k8s `pkg/ipamd/ipamd.go`, `increaseDatastorePool`). */
function podsGoElsewhere(context: AssessContext, cluster: ClusterModel, { facts, ledger }: SubnetView): boolean {
  const cni = { ...cluster.cni, cniTag: cluster.cniTag };
  const rule = cluster.cni.mode === 'auto' ? undefined : cniRule(cni);
  if (rule === undefined || !ledger.applicable) return false;
  const [first] = cniSubnetOrder(rule, cni, facts, rankedSubnets(context, context.subnets.keys()));
  const next =
    first === undefined || first.subnetId === facts.subnetId ? undefined : context.subnets.get(first.subnetId);
  const footprint = next === undefined ? undefined : footprintIn(cluster, next.facts.subnetId);
  if (next === undefined || footprint === undefined) return false;
  return (capacityOf(roomOf(next.ledger, 'min'), footprint) ?? 0) > 0;
}
