import type { EvidenceValue, Finding } from '../../../contract/finding.ts';
import { isFull } from '../../subnet/ledger.ts';
import type { ClusterModel } from '../cluster-model.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { capacityOf, footprintIn, roomOf } from '../footprint.ts';
import { lowIps, lowPrefixes } from '../low.ts';
import { karpenterPicks } from '../selection/karpenter.ts';
import { rankedSubnets } from '../selection/ranked.ts';
import { inEffect, type StandbyVerdict, standbyVerdicts } from '../standby.ts';
import { isAllThatCounts } from '../whole.ts';
import type { Rule } from './rule.ts';

/** Subnets that are listed under one reason at most; the number is exact beside them. */
const LISTED = 10;

/**
 * `STANDBY_CANDIDATE`, `NO_STANDBY`: for each subnet in trouble, and the cluster that uses it (the first by name, where several do): which subnet could take over,
 * or why each fails. Proposals only: what may be activated is another matter. That there is none is said only where every subnet of the VPC was read.
 */
export const standby: Rule = (context) => {
  const findings: Finding[] = [];
  const effective = inEffect(context);
  for (const view of context.subnets.values()) {
    const cluster = view.clusters.find((one) => inTrouble(context, one, view));
    if (cluster === undefined) continue;
    const verdicts = standbyVerdicts(context, cluster, view, effective);
    const fits = verdicts.some(({ reason }) => reason === undefined);
    if (fits || isAllThatCounts(context.facts, view.facts.vpcId))
      findings.push(standbyFor(cluster, view, verdicts, context));
  }
  return findings;
};

/** Cannot take one more node, or is below a threshold of the cluster's own way of taking addresses. */
function inTrouble(context: AssessContext, cluster: ClusterModel, view: SubnetView): boolean {
  const { ledger, facts } = view;
  if (!ledger.applicable) return false;
  if (ledger.availableIps < lowIps(context, view)) return true;
  const footprint = footprintIn(cluster, facts.subnetId);
  if (footprint !== undefined && capacityOf(roomOf(ledger, 'max'), footprint) === 0) return true;
  const low = cluster.cni.mode === 'prefix' ? lowPrefixes(context, view) : 0;
  return isFull(ledger) && ledger.freePrefixesRange.min < low;
}

function standbyFor(
  cluster: ClusterModel,
  view: SubnetView,
  verdicts: readonly StandbyVerdict[],
  context: AssessContext,
): Finding {
  const fit = verdicts.filter(({ reason }) => reason === undefined);
  const rejected = rejectedByReason(verdicts);
  const { subnetId, availabilityZone: zone } = view.facts;
  const best = fit[0];
  if (best === undefined) {
    return finding(
      'NO_STANDBY',
      { subnet: view.facts, cluster: cluster.name },
      {
        severity: 'info',
        observed: 0,
        message: `No subnet can stand in for ${subnetId} in ${zone}: ${verdicts.length} looked at, ${reasonsInWords(rejected)}.`,
        evidence: { considered: verdicts.length, rejected },
        remedy: `Make a subnet in ${zone} with the same routes, from a secondary CIDR if the VPC has no space left.`,
      },
    );
  }
  const candidate = best.view.facts.subnetId;
  const picked = pickWith(context, cluster, view, best);
  return finding(
    'STANDBY_CANDIDATE',
    { subnet: view.facts, cluster: cluster.name },
    {
      severity: 'info',
      observed: candidate,
      message: `${candidate} could stand in for ${subnetId} in ${zone}: ${availableOf(best.view)} available addresses${
        best.nodes === null ? '' : `, room for ${best.nodes} nodes of ${cluster.name}`
      }.`,
      evidence: {
        candidate,
        candidateAvailableIps: availableOf(best.view),
        candidateNodes: best.nodes,
        markedAsStandby: best.marked,
        alternatives: fit.slice(1, LISTED + 1).map((one) => one.view.facts.subnetId),
        karpenterWouldPickIt: picked,
        rejected,
      },
      remedy: `Tag ${candidate} for ${cluster.name} as its selectors ask. Adding a tag replaces no node.`,
    },
  );
}

function availableOf({ ledger }: SubnetView): number {
  return ledger.applicable ? ledger.availableIps : 0;
}

/** Whether Karpenter, were the candidate selected too, would launch the next node into it; `undefined` where Karpenter launches nothing here. */
function pickWith(
  context: AssessContext,
  cluster: ClusterModel,
  view: SubnetView,
  candidate: StandbyVerdict,
): boolean | undefined {
  const launcher = cluster.launchers.find(
    ({ kind, subnetIds }) => kind === 'karpenter' && subnetIds.includes(view.facts.subnetId),
  );
  if (launcher === undefined) return undefined;
  const { subnetId, availabilityZone } = candidate.view.facts;
  const selected = rankedSubnets(context, [...launcher.subnetIds, subnetId]);
  return karpenterPicks(selected).get(availabilityZone)?.subnetId === subnetId;
}

type Rejected = { readonly [reason: string]: { readonly count: number; readonly subnets: readonly EvidenceValue[] } };

function rejectedByReason(verdicts: readonly StandbyVerdict[]): Rejected {
  const byReason: { [reason: string]: { count: number; subnets: string[] } } = {};
  for (const { reason, view } of verdicts) {
    if (reason === undefined) continue;
    const of = byReason[reason] ?? { count: 0, subnets: [] };
    byReason[reason] = of;
    of.count++;
    if (of.subnets.length < LISTED) of.subnets.push(view.facts.subnetId);
  }
  return byReason;
}

function reasonsInWords(rejected: Rejected): string {
  const parts = Object.entries(rejected).map(([reason, { count }]) => `${count} ${reason}`);
  return parts.length === 0 ? 'there is no other' : parts.join(', ');
}
