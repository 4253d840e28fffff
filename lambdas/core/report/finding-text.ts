/** Findings as a reader at night needs them: how bad, what, where, then why, then what to do. */
import type { HeadroomDocument } from '../../contract/document.ts';
import { SEVERITIES, type Severity } from '../../contract/finding.ts';
import { count, cut, wrap } from './layout.ts';
import type { Pen } from './pen.ts';

export type DocumentFinding = NonNullable<HeadroomDocument['findings']>[number];

/** `2 critical, 1 warning, 3 info`, or that there is nothing. */
export function findingCounts(findings: readonly DocumentFinding[]): string {
  const parts = SEVERITIES.map(
    (severity) => [severity, findings.filter((f) => f.severity === severity).length] as const,
  )
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => `${count(number)} ${severity}`);
  return parts.length === 0 ? 'nothing found' : parts.join(', ');
}

/**
 * Every kind of finding, worst first as given, but of each kind only the first few: a region with a hundred exhausted subnets must not hide what else is wrong.
 *
 * @param limit how many of a kind are shown; the rest are counted. @param names `Name` tags by subnet id.
 */
export function findingLines(
  pen: Pen,
  findings: readonly DocumentFinding[],
  limit: number,
  names: ReadonlyMap<string, string> = new Map(),
): string[] {
  return kinds(findings).flatMap((kind) => {
    const { shown, more } = cut(kind, limit);
    const { severity, code } = kind[0] as DocumentFinding;
    return [
      ...shown.flatMap((finding) => oneFinding(pen, finding, names)),
      ...(more > 0 ? [`    ... ${count(more)} more ${severity} ${code}: --all shows them`] : []),
    ];
  });
}

/** Findings of one severity and code, in the order in which each kind comes first. */
function kinds(findings: readonly DocumentFinding[]): readonly (readonly DocumentFinding[])[] {
  return [...Map.groupBy(findings, ({ severity, code }) => `${severity} ${code}`).values()];
}

function oneFinding(pen: Pen, finding: DocumentFinding, names: ReadonlyMap<string, string>): string[] {
  const { severity, code, message, remedy } = finding;
  const [head, ...rest] = wrap(pen, `${severity.padEnd(8)} ${code} ${subject(finding, names)}`, {
    first: '',
    indent: '    ',
  });
  return [
    ...[paintSeverity(pen, severity, head as string), ...rest],
    ...wrap(pen, message, { indent: '    ' }),
    ...(remedy === undefined ? [] : wrap(pen, remedy, { first: '    -> ', indent: '       ' })),
  ];
}

function paintSeverity(pen: Pen, severity: Severity, line: string): string {
  return pen.paint(severity, line.slice(0, severity.length)) + line.slice(severity.length);
}

/** What a finding is about, in one line. */
export function subject(finding: DocumentFinding, names: ReadonlyMap<string, string>): string {
  const { subnetId, zone, zoneId, cluster, vpcId } = finding;
  const name = subnetId === undefined ? undefined : names.get(subnetId);
  const parts = [
    subnetId === undefined ? undefined : name === undefined ? subnetId : `${subnetId} (${name})`,
    zone ?? zoneId,
    cluster === undefined ? undefined : `cluster ${cluster}`,
    subnetId === undefined && zone === undefined && cluster === undefined ? vpcId : undefined,
  ];
  return parts.filter((part) => part !== undefined).join('  ');
}
