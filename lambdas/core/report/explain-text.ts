/** What `explain` prints of one subnet: its ledger in words, its map, who holds it, who breaks which block, what is wrong. */
import type { DocumentSubnet, HeadroomDocument } from '../../contract/document.ts';
import type { TextOptions } from './assess-text.ts';
import { blockMap, rowSpan } from './block-map.ts';
import { type Breaker, type BrokenBlock, cheapestFirst } from './breakers.ts';
import { findingLines } from './finding-text.ts';
import { type Column, count, counted, cut, table, wrap } from './layout.ts';
import { confidenceWord, isFullSubnet, ledgerSentences } from './ledger-words.ts';
import type { Pen } from './pen.ts';
import { sourceLines, unreadLines } from './source-text.ts';

/** Addresses listed before the list is cut. */
const BREAKER_ROWS = 20;
/** Findings of one kind before the rest are only counted. */
const FINDING_ROWS = 20;

/** @param document of one subnet, with its blocks where they are known. */
export function explainText(pen: Pen, document: HeadroomDocument, options: TextOptions): string[] {
  const subnet = document.subnets[0] as DocumentSubnet;
  const blocks = document.blocks ?? [];
  const limit = (rows: number) => (options.all ? Number.POSITIVE_INFINITY : rows);
  return [
    ...sourceLines(pen, document),
    ...headLines(pen, subnet),
    '',
    ...unreadLines(pen, document.source),
    ...ledgerSentences(subnet).flatMap((sentence) => wrap(pen, sentence)),
    '',
    ...(blocks.length === 0
      ? []
      : [pen.paint('bold', `MAP: one cell a /28, ${rowSpan(blocks.length)}`), ...blockMap(pen, blocks), '']),
    ...reservationLines(pen, document),
    ...holderLines(pen, subnet),
    ...breakerLines(pen, cheapestFirst(blocks), limit(BREAKER_ROWS)),
    ...findingSection(pen, document, limit(FINDING_ROWS)),
  ];
}

function headLines(pen: Pen, subnet: DocumentSubnet): string[] {
  const name = subnet.name === undefined ? '' : ` (${subnet.name})`;
  const place = `${subnet.vpcId}, ${subnet.availabilityZone} (${subnet.availabilityZoneId})`;
  const used = subnet.clusters.length === 0 ? 'no cluster may use it' : `clusters: ${subnet.clusters.join(', ')}`;
  return [
    ...wrap(pen, `${subnet.subnetId}${name}  ${subnet.cidr ?? 'no IPv4'}`).map((line) => pen.paint('bold', line)),
    ...wrap(pen, `${place} | ${used} | confidence: ${confidenceWord(subnet)}`),
  ];
}

function reservationLines(pen: Pen, { reservations }: HeadroomDocument): string[] {
  if (reservations === undefined || reservations === null || reservations.length === 0) return [];
  return [
    pen.paint('bold', 'RESERVATIONS'),
    ...table(
      pen,
      [
        { title: 'RANGE', text: ({ cidr }) => cidr },
        { title: 'TYPE', text: ({ type }) => type },
        { title: 'ID', text: ({ reservationId }) => reservationId, max: 28 },
        { title: 'DESCRIPTION', text: ({ description }) => description ?? '', min: 11 },
      ],
      reservations,
      '  ',
    ),
    '',
  ];
}

function holderLines(pen: Pen, subnet: DocumentSubnet): string[] {
  if (!isFullSubnet(subnet) || subnet.holders.length === 0) return [];
  return [
    pen.paint('bold', 'WHO HOLDS IT'),
    ...table(
      pen,
      [
        { title: 'CLASS', text: (holder) => holder.class },
        { title: 'INTERFACES', text: ({ enis }) => count(enis), right: true },
        { title: 'ADDRESSES', text: ({ ips }) => count(ips), right: true },
        { title: 'PREFIXES', text: ({ prefixes }) => count(prefixes), right: true },
      ],
      subnet.holders,
      '  ',
    ),
    ...subnet.byCluster.flatMap(({ cluster, ips, prefixes }) =>
      wrap(
        pen,
        `cluster ${cluster}: ${counted(ips, 'address', 'addresses')}, ${counted(prefixes, 'prefix', 'prefixes')}`,
        { indent: '  ' },
      ),
    ),
    '',
  ];
}

interface BreakerRow extends Breaker {
  readonly block: string;
}

function breakerLines(pen: Pen, broken: readonly BrokenBlock[], limit: number): string[] {
  if (broken.length === 0) return [];
  // The block is named on its first row only: what stands below it belongs to it.
  const rows = broken.flatMap(({ cidr, breakers }) =>
    breakers.map((breaker, i): BreakerRow => ({ ...breaker, block: i === 0 ? cidr : '' })),
  );
  const clusters = new Set(rows.map(({ cluster }) => cluster));
  const { shown, more } = cut(rows, limit);
  return [
    pen.paint('bold', `WHO BREAKS WHICH BLOCK: ${counted(broken.length, 'block')}, the cheapest to win back first`),
    ...table(pen, breakerColumns(clusters.size > 1), shown, '  '),
    ...(more === 0 ? [] : [`  ... ${counted(more, 'more address', 'more addresses')}: --all shows them`]),
    ...breakerNotes(pen, shown, clusters),
    '',
  ];
}

/** @param several whether a column must tell which cluster a row belongs to. */
function breakerColumns(several: boolean): Column<BreakerRow>[] {
  const cluster: Column<BreakerRow> = { title: 'CLUSTER', text: (row) => row.cluster ?? '', min: 7 };
  return [
    { title: 'BLOCK', text: ({ block }) => block.replace('/28', '') },
    { title: 'ADDRESS', text: ({ address }) => address },
    { title: '', text: ({ primary }) => (primary ? '*' : '') },
    { title: 'INTERFACE', text: ({ eniId }) => eniId, max: 21 },
    { title: 'INSTANCE', text: ({ instanceId }) => instanceId ?? '', max: 19 },
    ...(several ? [cluster] : []),
    { title: 'CLASS', text: (row) => row.class, min: 6 },
  ];
}

function breakerNotes(pen: Pen, shown: readonly BreakerRow[], clusters: ReadonlySet<string | undefined>): string[] {
  const [only] = clusters;
  const notes = [
    ...(clusters.size === 1 && only !== undefined ? [`All of cluster ${only}.`] : []),
    ...(shown.some(({ primary }) => primary)
      ? ['* the primary address of its interface: it goes only with the interface, that of a node only with the node.']
      : []),
  ];
  return notes.flatMap((note) => wrap(pen, note, { indent: '  ' })).map((line) => pen.paint('dim', line));
}

function findingSection(pen: Pen, { findings = [] }: HeadroomDocument, limit: number): string[] {
  if (findings.length === 0) return ['Nothing found on this subnet.'];
  return [pen.paint('bold', 'FINDINGS'), ...findingLines(pen, findings, limit)];
}
