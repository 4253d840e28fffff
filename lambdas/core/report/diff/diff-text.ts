/** What `diff` prints: what is newly wrong, then each subnet that changed with who came and who went. */
import type { DiffDocument, DiffHolder, DiffSubnet } from '../../../contract/diff-document.ts';
import type { DocumentSource } from '../../../contract/document.ts';
import type { TextOptions } from '../assess-text.ts';
import { findingCounts, findingLines } from '../finding-text.ts';
import { count, counted, cut, wrap } from '../layout.ts';
import type { Pen } from '../pen.ts';

/** Subnets and findings shown before a list is cut. */
const ROWS = 20;
/** Holders of one subnet shown before the list is cut. */
const HOLDER_ROWS = 6;

export function diffText(pen: Pen, document: DiffDocument, { all }: TextOptions): string[] {
  const limit = (rows: number) => (all ? Number.POSITIVE_INFINITY : rows);
  const { subnets, unchanged, findings } = document;
  const { shown, more } = cut(subnets, limit(ROWS));
  const of = (change: DiffSubnet['change']) => count(subnets.filter((subnet) => subnet.change === change).length);
  return [
    ...wrap(pen, `before: ${sideWords(document.before)}`),
    ...wrap(pen, `after:  ${sideWords(document.after)}`),
    '',
    `Subnets: ${of('changed')} changed, ${of('added')} added, ${of('removed')} removed, ${count(unchanged)} as before.`,
    `Findings: ${count(findings.raised.length)} raised, ${count(findings.cleared.length)} cleared, ${count(findings.standing.length)} standing (${findingCounts(findings.standing)}).`,
    '',
    ...section(pen, 'RAISED', findingLines(pen, findings.raised, limit(ROWS))),
    ...section(pen, 'CLEARED', findingLines(pen, findings.cleared, limit(ROWS))),
    ...section(pen, 'SUBNETS', [
      ...shown.flatMap((subnet) => [
        ...wrap(pen, subnetHead(subnet), { indent: '  ', first: '' }),
        ...subnetLines(subnet, limit(HOLDER_ROWS)).flatMap((line) =>
          wrap(pen, line, { first: '  ', indent: '      ' }),
        ),
      ]),
      ...(more > 0 ? [`... ${counted(more, 'more subnet')}: --all shows them`] : []),
    ]),
  ];
}

function section(pen: Pen, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [pen.paint('bold', title), ...lines, ''];
}

function sideWords({ path, now, region }: DocumentSource): string {
  const when = now === null ? 'time not given' : `as of ${now.replace(/\.000Z$/, 'Z')}`;
  return [path ?? 'live', region, when].filter((part) => part !== undefined).join(' | ');
}

function subnetHead({ change, subnetId, name, availabilityZone, cidr }: DiffSubnet): string {
  const words = [change, subnetId, name, cidr ?? 'no IPv4', availabilityZone];
  return words.filter((word) => word !== undefined).join(' ');
}

/** What happened to one subnet, a sentence a line. */
export function subnetLines(subnet: DiffSubnet, holderLimit: number): string[] {
  const { availableIps, freePrefixes, fragmentation, confidence, holders, interfaces, blocks } = subnet;
  const percent = (ratio: number | null) => (ratio === null ? null : Math.round(ratio * 100));
  const lines = [
    ...step('addresses free by EC2’s count', availableIps.before, availableIps.after),
    ...step('whole /28 free', freePrefixes.before, freePrefixes.after),
    ...step('fragmentation in percent', percent(fragmentation.before), percent(fragmentation.after)),
    ...(confidence.before !== confidence.after && subnet.change === 'changed'
      ? [`confidence: ${confidence.before ?? 'none'} -> ${confidence.after ?? 'none'}`]
      : []),
  ];
  if (blocks !== null && blocks.length > 0) lines.push(`/28 blocks changed: ${count(blocks.length)}`);
  if (holders === null) return [...lines, 'holders: not known on one side'];
  const { shown, more } = cut(holders, holderLimit);
  if (interfaces !== null) {
    const { added, removed, changed } = interfaces;
    if (added.length + removed.length + changed.length > 0) {
      lines.push(
        `interfaces: ${count(added.length)} came, ${count(removed.length)} went, ${count(changed.length)} hold other addresses`,
      );
    }
  }
  return [...lines, ...shown.map(holderLine), ...(more > 0 ? [`... ${counted(more, 'more holder')}`] : [])];
}

function step(what: string, before: number | null, after: number | null): string[] {
  if (before === after) return [];
  const moved = before === null || after === null ? '' : ` (${signed(after - before)})`;
  return [`${what}: ${number(before)} -> ${number(after)}${moved}`];
}

function number(value: number | null): string {
  return value === null ? '?' : count(value);
}

function signed(value: number): string {
  return value < 0 ? `-${count(-value)}` : `+${count(value)}`;
}

function holderLine({ class: eniClass, cluster, enis, ips, prefixes }: DiffHolder): string {
  const who = cluster === undefined ? eniClass : `${eniClass} of ${cluster}`;
  const parts = [
    ['interfaces', enis],
    ['single addresses', ips],
    ['prefixes', prefixes],
  ] as const;
  const moved = parts
    .filter(([, side]) => side.before !== side.after)
    .map(([what, side]) => `${signed(side.after - side.before)} ${what}`);
  return `${who}: ${moved.join(', ')}`;
}
