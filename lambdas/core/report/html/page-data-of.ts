/** From readings of a region to what the report's page shows. Every foreign text is made safe to show here, once. */

import type { DiffDocument } from '../../../contract/diff-document.ts';
import type { DocumentSubnet, HeadroomDocument } from '../../../contract/document.ts';
import type { Severity } from '../../../contract/finding.ts';
import { formatCidr, parseCidr } from '../../ip/ipv4.ts';
import type { Reservation } from '../../subnet/snapshot.ts';
import { subnetLines } from '../diff/diff-text.ts';
import { subject } from '../finding-text.ts';
import {
  availableWords,
  confidenceWord,
  type FullSubnet,
  isFullSubnet,
  ledgerSentences,
  prefixWords,
} from '../ledger-words.ts';
import { printable } from '../printable.ts';
import { type Rank, type RankedSubnet, rankedSubnets } from '../ranked.ts';
import { typable } from '../typable.ts';
import { UNKNOWN_CELL } from './block-words.ts';
import type { PageChange, PageData, PageFinding, PageFrame, PageRoom, PageSubnet } from './page-data.ts';

/** One reading of the region. */
export interface ReportFrame {
  readonly document: HeadroomDocument;
  /** Maps by subnet id. */
  readonly cells: ReadonlyMap<string, Uint8Array>;
}

export interface PageInput {
  /** At least one, the oldest first: the page speaks of the last and can go back to the others. */
  readonly frames: readonly ReportFrame[];
  /** Of the latest frame. */
  readonly reservations: ReadonlyMap<string, readonly Reservation[] | undefined>;
  /** Between the first frame and the last, where there are several. */
  readonly diff?: DiffDocument;
  readonly classes: readonly string[];
  readonly clusters: readonly string[];
}

/** Lines about one changed subnet. */
const CHANGE_HOLDERS = 12;

export interface Page {
  readonly data: PageData;
  /** The maps of all subnets of `data`, one after the other, by frame. */
  readonly cells: readonly Uint8Array[];
}

export function pageOf(input: PageInput): Page {
  const latest = input.frames.at(-1);
  if (latest === undefined) throw new RangeError('a report needs at least one reading');
  const ranked = allSubnets(input.frames);
  const position = new Map(ranked.map(({ subnet }, at) => [subnet.subnetId, at]));
  const blocks = ranked.map(({ subnet }) => blocksOf(subnet, input.frames));
  const { document } = latest;
  return {
    data: {
      frames: input.frames.map(frameOf),
      classes: input.classes,
      clusters: input.clusters.map(printable),
      subnets: ranked.map((found, at) => subnetOf(found, blocks[at] as number, input)),
      rooms: clusterRooms(document, position),
      zones: zoneRooms(document, position),
      findings: findingsOf(document, position),
      changes: changesOf(input.diff, position),
      explain: explainOf(document),
      noHolders: noHolders(document),
    },
    cells: input.frames.map((frame) => cellsOfFrame(ranked, blocks, frame)),
  };
}

/** Those of the latest reading, worst first; then those that only earlier ones have. */
function allSubnets(frames: readonly ReportFrame[]): readonly RankedSubnet[] {
  const [latest, ...earlier] = frames.toReversed();
  const ranked = [...rankedSubnets((latest as ReportFrame).document)];
  const known = new Set(ranked.map(({ subnet }) => subnet.subnetId));
  for (const { document } of earlier) {
    for (const subnet of document.subnets) {
      if (known.has(subnet.subnetId)) continue;
      known.add(subnet.subnetId);
      ranked.push({ subnet, rank: 'ok' });
    }
  }
  return ranked;
}

/** Blocks that the page draws; 0 where no frame has a map of the subnet. */
function blocksOf({ subnetId, cidr }: DocumentSubnet, frames: readonly ReportFrame[]): number {
  const drawn = frames.some(({ cells }) => cells.has(subnetId));
  const parsed = cidr === null ? undefined : parseCidr(cidr);
  return drawn && parsed !== undefined ? 2 ** (28 - parsed.length) : 0;
}

/** Where a frame has no map of a subnet, its blocks are {@link UNKNOWN_CELL}. */
function cellsOfFrame(ranked: readonly RankedSubnet[], blocks: readonly number[], frame: ReportFrame): Uint8Array {
  const all = new Uint8Array(blocks.reduce((sum, count) => sum + count, 0)).fill(UNKNOWN_CELL);
  let offset = 0;
  for (const [at, { subnet }] of ranked.entries()) {
    const found = frame.cells.get(subnet.subnetId);
    if (found !== undefined) all.set(found, offset);
    offset += blocks[at] as number;
  }
  return all;
}

function frameOf({ document }: ReportFrame): PageFrame {
  const { now, path } = document.source;
  const numbers = document.subnets.filter((subnet) => subnet.applicable);
  const full = numbers.filter(isFullSubnet);
  return {
    label: printable(now === null ? (path ?? document.generatedAt) : timeWords(now)),
    freeIps: numbers.length === 0 ? null : numbers.reduce((sum, { availableIps }) => sum + availableIps, 0),
    freePrefixes: full.length === 0 ? null : full.reduce((sum, subnet) => sum + upperEnd(subnet), 0),
  };
}

/** `2026-11-30 09:00 UTC`. */
export function timeWords(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, iso.slice(17, 19) === '00' ? 16 : 19)} UTC`;
}

function upperEnd({ freePrefixesRange }: FullSubnet): number {
  return freePrefixesRange.max;
}

function subnetOf({ subnet, rank }: RankedSubnet, blocks: number, input: PageInput): PageSubnet {
  const full = isFullSubnet(subnet) ? subnet : undefined;
  const cidr = subnet.cidr === null ? undefined : parseCidr(subnet.cidr);
  return {
    id: printable(subnet.subnetId),
    name: printable(subnet.name ?? ''),
    cidr: subnet.cidr ?? 'no IPv4',
    base: cidr?.base ?? 0,
    blocks,
    zone: printable(subnet.availabilityZone),
    vpc: printable(subnet.vpcId),
    clusters: subnet.clusters.map(printable),
    rank,
    availableIps: subnet.applicable ? subnet.availableIps : null,
    usableIps: subnet.applicable ? subnet.usableIps : null,
    freePrefixes: full === undefined ? null : upperEnd(full),
    prefixWords: prefixWords(subnet),
    addressWords: availableWords(subnet),
    fragmentation: full?.fragmentation ?? null,
    confidence: confidenceWord(subnet),
    unaccountedIps: full?.unaccountedIps ?? 0,
    sentences: ledgerSentences(subnet),
    holders: full?.holders.map(({ class: eniClass, enis, ips, prefixes }) => [eniClass, enis, ips, prefixes]) ?? [],
    reservations: (input.reservations.get(subnet.subnetId) ?? []).map(({ cidr: at, type, description }) =>
      printable(`${formatCidr(at)} ${type}${description === undefined ? '' : `: ${description}`}`),
    ),
    ...(input.frames.length < 2 ? {} : { overTime: overTime(subnet.subnetId, input.frames) }),
  };
}

function overTime(subnetId: string, frames: readonly ReportFrame[]): NonNullable<PageSubnet['overTime']> {
  const found = frames.map(({ document }) => document.subnets.find((subnet) => subnet.subnetId === subnetId));
  return {
    ips: found.map((subnet) => (subnet?.applicable ? subnet.availableIps : null)),
    prefixes: found.map((subnet) => (subnet !== undefined && isFullSubnet(subnet) ? upperEnd(subnet) : null)),
  };
}

function rankOf(severity: Severity | 'fine'): Rank {
  return severity === 'fine' ? 'ok' : severity;
}

/** Subnets stand worst first, so the one that runs out first has the lowest position. */
function firstOf(subnetIds: readonly string[], position: ReadonlyMap<string, number>): number {
  const known = subnetIds.map((id) => position.get(id)).filter((at) => at !== undefined);
  return known.length === 0 ? -1 : Math.min(...known);
}

const RANK_ORDER: readonly Rank[] = ['critical', 'warning', 'info', 'ok'];

function worstFirst(rooms: readonly PageRoom[]): PageRoom[] {
  const unknown = Number.POSITIVE_INFINITY;
  return [...rooms].sort(
    (a, b) =>
      RANK_ORDER.indexOf(a.rank) - RANK_ORDER.indexOf(b.rank) ||
      compare(a.nodes ?? unknown, b.nodes ?? unknown) ||
      compare(a.freePrefixes ?? unknown, b.freePrefixes ?? unknown) ||
      compare(a.availableIps ?? unknown, b.availableIps ?? unknown),
  );
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function clusterRooms({ clusters = [] }: HeadroomDocument, position: ReadonlyMap<string, number>): PageRoom[] {
  return worstFirst(
    clusters.flatMap(({ cluster, mode, instanceType, zones }) =>
      zones.map((zone) => ({
        rank: rankOf(zone.severity),
        cluster: printable(cluster),
        zone: printable(zone.zone),
        vpc: printable(zone.vpcId),
        nodes: zone.nodeHeadroom,
        freePrefixes: zone.freePrefixes,
        availableIps: zone.availableIps,
        subnets: zone.subnetIds.length,
        first: firstOf(zone.subnetIds, position),
        mode: printable(instanceType === undefined ? mode : `${mode}, ${instanceType}`),
      })),
    ),
  );
}

function zoneRooms({ zones = [], findings = [] }: HeadroomDocument, position: ReadonlyMap<string, number>): PageRoom[] {
  return worstFirst(
    zones.map((zone) => {
      const inside = new Set(zone.subnetIds);
      const ranks = findings
        .filter(({ subnetId }) => subnetId !== undefined && inside.has(subnetId))
        .map(({ severity }) => RANK_ORDER.indexOf(severity));
      return {
        rank: RANK_ORDER[Math.min(RANK_ORDER.length - 1, ...ranks)] as Rank,
        cluster: '',
        zone: printable(zone.zone),
        vpc: printable(zone.vpcId),
        nodes: null,
        freePrefixes: zone.freePrefixes?.sum ?? null,
        availableIps: zone.availableIps?.sum ?? null,
        subnets: zone.subnetIds.length,
        first: firstOf(zone.subnetIds, position),
        mode: '',
      };
    }),
  );
}

function findingsOf(
  { findings = [], subnets, source }: HeadroomDocument,
  position: ReadonlyMap<string, number>,
): PageFinding[] {
  const names = new Map(subnets.flatMap(({ subnetId, name }) => (name === undefined ? [] : [[subnetId, name]])));
  return findings.map((finding) => ({
    rank: finding.severity,
    code: finding.code,
    subject: printable(subject(finding, names)),
    subnet: finding.subnetId === undefined ? -1 : (position.get(finding.subnetId) ?? -1),
    message: printable(finding.message),
    remedy: printable(typable(finding.remedy ?? '', source)),
  }));
}

function changesOf(diff: DiffDocument | undefined, position: ReadonlyMap<string, number>): PageChange[] {
  return (diff?.subnets ?? []).map((subnet) => ({
    subnet: position.get(subnet.subnetId) ?? -1,
    change: subnet.change,
    lines: subnetLines(subnet, CHANGE_HOLDERS).map(printable),
  }));
}

function explainOf({ source }: HeadroomDocument): readonly [string, string] {
  const folder = source.kind === 'snapshot' ? undefined : source.path;
  const from = folder === undefined ? `--region ${source.region ?? 'REGION'}` : `--from ${folder}`;
  return ['headroom explain ', printable(` ${from}`)];
}

function noHolders({ source }: HeadroomDocument): readonly [string, string] {
  return source.kind === 'snapshot'
    ? ['The service keeps how many addresses each kind of holder has, not which.', 'Who holds them now, tells: ']
    : ['Who holds its addresses did not fit into this page.', 'They are in: '];
}
