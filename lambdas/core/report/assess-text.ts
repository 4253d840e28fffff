/** What `assess` prints: what is wrong, then the room in each subnet, zone and cluster, worst first. */
import type { DocumentSubnet, HeadroomDocument } from '../../contract/document.ts';
import { SEVERITIES } from '../../contract/finding.ts';
import { findingCounts, findingLines } from './finding-text.ts';
import { type Column, count, counted, cut, table, wrap } from './layout.ts';
import { availableWords, confidenceWord, isFullSubnet, prefixWords } from './ledger-words.ts';
import { nextCommand } from './next-command.ts';
import type { Pen } from './pen.ts';
import { type Rank, type RankedSubnet, rankedSubnets } from './ranked.ts';
import { absentLines, sourceLines, unreadLines } from './source-text.ts';

/** Rows of each table before it is cut. */
const ROWS = 20;
/** Findings of one kind before the rest are only counted. */
const OF_A_KIND = 3;

type Zone = NonNullable<HeadroomDocument['zones']>[number];
type ClusterZone = NonNullable<HeadroomDocument['clusters']>[number]['zones'][number];

export interface TextOptions {
  /** Whether lists are shown whole. */
  readonly all: boolean;
  /** How the reader calls the program; default `headroom`. */
  readonly command?: string;
}

export function assessText(pen: Pen, document: HeadroomDocument, options: TextOptions): string[] {
  const cutAt = (rows: number) => (options.all ? Number.POSITIVE_INFINITY : rows);
  const limit = cutAt(ROWS);
  const findings = document.findings ?? [];
  const names = new Map(
    document.subnets.flatMap(({ subnetId, name }) => (name === undefined ? [] : [[subnetId, name]])),
  );
  const ranked = rankedSubnets(document);
  return [
    ...sourceLines(pen, document),
    ...wrap(
      pen,
      `${counted(document.subnets.length, 'subnet')}, ${interfacesWord(document.subnets)}: ${findingCounts(findings)}`,
    ),
    '',
    ...unreadLines(pen, document.source),
    ...section(pen, 'FINDINGS', findingLines(pen, findings, cutAt(OF_A_KIND), names)),
    ...section(pen, 'SUBNETS', subnetLines(pen, ranked, limit)),
    ...section(pen, 'ZONES (subnets that serve nodes or pods)', zoneLines(pen, document.zones ?? [], limit)),
    ...section(pen, 'CLUSTERS', clusterLines(pen, document, limit)),
    ...absentLines(pen, document.source),
    ...nextStep(pen, ranked[0], document, options.command),
  ];
}

function section(pen: Pen, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [pen.paint('bold', title), ...lines, ''];
}

/** How many network interfaces there are, of the subnets where that is known. */
export function interfacesWord(subnets: readonly DocumentSubnet[]): string {
  const known = subnets.filter(({ enis }) => enis !== null);
  if (known.length === 0) return 'network interfaces unknown';
  return counted(
    known.reduce((sum, { enis }) => sum + (enis ?? 0), 0),
    'network interface',
  );
}

function paintRank(pen: Pen, rank: Rank | 'fine', text: string): string {
  return rank === 'ok' || rank === 'fine' ? text : pen.paint(rank, text);
}

function subnetLines(pen: Pen, subnets: readonly RankedSubnet[], limit: number): string[] {
  const columns: Column<RankedSubnet>[] = [
    { title: '', text: ({ rank }) => rank, paint: ({ rank }, text) => paintRank(pen, rank, text) },
    { title: 'SUBNET', text: ({ subnet }) => subnet.subnetId, max: 26 },
    { title: 'ZONE', text: ({ subnet }) => subnet.availabilityZone, min: 10, max: 18 },
    { title: 'NAME', text: ({ subnet }) => subnet.name ?? '', min: 4, max: 30 },
    { title: 'IPS FREE', text: ({ subnet }) => availableWords(subnet), right: true },
    { title: '/28 FREE', text: ({ subnet }) => prefixWords(subnet), right: true },
    { title: 'CONFIDENCE', text: ({ subnet }) => confidenceWord(subnet) },
  ];
  const { shown, more } = cut(subnets, limit);
  if (shown.length === 0) return [];
  return [
    ...table(pen, columns, shown),
    ...rest(more, 'subnet'),
    ...wrap(
      pen,
      "IPS FREE: EC2's own count, of the usable. /28 FREE: blocks that prefix delegation can still be given, of what the same holders would leave if " +
        'they were packed as densely as possible.',
    ).map((line) => pen.paint('dim', line)),
  ];
}

function rest(more: number, noun: string): string[] {
  return more === 0 ? [] : [`... ${counted(more, `more ${noun}`)}: --all shows them`];
}

function zoneLines(pen: Pen, zones: readonly Zone[], limit: number): string[] {
  const sum = (value: Zone['availableIps']) => (value === null ? '?' : count(value.sum));
  const least = (value: Zone['availableIps']) => (value === null ? '?' : count(value.min));
  const columns: Column<Zone>[] = [
    { title: 'VPC', text: ({ vpcId }) => vpcId, max: 22 },
    { title: 'ZONE', text: ({ zone }) => zone, max: 18 },
    { title: 'SUBNETS', text: ({ subnetIds }) => count(subnetIds.length), right: true },
    { title: 'IPS FREE', text: ({ availableIps }) => sum(availableIps), right: true },
    { title: 'LEAST', text: ({ availableIps }) => least(availableIps), right: true },
    { title: '/28 FREE', text: ({ freePrefixes }) => sum(freePrefixes), right: true },
    { title: 'LEAST', text: ({ freePrefixes }) => least(freePrefixes), right: true },
  ];
  const { shown, more } = cut(zones, limit);
  return shown.length === 0 ? [] : [...table(pen, columns, shown), ...rest(more, 'zone')];
}

interface ClusterRow extends ClusterZone {
  readonly cluster: string;
  readonly mode: string;
}

function clusterLines(pen: Pen, { clusters = [] }: HeadroomDocument, limit: number): string[] {
  const order = (severity: ClusterZone['severity']) =>
    severity === 'fine' ? SEVERITIES.length : SEVERITIES.indexOf(severity);
  const rows: ClusterRow[] = clusters
    .flatMap(({ cluster, mode, instanceType, zones }) =>
      zones.map((zone) => ({ ...zone, cluster, mode: instanceType === undefined ? mode : `${mode}, ${instanceType}` })),
    )
    .sort((a, b) => order(a.severity) - order(b.severity));
  const columns: Column<ClusterRow>[] = [
    {
      title: '',
      text: ({ severity }) => (severity === 'fine' ? 'ok' : severity),
      paint: ({ severity }, text) => paintRank(pen, severity, text),
    },
    { title: 'CLUSTER', text: ({ cluster }) => cluster, min: 8, max: 30 },
    { title: 'ZONE', text: ({ zone }) => zone, min: 8, max: 18 },
    { title: 'MODE', text: ({ mode }) => mode, min: 8, max: 28 },
    { title: 'SUBNETS', text: ({ subnetIds }) => count(subnetIds.length), right: true },
    { title: 'IPS FREE', text: ({ availableIps }) => count(availableIps), right: true },
    { title: '/28 FREE', text: ({ freePrefixes }) => (freePrefixes === null ? '?' : count(freePrefixes)), right: true },
    {
      title: 'MORE NODES',
      text: ({ nodeHeadroom }) => (nodeHeadroom === null ? '?' : count(nodeHeadroom)),
      right: true,
    },
  ];
  const { shown, more } = cut(rows, limit);
  return shown.length === 0 ? [] : [...table(pen, columns, shown), ...rest(more, 'row')];
}

function nextStep(pen: Pen, worst: RankedSubnet | undefined, { source }: HeadroomDocument, command?: string): string[] {
  if (worst === undefined || worst.rank === 'ok' || !isFullSubnet(worst.subnet)) return [];
  const from = source.path === undefined ? ['--region', source.region ?? 'REGION'] : ['--from', source.path];
  return nextCommand(pen, ['explain', worst.subnet.subnetId, ...from], command);
}
