/** How messages name things. */
import { formatCidr } from '../ip/ipv4.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';

/** `1 address`, `2 addresses`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function addresses(n: number): string {
  return count(n, 'address', 'addresses');
}

/** `subnet-0a1b (10.0.4.0/23, us-east-1a)`. */
export function nameOf(subnet: SubnetFacts): string {
  const cidr = subnet.cidr === undefined ? '' : `${formatCidr(subnet.cidr)}, `;
  return `${subnet.subnetId} (${cidr}${subnet.availabilityZone})`;
}

/** `a`, `a and b`, `a, b and c`; of a long list the first few and how many more. */
export function list(items: readonly string[], most = 5): string {
  const shown = items.slice(0, most);
  if (items.length > most) return `${shown.join(', ')} and ${items.length - most} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
