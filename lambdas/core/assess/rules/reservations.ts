/** CIDR reservations of type prefix that do not give what they promise. */
import type { EvidenceValue, Finding, FindingCode, Severity } from '../../../contract/finding.ts';
import { BLOCK_IPS, BLOCK_LENGTH } from '../../ip/address-map.ts';
import { blockSize, type Cidr, formatCidr, formatIpv4 } from '../../ip/ipv4.ts';
import { blockState } from '../../subnet/blocks.ts';
import type { SubnetOccupancy } from '../../subnet/occupancy.ts';
import type { Reservation } from '../../subnet/snapshot.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { count, list, nameOf } from '../words.ts';

/** Addresses named in evidence: enough to start with, `headroom explain` has them all. */
const NAMED_ADDRESSES = 64;

/** The whole /28s of one reservation, and the single addresses that stand in them. */
interface ReservedBlocks {
  readonly reservation: Reservation;
  readonly total: number;
  readonly free: number;
  readonly delegated: number;
  readonly occupied: number;
  readonly edge: number;
  /** Held by single addresses. */
  readonly blocking: readonly string[];
  /** Kept by AWS. */
  readonly edgeAddresses: readonly string[];
}

/** `RESERVATION_PARTLY_USED`, `RESERVATION_NOT_EFFECTIVE` and `RESERVATION_INCLUDES_EDGE_BLOCK`; one of each for a subnet, naming every reservation. */
export function reservations(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const cidr = view.facts.cidr;
    if (cidr === undefined) continue;
    const reserved = (view.reservations ?? [])
      .filter((reservation) => reservation.type === 'prefix')
      .map((reservation) => tally(reservation, cidr, view.occupancy))
      .sort((a, b) => a.reservation.cidr.base - b.reservation.cidr.base);
    if (view.occupancy !== undefined) {
      const useless = reserved.filter((r) => r.free + r.delegated === 0);
      const partly = reserved.filter((r) => r.occupied > 0 && r.free + r.delegated > 0);
      push(findings, 'RESERVATION_NOT_EFFECTIVE', 'warning', view, useless, notEffective);
      push(findings, 'RESERVATION_PARTLY_USED', 'info', view, partly, partlyUsed);
    }
    const edged = reserved.filter((r) => r.edge > 0);
    push(findings, 'RESERVATION_INCLUDES_EDGE_BLOCK', 'info', view, edged, includesEdge);
  }
  return findings;
}

function tally(reservation: Reservation, subnet: Cidr, occupancy: SubnetOccupancy | undefined): ReservedBlocks {
  const lastBlock = blockSize(subnet.length) / BLOCK_IPS - 1;
  const first = Math.max(0, Math.ceil((reservation.cidr.base - subnet.base) / BLOCK_IPS));
  const size = blockSize(reservation.cidr.length);
  const end = Math.min(lastBlock + 1, Math.floor((reservation.cidr.base - subnet.base + size) / BLOCK_IPS));
  const states = { free: 0, delegated: 0, occupied: 0, edge: 0 };
  const blocking: string[] = [];
  const edgeAddresses: string[] = [];
  for (let block = first; block < end; block++) {
    const base = subnet.base + block * BLOCK_IPS;
    const atEdge = block === 0 || block === lastBlock;
    const state = occupancy === undefined ? (atEdge ? 'edge' : 'free') : blockState(occupancy.map, block);
    states[state]++;
    if (state === 'edge') {
      if (block === 0) for (let n = 0; n < 4; n++) edgeAddresses.push(formatIpv4(base + n));
      if (block === lastBlock) edgeAddresses.push(formatIpv4(base + BLOCK_IPS - 1));
    }
    if (occupancy === undefined || state === 'delegated') continue;
    const word = occupancy.map.used[block] as number;
    for (let n = 0; n < BLOCK_IPS; n++) if ((word & (1 << n)) !== 0) blocking.push(formatIpv4(base + n));
  }
  return { reservation, total: Math.max(0, end - first), ...states, blocking, edgeAddresses };
}

interface Words {
  readonly message: string;
  readonly remedy: string;
}

function push(
  findings: Finding[],
  code: FindingCode,
  severity: Severity,
  view: SubnetView,
  found: readonly ReservedBlocks[],
  words: (r: ReservedBlocks, view: SubnetView) => Words,
): void {
  // The one that loses most stands in the plain evidence; all of them in `reservations`.
  const [worst] = [...found].sort(
    (a, b) =>
      b.occupied + b.edge - (a.occupied + a.edge) ||
      b.total - a.total ||
      compareText(a.reservation.reservationId, b.reservation.reservationId),
  );
  if (worst === undefined) return;
  const { message, remedy } = words(worst, view);
  const others = found.filter((r) => r !== worst).map((r) => formatCidr(r.reservation.cidr));
  findings.push(
    finding(
      code,
      { subnet: view.facts },
      {
        severity,
        observed: code === 'RESERVATION_INCLUDES_EDGE_BLOCK' ? worst.edge : worst.occupied,
        threshold: 0,
        message: others.length === 0 ? message : `${message} The same holds for ${list(others)}.`,
        evidence: { ...numbers(worst, view), reservations: found.map((r) => numbers(r, view)) },
        remedy,
      },
    ),
  );
}

function numbers(r: ReservedBlocks, view: SubnetView): { readonly [name: string]: EvidenceValue } {
  const geometry = {
    reservation: formatCidr(r.reservation.cidr),
    reservationId: r.reservation.reservationId,
    blocksTotal: r.total,
    lostBlocks: r.edge,
    edgeAddresses: r.edgeAddresses,
  };
  if (view.occupancy === undefined) return geometry;
  return {
    ...geometry,
    blocksFree: r.free,
    blocksPrefixAllocated: r.delegated,
    blocksOccupied: r.occupied,
    blockingIps: r.blocking.length,
    blockingAddresses: r.blocking.slice(0, NAMED_ADDRESSES),
  };
}

function partlyUsed(r: ReservedBlocks, view: SubnetView): Words {
  const cidr = formatCidr(r.reservation.cidr);
  return {
    message: `The prefix reservation ${cidr} of ${nameOf(view.facts)} has ${count(r.total, 'whole /28')}: ${r.free} free, ${r.delegated} delegated, ${r.occupied} held by the single ${r.blocking.length === 1 ? 'address' : 'addresses'} ${list(r.blocking)}.`,
    remedy: `Replace or move what holds ${list(r.blocking)} to win back ${count(r.occupied, 'prefix', 'prefixes')}; a reservation moves nothing that was there before it.`,
  };
}

function notEffective(r: ReservedBlocks, view: SubnetView): Words {
  const cidr = formatCidr(r.reservation.cidr);
  const where = `The prefix reservation ${cidr} of ${nameOf(view.facts)}`;
  const instead = `Delete it (aws ec2 delete-subnet-cidr-reservation --subnet-cidr-reservation-id ${r.reservation.reservationId}) and reserve a range with free /28s: headroom explain ${view.facts.subnetId} shows them.`;
  if (r.total === 0) {
    return {
      message: `${where} holds no whole /${BLOCK_LENGTH}, so no prefix can ever come from it.`,
      remedy: instead,
    };
  }
  const why = [
    r.occupied > 0 ? `${r.occupied} of its ${r.total} /28s hold single addresses (${list(r.blocking)})` : '',
    r.edge > 0 ? `${r.edge} ${r.edge === 1 ? 'holds an address' : 'hold addresses'} that AWS reserves` : '',
  ].filter((part) => part !== '');
  return { message: `${where} gives no prefix: ${why.join(', ')}.`, remedy: instead };
}

function includesEdge(r: ReservedBlocks, view: SubnetView): Words {
  const cidr = formatCidr(r.reservation.cidr);
  return {
    message: `The prefix reservation ${cidr} of ${nameOf(view.facts)} covers ${count(r.total, '/28')}, of which ${r.edge} can never be a prefix: AWS reserves ${list(r.edgeAddresses)} in it. Count on ${r.total - r.edge}.`,
    remedy: `Accept ${count(r.total - r.edge, 'prefix', 'prefixes')}, or reserve a range that leaves out the first and the last /28 of the subnet${neighbour(r, view)}.`,
  };
}

/** The aligned range of the same size next to the edge that has no edge block, where the subnet has one. */
function neighbour(r: ReservedBlocks, view: SubnetView): string {
  const subnet = view.facts.cidr;
  if (subnet === undefined) return '';
  const { base, length } = r.reservation.cidr;
  const size = blockSize(length);
  const next = base === subnet.base ? base + size : base - size;
  const last = subnet.base + blockSize(subnet.length) - size;
  return next > subnet.base && next < last ? ` (${formatCidr({ base: next, length })})` : '';
}

/** `EDGE_PREFIX_OBSERVED`: a delegated block with an address that AWS reserves, which nobody has published evidence of. */
export function edgePrefixes(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const seen = [...(view.occupancy?.edgePrefixes ?? [])].sort(compareText);
    if (seen.length === 0) continue;
    findings.push(
      finding(
        'EDGE_PREFIX_OBSERVED',
        { subnet: view.facts },
        {
          severity: 'info',
          observed: seen.length,
          threshold: 0,
          message: `EC2 delegated ${list(seen)} in ${nameOf(view.facts)} although AWS reserves an address in it; we counted it as delegated.`,
          evidence: { count: seen.length, prefixes: seen },
          remedy:
            'Nothing has to be done. Free prefixes may be undercounted by up to two in every subnet: please report it with headroom observe --out DIR --redact.',
        },
      ),
    );
  }
  return findings;
}
