/** Numbers of the ledger in words: one place decides how sure a number is said. */
import type { DocumentSubnet } from '../../contract/document.ts';
import { count, counted } from './layout.ts';

export type FullSubnet = Extract<DocumentSubnet, { readonly freePrefixes: number }>;
export type AnySubnet = DocumentSubnet;

export function isFullSubnet(subnet: DocumentSubnet): subnet is FullSubnet {
  return subnet.applicable && subnet.confidence !== 'counts-only';
}

/** `12`, or `0-5` where the truth lies in a range. */
export function prefixRange({ freePrefixesRange: { min, max } }: FullSubnet): string {
  return min === max ? count(min) : `${count(min)}-${count(max)}`;
}

/** EC2's count, of the usable addresses: `377 of 507`. */
export function availableWords(subnet: DocumentSubnet): string {
  return subnet.applicable ? `${count(subnet.availableIps)} of ${count(subnet.usableIps)}` : 'no IPv4';
}

/** Whole free /28s, of those that packing would give: `0 of 23`. `?` where no interface could be read. */
export function prefixWords(subnet: DocumentSubnet): string {
  if (!subnet.applicable) return '-';
  return isFullSubnet(subnet) ? `${prefixRange(subnet)} of ${count(subnet.bestCaseFreePrefixes)}` : '?';
}

export function confidenceWord(subnet: DocumentSubnet): string {
  return subnet.applicable ? subnet.confidence : '-';
}

/** The ledger as sentences, each of which stands alone. */
export function ledgerSentences(subnet: DocumentSubnet): string[] {
  if (!subnet.applicable)
    return ['This subnet has no IPv4 addresses: no count of IPv4 addresses or /28 blocks applies to it.'];
  if (!isFullSubnet(subnet)) {
    return [
      `${count(subnet.usableIps)} usable addresses, ${count(subnet.availableIps)} available by EC2's count.`,
      'Who holds the others, and how many whole /28 are free, is not known: its network interfaces were not read.',
    ];
  }
  return [balance(subnet), ...reserved(subnet), prefixes(subnet), ...stranded(subnet), ...doubt(subnet)];
}

function balance(subnet: FullSubnet): string {
  const { usableIps, usedIps, freeIps, availableIps } = subnet;
  return `${count(usableIps)} usable = ${count(usedIps)} used + ${count(freeIps)} free. EC2 shows ${count(availableIps)} available.`;
}

function reserved({ reservedFreeIps }: FullSubnet): string[] {
  if (reservedFreeIps === null)
    return ['CIDR reservations could not be read: free addresses inside them are not told apart.'];
  const { prefix, explicit } = reservedFreeIps;
  if (prefix === 0 && explicit === 0) return [];
  return [
    `Of the free ones ${count(prefix)} lie in prefix reservations and ${count(explicit)} in explicit ones; EC2's count leaves them out.`,
  ];
}

function prefixes(subnet: FullSubnet): string {
  const { bestCaseFreePrefixes: best, fragmentation, freePrefixesRange } = subnet;
  const { min, max } = freePrefixesRange;
  const found =
    min === max ? counted(min, 'whole /28', 'whole /28') : `Between ${count(min)} and ${count(max)} whole /28`;
  const packed = `packing the same holders would give ${count(best)}`;
  const scatter = fragmentation === null ? '' : ` (fragmentation ${Math.round(fragmentation * 100)} %)`;
  return `${found} free for prefixes; ${packed}${scatter}.`;
}

function stranded({ strandedIps, confidence }: FullSubnet): string[] {
  if (strandedIps <= 0 || confidence !== 'exact') return [];
  return [
    `${counted(strandedIps, 'free address', 'free addresses')} of no use to prefix delegation: not in a whole free /28.`,
  ];
}

function doubt(subnet: FullSubnet): string[] {
  const { confidence, unaccountedIps, skewIps, freePrefixes } = subnet;
  if (confidence === 'exact') return [];
  if (confidence === 'skewed') {
    const released = counted(skewIps, 'address was', 'addresses were');
    return [`Not exact: ${released} released between reading the count and the interfaces.`];
  }
  const hidden = counted(unaccountedIps, 'address', 'addresses');
  return [
    `Not exact: EC2 counts ${hidden} as taken that no visible interface holds. By what can be seen ${count(freePrefixes)} /28 are free; ` +
      'the hidden ones may lie in any of them.',
  ];
}
