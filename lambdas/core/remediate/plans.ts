/** Plans: for what was found, the best action each, with everything that speaks for and against it. Pure: equal facts give equal decisions. */
import type { Finding, FindingCode } from '../../contract/finding.ts';
import { ANSWERED_CODES } from '../../contract/plan.ts';
import { assessContext } from '../assess/assess.ts';
import type { AssessContext } from '../assess/context.ts';
import { compareText, severityRank } from '../assess/finding.ts';
import { unattachedSorter } from '../assess/unattached.ts';
import { activateStandby, candidatesFor } from './activate-standby.ts';
import { occupancyOf } from './afterwards.ts';
import { cleanLeakedEnis } from './clean-enis.ts';
import { placeOf, type RoomNeed, roomNeeds } from './need.ts';
import { type Decision, type Guard, guard, inGuardOrder, isAction } from './plan.ts';
import { moveNodeGroup, newRoom, retireSubnet, smallerWarmPool } from './proposals.ts';
import { reservePrefixes } from './reserve-prefixes.ts';
import { PLAN_DEFAULTS, type PlanSettings } from './settings.ts';

/** Findings with an answer of their own; all others of {@link ANSWERED_CODES} are answered by more room in the zone. */
const OTHERWISE: ReadonlySet<FindingCode> = new Set(['FRAGMENTED', 'LEAKED_ENI', 'WARM_POOL_WASTE']);
const WANTS_ROOM: ReadonlySet<FindingCode> = new Set(ANSWERED_CODES.filter((code) => !OTHERWISE.has(code)));

export interface PlanInput {
  readonly context: AssessContext;
  /** Of the same context. */
  readonly findings: readonly Finding[];
  readonly settings?: PlanSettings;
  /** Whether a plan about a cluster's zone (`cluster/vpc/zone id`) is open: for hysteresis. */
  readonly open?: (place: string) => boolean;
}

/**
 * Every decision, the most urgent first: by the worst finding it answers, actions before proposals, then by subject.
 *
 * Where EC2 gave two counts, the decisions are made by each; one that is not the same by both fails `facts-certain`.
 */
export function decide(input: PlanInput): readonly Decision[] {
  const decisions = decideBy(input);
  const other = otherCounts(input.context);
  if (other === undefined) return decisions;
  const again = new Map(decideBy({ ...input, context: other }).map((decision) => [decision.subject, decision]));
  return decisions.map((decision) => {
    const twin = again.get(decision.subject);
    if (twin !== undefined && JSON.stringify(twin.writes) === JSON.stringify(decision.writes)) return decision;
    return isAction(decision.action) ? doubted(decision) : decision;
  });
}

function doubted(decision: Decision): Decision {
  const doubt: Guard = guard('facts-certain', false, 'EC2’s counts before and after the read lead to different plans');
  return { ...decision, guards: inGuardOrder([...decision.guards.filter(({ name }) => name !== doubt.name), doubt]) };
}

/** The same region by the count that was read first, where EC2's counts moved during the read. */
function otherCounts(context: AssessContext): AssessContext | undefined {
  const { enis, facts } = context;
  if (enis.state === 'absent' || enis.availableIpsAfter === undefined) return undefined;
  const counts = enis.availableIpsAfter;
  const moved = facts.subnets.some(
    ({ subnetId, availableIps }) => (counts.get(subnetId) ?? availableIps) !== availableIps,
  );
  if (!moved) return undefined;
  // Whichever count was believed, the other is looked at too.
  const other = facts.subnets.map((subnet) => {
    const ledger = context.subnets.get(subnet.subnetId)?.ledger;
    const after = counts.get(subnet.subnetId) ?? subnet.availableIps;
    const believedAfter = ledger?.applicable === true && ledger.availableIps === after;
    return { ...subnet, availableIps: believedAfter ? subnet.availableIps : after };
  });
  const { availableIpsAfter: _, ...once } = enis;
  return assessContext({ ...facts, subnets: other }, once, occupancyOf(context), context.settings);
}

function decideBy({ context, findings, settings = PLAN_DEFAULTS, open }: PlanInput): readonly Decision[] {
  const decisions = [
    ...room(context, findings, settings, open),
    ...fragmented(context, findings, settings),
    ...leaked(context, findings, settings),
    ...warmPools(context, findings),
  ];
  return inOrder(noneTwice(decisions), findings);
}

function room(
  context: AssessContext,
  findings: readonly Finding[],
  settings: PlanSettings,
  open: PlanInput['open'],
): Decision[] {
  return roomNeeds(context, open).flatMap((need) => {
    const ids = findingsOfNeed(findings, need);
    if (ids.length === 0) return [];
    const candidates = candidatesFor(context, need);
    const activation = activateStandby(context, settings, need, ids, candidates);
    const move = moveNodeGroup(need, ids, candidates.fit[0]?.view);
    if (activation === undefined)
      return [newRoom(context, need, ids, candidates.rejected), ...(move === undefined ? [] : [move])];
    return [
      ...(activation.writes.length === 0 && move !== undefined ? [] : [activation]),
      ...(move === undefined ? [] : [move]),
    ];
  });
}

/** What was found about the cluster's zone, or about one of its subnets there. */
function findingsOfNeed(findings: readonly Finding[], { cluster, zone }: RoomNeed): string[] {
  const subnets = new Set(zone.views.map(({ facts }) => facts.subnetId));
  return findings
    .filter((one) => {
      if (!WANTS_ROOM.has(one.code) || (one.cluster !== undefined && one.cluster !== cluster.name)) return false;
      if (one.subnetId !== undefined) return subnets.has(one.subnetId);
      return one.zoneId === zone.zoneId && one.vpcId === zone.vpcId;
    })
    .map(({ id }) => id);
}

/** A reservation somewhere in the zone keeps what is whole; retiring the subnet gets back what is not. */
function fragmented(context: AssessContext, findings: readonly Finding[], settings: PlanSettings): Decision[] {
  return findings.flatMap(({ code, id, subnetId }) => {
    const view = code === 'FRAGMENTED' ? context.subnets.get(subnetId ?? '') : undefined;
    const cluster = view?.clusters.find(({ cni }) => cni.mode === 'prefix');
    if (view === undefined || cluster === undefined) return [];
    const reserve = reservePrefixes(context, settings, cluster, view, [id]);
    const retire = retireSubnet(context, cluster, view, [id]);
    return [reserve, retire].filter((one) => one !== undefined);
  });
}

function leaked(context: AssessContext, findings: readonly Finding[], settings: PlanSettings): Decision[] {
  const sort = unattachedSorter(context);
  return findings.flatMap(({ code, id, subnetId }) => {
    const view = code === 'LEAKED_ENI' ? context.subnets.get(subnetId ?? '') : undefined;
    const decision = view === undefined ? undefined : cleanLeakedEnis(context, settings, view, sort(view), [id]);
    return decision === undefined ? [] : [decision];
  });
}

/** The nodes that the finding counted decide whose settings these are; those of Auto Mode have none. */
function warmPools(context: AssessContext, findings: readonly Finding[]): Decision[] {
  return findings.flatMap(({ code, id, subnetId, evidence }) => {
    const view = code === 'WARM_POOL_WASTE' ? context.subnets.get(subnetId ?? '') : undefined;
    const { warmIpTarget, minimumIpTarget, clusters } = evidence;
    const cluster = context.clusters.find(
      ({ name, cni }) => cni.mode !== 'auto' && Array.isArray(clusters) && clusters.includes(name),
    );
    if (view === undefined || cluster === undefined) return [];
    if (typeof warmIpTarget !== 'number' || typeof minimumIpTarget !== 'number') return [];
    return [
      smallerWarmPool(
        cluster,
        view,
        [id],
        { ips: Number(evidence.ips ?? 0), nodes: Number(evidence.count ?? 0) },
        { warmIpTarget, minimumIpTarget },
      ),
    ];
  });
}

/** Several findings may lead to one decision: it answers them all. Never two actions on one subnet: the first stands, and it is the more urgent one. */
function noneTwice(decisions: readonly Decision[]): Decision[] {
  const bySubject = new Map<string, Decision>();
  const acted = new Set<string>();
  for (const decision of decisions) {
    const same = bySubject.get(decision.subject);
    if (same !== undefined) {
      const findingIds = [...new Set([...same.findingIds, ...decision.findingIds])];
      bySubject.set(decision.subject, { ...same, findingIds });
      continue;
    }
    const subnet = decision.action === 'cleanLeakedEnis' || !isAction(decision.action) ? undefined : decision.subnetId;
    if (subnet !== undefined && acted.has(subnet)) continue;
    if (subnet !== undefined) acted.add(subnet);
    bySubject.set(decision.subject, decision);
  }
  return [...bySubject.values()];
}

function inOrder(decisions: readonly Decision[], findings: readonly Finding[]): Decision[] {
  const rank = new Map(findings.map(({ id, severity }) => [id, severityRank(severity)]));
  const worst = ({ findingIds }: Decision) =>
    Math.min(...findingIds.map((id) => rank.get(id) ?? Number.MAX_SAFE_INTEGER));
  return [...decisions].sort(
    (a, b) =>
      worst(a) - worst(b) ||
      Number(isAction(b.action)) - Number(isAction(a.action)) ||
      compareText(a.subject, b.subject),
  );
}

/** The place whose need a decision answers; `undefined` where it answers none. */
export function placeOfDecision({ cluster, vpcId, zoneId }: Decision): string | undefined {
  return cluster === undefined || zoneId === undefined ? undefined : placeOf({ name: cluster }, { vpcId, zoneId });
}
