/** Names in plans. Public: `headroom plan --json` prints them, and people read them in messages. */

import type { FindingCode } from './finding.ts';

/** What Headroom never does by itself, whatever the mode: a person does it, with the numbers given. */
export const PROPOSALS = ['newSubnet', 'secondaryCidr', 'smallerWarmPool', 'moveNodeGroup', 'retireSubnet'] as const;
export type Proposal = (typeof PROPOSALS)[number];

/** What must hold for a plan to be carried out, in the order in which it is told. */
export const GUARD_NAMES = [
  /** Everything the decision rests on was read. */
  'facts-read',
  /** Both ends of `freePrefixesRange`, and both counts, decide alike. */
  'facts-certain',
  /** The owner marked the subnet `headroom:standby-for` this cluster. */
  'marked-standby',
  'not-protected',
  /** Whose account the subnet is of is known; another's is tagged only, and by approval only. */
  'owner-known',
  /** VPC, zone, kind of zone, owner, routes and ACL as the subnet in trouble has them. */
  'same-place',
  /** Room for the cluster's way of taking addresses. */
  'enough-room',
  /** A tag decides, and its key is free or already has the value. */
  'tag-free',
  /** The role may write exactly these keys and values, since the configuration names the cluster and its selectors. */
  'configured-cluster',
  /** The consumer's next pick is the subnet that the plan is about. */
  'pick-changes',
  /** Enough single addresses stay outside a reservation. */
  'floor-kept',
  /** The zone keeps a subnet that can serve a node. */
  'zone-kept',
  /** Made by the CNI, unattached, its instance gone, old enough, unprotected. */
  'leak-proven',
  /** Seen leaked twice, with the quarantine time between. */
  'quarantined',
] as const;
export type GuardName = (typeof GUARD_NAMES)[number];

/**
 * What became of a stored plan. `planned`: may be approved (`propose`), is carried out by itself (`auto`), or is only kept (`observe`). `approved`, `undoing`: asked
 * for by a person, not done yet. `applying`: begun; a run that died is gone on with. `applied`: written, read back, and it works. `failed`: not done or without the effect; `rolledBack`: taken back after that.
 * `refused`, `undone`: by a person. `replaced`: the facts changed, another plan stands in its place. `withdrawn`: no longer needed. `expired`: nobody answered in time.
 */
export const PLAN_STATES = [
  'planned',
  'approved',
  'applying',
  'applied',
  'failed',
  'rolledBack',
  'refused',
  'undoing',
  'undone',
  'replaced',
  'withdrawn',
  'expired',
] as const;
export type PlanState = (typeof PLAN_STATES)[number];

/** What a person may answer to a plan: verbs of the CLI, and words of the approve function's request. */
export const PLAN_ANSWERS = ['approve', 'refuse', 'undo'] as const;
export type PlanAnswer = (typeof PLAN_ANSWERS)[number];

/** Findings that a plan may answer: remediate is woken by these. */
export const ANSWERED_CODES = [
  'SUBNET_EXHAUSTED',
  'SUBNET_LOW',
  'SUBNET_BELOW_NODE_MINIMUM',
  'PREFIX_EXHAUSTED',
  'PREFIX_LOW',
  'ZONE_EXHAUSTED',
  'ZONE_LOW',
  'CONSUMER_PREFERS_EXHAUSTED_SUBNET',
  'STANDBY_CANDIDATE',
  'NO_STANDBY',
  'FRAGMENTED',
  'LEAKED_ENI',
  'WARM_POOL_WASTE',
] as const satisfies readonly FindingCode[];
