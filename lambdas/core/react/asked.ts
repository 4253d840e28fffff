/** What a call asked a subnet for: that decides between addresses and prefixes where the error does not. */
import { at, countOf, membersOf } from './json.ts';

/** Counts of what was asked for; both 0 is "not known". */
export interface Asked {
  /** Single IPv4 addresses, the first one of a new interface included. */
  readonly addresses: number;
  /** /28 prefixes. */
  readonly prefixes: number;
}

export const NOT_KNOWN: Asked = { addresses: 0, prefixes: 0 };

/** Calls that make an interface, which takes a single address before anything else. */
const MAKES_INTERFACE: ReadonlySet<string> = new Set(['CreateNetworkInterface']);

/** What the request of a failed EC2 call asks for. A request of which CloudTrail left parts out asks for what is not known. */
export function askedBy(eventName: string, request: unknown): Asked {
  if (at(request, 'omitted') === true) return NOT_KNOWN;
  if (eventName === 'RunInstances') {
    const interfaces = membersOf(at(request, 'networkInterfaceSet'));
    const prefixes = sum(interfaces, prefixesOf);
    // Each instance takes one address for itself; how many instances were wanted does not matter to the choice.
    return prefixes > 0 ? { addresses: 1, prefixes } : NOT_KNOWN;
  }
  const prefixes = prefixesOf(request);
  const addresses = singlesOf(request) + (MAKES_INTERFACE.has(eventName) ? 1 : 0);
  return { addresses, prefixes };
}

function prefixesOf(request: unknown): number {
  return (
    countOf(at(request, 'ipv4PrefixCount')) ?? listed(request, ['ipv4PrefixSet', 'ipv4Prefixes', 'ipv4PrefixesSet'])
  );
}

function singlesOf(request: unknown): number {
  return countOf(at(request, 'secondaryPrivateIpAddressCount')) ?? listed(request, ['privateIpAddressesSet']);
}

function listed(request: unknown, names: readonly string[]): number {
  return sum(names, (name) => membersOf(at(request, name)).length);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
