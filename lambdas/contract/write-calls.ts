/** Every call that changes EC2, with the permission it needs and the action it is for. The one source of the remediator's role and of docs/permissions.md. */
import type { Action } from './modes.ts';

export interface WriteCall {
  /** IAM action. */
  readonly permission: string;
  /** The actions that make it, to do or to undo. */
  readonly actions: readonly Action[];
  readonly why: string;
}

const calls = {
  'ec2:CreateTags': {
    permission: 'ec2:CreateTags',
    actions: ['activateStandby', 'cleanLeakedEnis'],
    why: 'open a standby subnet; put a leaked interface into quarantine',
  },
  'ec2:DeleteTags': {
    permission: 'ec2:DeleteTags',
    actions: ['activateStandby', 'cleanLeakedEnis'],
    why: 'take such a tag back, where it still has the value that was written',
  },
  'ec2:CreateSubnetCidrReservation': {
    permission: 'ec2:CreateSubnetCidrReservation',
    actions: ['reservePrefixes'],
    why: 'keep single addresses out of a range',
  },
  'ec2:DeleteSubnetCidrReservation': {
    permission: 'ec2:DeleteSubnetCidrReservation',
    actions: ['reservePrefixes'],
    why: 'take a reservation of Headroom’s own back',
  },
  'ec2:DeleteNetworkInterface': {
    permission: 'ec2:DeleteNetworkInterface',
    actions: ['cleanLeakedEnis'],
    why: 'delete a leaked interface after its quarantine',
  },
} as const satisfies { readonly [call: string]: WriteCall };

export type WriteCallName = keyof typeof calls;
export const WRITE_CALLS: { readonly [name in WriteCallName]: WriteCall } = calls;

/** The IAM actions that an enabled action needs to change EC2. */
export function writePermissions(action: Action): readonly string[] {
  return Object.values(WRITE_CALLS)
    .filter(({ actions }) => actions.includes(action))
    .map(({ permission }) => permission);
}

/** Begins the description of every reservation that Headroom makes. */
export const RESERVATION_DESCRIPTION = 'headroom: whole /28s for prefix delegation';
