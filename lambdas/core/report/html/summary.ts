/** What a reader gets to know in the first five seconds. */
import type { HeadroomDocument } from '../../../contract/document.ts';
import { count, counted } from '../layout.ts';
import { isFullSubnet } from '../ledger-words.ts';
import type { Rank } from '../ranked.ts';
import type { PageData, PageSubnet } from './page-data.ts';

/** Lines of what runs out first: more are not read at a glance, and the table below has them all. */
const FIRST_LINES = 8;

/** How it stands, and where it is worst. */
export function verdictSentence({ subnets, findings = [] }: HeadroomDocument, data: PageData): string {
  if (subnets.length === 0) return 'There is no subnet in scope.';
  const [worst] = data.subnets;
  const critical = findings.filter(({ severity }) => severity === 'critical').length;
  if (worst === undefined || worst.rank === 'ok') {
    return `Nothing is wrong in ${counted(subnets.length, 'subnet')}.`;
  }
  const head = critical > 0 ? `${counted(critical, 'critical finding')}.` : 'Nothing is critical.';
  return `${head} Worst is ${named(worst)} in ${worst.zone}: ${room(worst)}.`;
}

function named({ name, id }: PageSubnet): string {
  return name === '' ? id : `${name} (${id})`;
}

/** The two numbers that tell most. */
function room({ availableIps, usableIps, prefixWords, freePrefixes }: PageSubnet): string {
  if (availableIps === null || usableIps === null) return 'no IPv4 addresses';
  const addresses = `${count(availableIps)} of ${count(usableIps)} addresses free`;
  if (freePrefixes === null) return `${addresses}, and its /28 blocks are not known`;
  if (freePrefixes === 0) return `${addresses}, and not one whole /28`;
  return `${addresses}, ${prefixWords} /28 free`;
}

export interface FirstLine {
  readonly rank: Rank;
  readonly text: string;
}

/** For the clusters and zones that have the least room: how much is left, and which subnet runs out first. */
export function firstLines(data: PageData): readonly FirstLine[] {
  const rooms = data.rooms.length > 0 ? data.rooms : data.zones;
  return rooms.slice(0, FIRST_LINES).map(({ rank, cluster, zone, nodes, freePrefixes, availableIps, first }) => {
    const parts = [
      ...(nodes === null ? [] : [`room for ${counted(nodes, 'more node')}`]),
      ...(freePrefixes === null ? [] : [`${count(freePrefixes)} /28`]),
      ...(availableIps === null ? [] : [counted(availableIps, 'address', 'addresses')]),
    ];
    const subnet = data.subnets[first];
    const where = cluster === '' ? zone : `${cluster} in ${zone}`;
    const left = parts.length === 0 ? 'room not known' : parts.join(', ');
    return {
      rank,
      text: `${where}: ${left}${subnet === undefined ? '' : `; first to run out: ${subnet.name || subnet.id}`}`,
    };
  });
}

/** How far the numbers can be trusted. */
export function confidenceSentence({ subnets }: HeadroomDocument): string {
  const numbers = subnets.filter((subnet) => subnet.applicable);
  if (numbers.length === 0) return 'No subnet has IPv4 addresses.';
  const exact = numbers.filter((subnet) => isFullSubnet(subnet) && subnet.confidence === 'exact').length;
  if (exact === numbers.length) {
    return `All ${counted(exact, 'subnet')} with IPv4 are exact: the interfaces explain EC2’s count to the last address.`;
  }
  const words = (['partial', 'skewed', 'counts-only'] as const)
    .map((confidence) => [numbers.filter((subnet) => subnet.confidence === confidence).length, confidence] as const)
    .filter(([number]) => number > 0)
    .map(([number, confidence]) => `${count(number)} ${confidence}`);
  return `${count(exact)} of ${counted(numbers.length, 'subnet')} with IPv4 are exact, ${words.join(', ')}: numbers of those are ranges, or not known.`;
}
