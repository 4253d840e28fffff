/** What Headroom would do about what it found: decisions with their reason, numbers, guards and the exact writes. Pure data. */
import type { Action, Mode } from '../../contract/modes.ts';
import { GUARD_NAMES, type GuardName, PROPOSALS, type Proposal } from '../../contract/plan.ts';

/** One call that changes EC2. The desired state, not the difference: whoever writes compares first and leaves out what is so already. */
export type Write =
  | {
      readonly kind: 'setTags';
      /** A subnet or network interface id. */
      readonly resourceId: string;
      readonly tags: { readonly [key: string]: string };
      /** A key whose value is the time of the writing, set where it is not there yet. */
      readonly stamp?: string;
    }
  | { readonly kind: 'createReservation'; readonly subnetId: string; readonly cidr: string }
  | { readonly kind: 'deleteInterface'; readonly eniId: string };

/** What must hold for a plan to be carried out. A guard that fails makes the plan a proposal, and says why. */
export interface Guard {
  readonly name: GuardName;
  readonly passed: boolean;
  /** The fact that decided, with its numbers. */
  readonly detail: string;
}

/** What the launchers pick next in the zone, by the rules of the versions in use; `null` where nothing is picked, absent where the consumer is not there. */
export interface Simulation {
  readonly zone: string;
  readonly karpenter?: readonly {
    readonly nodeClass: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly cni?: {
    /** As found; absent where it is not known. */
    readonly version?: string;
    /** Subnet of the node whose next interface is placed. */
    readonly nodeSubnet: string;
    readonly before: string | null;
    readonly after: string | null;
  };
  /** Whether the plan changes the next pick to the subnet it is about. */
  readonly changes: boolean;
}

/** Numbers before and after, by name; `null` where one is not known. */
export interface Effect {
  readonly [name: string]: { readonly before: number | null; readonly after: number | null };
}

export interface Rejected {
  readonly subnetId: string;
  readonly reason: string;
}

/** A decision, before anybody stored it. Equal facts give equal decisions. */
export interface Decision {
  /** Stable for the same decision: action and what it is about, never a number. At most one decision has it. */
  readonly subject: string;
  readonly action: Action | Proposal;
  /** The findings it answers, worst first; never empty. */
  readonly findingIds: readonly string[];
  readonly vpcId: string;
  readonly zone?: string;
  readonly zoneId?: string;
  readonly cluster?: string;
  /** The subnet that is acted on. */
  readonly subnetId?: string;
  /** The subnet in trouble, where that is another one. */
  readonly relieves?: string;
  /** What is done, one or two sentences with the numbers. */
  readonly summary: string;
  readonly reason: string;
  readonly effect: Effect;
  readonly cost: string;
  readonly risk: string;
  readonly undo: string;
  /** In the order of {@link GUARD_NAMES}. */
  readonly guards: readonly Guard[];
  /** What would be written; a plan with a failed guard is not carried out. Empty where it is for a person to do. */
  readonly writes: readonly Write[];
  /** What the mode lets Headroom do with it; never `auto` where a person has to be asked whatever the mode. */
  readonly mode: Mode;
  readonly simulation?: Simulation;
  /** Why each other subnet was not taken. */
  readonly rejected: readonly Rejected[];
  /** Lines for the infrastructure code, so that its next run does not take back what is done here. */
  readonly infrastructureCode: readonly string[];
  /** Commands for a person, where it is for a person to do. */
  readonly commands: readonly string[];
}

/** The guards that failed, if any. */
export function failedGuards({ guards }: Pick<Decision, 'guards'>): readonly Guard[] {
  return guards.filter(({ passed }) => !passed);
}

/** Whether nothing but the mode stands between the decision and its writes. */
export function isReady(decision: Pick<Decision, 'action' | 'guards' | 'writes'>): boolean {
  return isAction(decision.action) && decision.writes.length > 0 && failedGuards(decision).length === 0;
}

/** Puts guards into their one order. */
export function inGuardOrder(guards: readonly Guard[]): readonly Guard[] {
  return [...guards].sort((a, b) => GUARD_NAMES.indexOf(a.name) - GUARD_NAMES.indexOf(b.name));
}

export function guard(name: GuardName, passed: boolean, detail: string): Guard {
  return { name, passed, detail };
}

export function isAction(action: Action | Proposal): action is Action {
  return !(PROPOSALS as readonly string[]).includes(action);
}
