/** What an event means, in words for the person on call: what happened, whether it is the subnet, and what to do. */
import type { EventClass } from '../../contract/event-class.ts';
import type { ResolvedEvent } from './resolve.ts';

export interface EventWords {
  /** Goes on from the event's name: `RunInstances: no free address ...`. */
  readonly meaning: string;
  /** Whether the subnet is to blame. */
  readonly subnet: 'yes' | 'no';
  readonly remedy: string;
}

export const EVENT_WORDS: Readonly<Record<EventClass, EventWords>> = {
  IP_EXHAUSTED: {
    meaning: 'refused for want of free addresses',
    subnet: 'yes',
    remedy:
      'Free addresses in the subnet or give its consumers another one: headroom explain SUBNET shows who holds them.',
  },
  PREFIX_EXHAUSTED: {
    meaning: 'refused for want of a whole free /28: the subnet may have many free addresses and still no prefix',
    subnet: 'yes',
    remedy:
      'Do not take the subnet for full: headroom explain SUBNET shows what breaks its blocks. A new subnet with a prefix reservation helps, more single addresses do not.',
  },
  PREFIX_OR_IP_CAPACITY: {
    meaning: 'refused for want of free addresses or of a whole free /28; neither the event nor the ledger says which',
    subnet: 'yes',
    remedy:
      'Read the subnet with its network interfaces (headroom observe --out DIR), then diagnose again with --from DIR.',
  },
  ELB_HEADROOM: {
    meaning: 'refused: a load balancer wants at least 8 free addresses in each of its subnets',
    subnet: 'yes',
    remedy: 'Give the load balancer another subnet of the zone, or free addresses in this one.',
  },
  EKS_UPGRADE_HEADROOM: {
    meaning: 'refused: the control plane wants at least 5 free addresses in its subnets',
    subnet: 'yes',
    remedy: 'Free addresses in the subnet, or register others with the cluster (aws eks update-cluster-config).',
  },
  INSTANCE_ENI_LIMIT: {
    meaning: 'refused by the limit of the instance type or of the network interface',
    subnet: 'no',
    remedy: 'A larger instance type, prefix delegation or a lower warm target helps; a larger subnet does not.',
  },
  CONFIG: {
    meaning: 'refused because the request was wrong',
    subnet: 'no',
    remedy: 'Mend the request: what AWS said names the parameter.',
  },
  CONFIG_IPV6_ONLY_SUBNET: {
    meaning: 'refused because the request wants IPv4 of a subnet that has none',
    subnet: 'no',
    remedy: 'Take the IPv6-only subnet out of what selects it, or ask for IPv6 alone.',
  },
  ACCOUNT_QUOTA: {
    meaning: 'refused by a limit of the account or of the VPC',
    subnet: 'no',
    remedy: 'Ask for a higher quota (Service Quotas), or remove what is not used.',
  },
  SHARED_SUBNET_OWNERSHIP: {
    meaning: 'refused because the resource belongs to another account',
    subnet: 'no',
    remedy: 'Do it in the account that owns the VPC, or ask its owner.',
  },
  PERMISSION: {
    meaning: 'refused because the caller may not',
    subnet: 'no',
    remedy:
      'Look at the policies of the caller, of the organisation and of the resource; aws sts decode-authorization-message opens what EC2 encodes.',
  },
  THROTTLED: {
    meaning: 'refused by the rate limit of the API',
    subnet: 'no',
    remedy: 'It is tried again by itself; if it stays, find who calls so often (CloudTrail, by user agent).',
  },
  API_BLOCKED_UNPAGINATED: {
    meaning: 'refused because the account has so many interfaces that it must ask page by page',
    subnet: 'no',
    remedy: 'The caller must send MaxResults; update the component that made the call.',
  },
  DRY_RUN: { meaning: 'a dry run that would have worked', subnet: 'no', remedy: 'Nothing to do.' },
  NOT_CAPACITY: {
    meaning: 'failed, and not for want of room in a subnet',
    subnet: 'no',
    remedy: 'See what AWS said.',
  },
  NONE: { meaning: 'no failure', subnet: 'no', remedy: 'Nothing to do.' },
};

/** One or two sentences: what the event means, then what AWS said. */
export function eventMessage(event: ResolvedEvent): string {
  const { meaning } = EVENT_WORDS[event.class];
  const name = event.eventName ?? 'The event';
  const where = event.subnets.length === 0 ? '' : ` in ${event.subnets.join(', ')}`;
  return [`${name}${where}: ${meaning}${whatLaunched(event)}.`, ...gaps(event), said(event)].filter(Boolean).join(' ');
}

function whatLaunched({ launched }: ResolvedEvent): string {
  return launched ? '; other instances of the same request did launch' : '';
}

/** What keeps the answer from being whole. */
function gaps(event: ResolvedEvent): readonly string[] {
  const notes: string[] = [];
  if (!event.understood) notes.push('Its shape is not known, so parts of it may have been missed.');
  if (event.omitted) notes.push('CloudTrail left parts of the record out.');
  const unresolved = event.items.flatMap(({ subnets, eniIds }) => (subnets.length === 0 ? eniIds : []));
  if (unresolved.length > 0 && EVENT_WORDS[event.class].subnet === 'yes') {
    notes.push(`The subnet of ${[...new Set(unresolved)].join(', ')} is not known.`);
  }
  const suspects = [...new Set(event.items.flatMap((item) => item.suspects))];
  if (suspects.length > 0) notes.push(`It names none of the subnets that were asked: ${suspects.join(', ')}.`);
  return notes;
}

function said(event: ResolvedEvent): string {
  const item = event.items.find((one) => one.class === event.class && (one.message !== '' || one.code !== undefined));
  if (item === undefined) return '';
  const code = item.code === undefined ? '' : `${item.code}${item.message === '' ? '' : ': '}`;
  return `AWS said: ${code}${item.message}`;
}
