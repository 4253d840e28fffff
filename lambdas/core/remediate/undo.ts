/** Taking back: whether it is safe, and what it would cost. Never automatic once a consumer may have acted on what was done. */

import type { AssessContext } from '../assess/context.ts';
import { clusterZones, nodeHeadroom } from '../assess/headroom.ts';
import { untagEffect } from '../assess/untag.ts';
import { count } from '../assess/words.ts';
import type { Decision } from './plan.ts';

/** What one write changed, so that it can be changed back. `null`: the key was not there. */
export type Change =
  | {
      readonly kind: 'tags';
      readonly resourceId: string;
      readonly written: { readonly [key: string]: string };
      readonly previous: { readonly [key: string]: string | null };
    }
  | { readonly kind: 'reservation'; readonly subnetId: string; readonly cidr: string; readonly reservationId: string }
  | { readonly kind: 'interface'; readonly eniId: string };

/** The undo ledger of a plan. */
export interface UndoLedger {
  readonly vpcId: string;
  /** Epoch milliseconds of the first write. */
  readonly at: number;
  readonly changes: readonly Change[];
}

export interface UndoVerdict {
  readonly safe: boolean;
  readonly why: string;
  /** Nodes that Karpenter would replace; `null` where that is not known. */
  readonly nodes: number | null;
}

/** @param context of a fresh reading. */
export function undoVerdict(context: AssessContext, decision: Decision, changes: readonly Change[]): UndoVerdict {
  switch (decision.action) {
    case 'activateStandby':
      return activationVerdict(context, decision, changes);
    case 'cleanLeakedEnis':
      return changes.some(({ kind }) => kind === 'interface')
        ? { safe: false, why: 'deleted interfaces are gone: there is nothing to take back', nodes: 0 }
        : { safe: true, why: 'a tag on interfaces that nobody uses', nodes: 0 };
    case 'reservePrefixes':
      return { safe: true, why: 'deleting a reservation takes nothing from anybody', nodes: 0 };
    default:
      return { safe: false, why: 'Headroom did nothing that could be taken back', nodes: 0 };
  }
}

function activationVerdict(
  context: AssessContext,
  { subnetId = '', cluster = '' }: Decision,
  changes: readonly Change[],
): UndoVerdict {
  const view = context.subnets.get(subnetId);
  const owner = context.clusters.find(({ name }) => name === cluster);
  if (view === undefined || owner === undefined)
    return { safe: true, why: 'the subnet or the cluster is gone', nodes: 0 };
  if (view.ledger.applicable && view.occupancy === undefined) {
    return {
      safe: false,
      why: 'its interfaces could not be read: whether a node or a pod stands there is not known',
      nodes: null,
    };
  }
  // Only what Headroom wrote goes: who finds the subnet by other tags goes on finding it.
  const keys = changes.flatMap((one) =>
    one.kind === 'tags' && one.resourceId === subnetId ? Object.keys(one.written) : [],
  );
  const effect = untagEffect(context, subnetId, keys);
  const use = owner.presence.get(subnetId);
  const standing = use?.nodes ?? 0;
  if (effect?.replaced === null) {
    return {
      safe: false,
      why: 'the instances could not be read: how many nodes would be replaced is not known',
      nodes: null,
    };
  }
  // Nodes that carry no Karpenter tag are not counted as replaced, and stand there all the same.
  const nodes = Math.max(effect?.replaced ?? 0, standing);
  if (nodes > 0) {
    return {
      safe: false,
      why: `${count(nodes, 'node')} of ${cluster} would drift: Karpenter would replace ${nodes === 1 ? 'it' : 'them'}`,
      nodes,
    };
  }
  if ((use?.podInterfaces ?? 0) > 0) {
    return {
      safe: false,
      why: `${count(use?.podInterfaces ?? 0, 'interface')} of pods of ${cluster} stand there`,
      nodes: 0,
    };
  }
  const zone = clusterZones(owner, context.subnets).find(
    ({ vpcId, zoneId }) => vpcId === view.facts.vpcId && zoneId === view.facts.availabilityZoneId,
  );
  const others = zone?.views.filter((one) => one !== view) ?? [];
  // Nothing of the others takes a node, or nobody knows whether it does: `null` is no room to rely on.
  if (zone !== undefined && (nodeHeadroom(owner, { ...zone, views: others }, 'min') ?? 0) === 0) {
    return { safe: false, why: `${zone.zone} would have no subnet left that can take a node of ${cluster}`, nodes: 0 };
  }
  return { safe: true, why: `no node of ${cluster} stands in ${subnetId}`, nodes: 0 };
}
