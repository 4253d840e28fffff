/** Where the numbers come from, as of when, and what is missing from them. */
import type { DocumentSource, HeadroomDocument } from '../../contract/document.ts';
import { counted, wrap } from './layout.ts';
import type { Pen } from './pen.ts';

export function sourceLines(pen: Pen, document: HeadroomDocument): string[] {
  const { source } = document;
  const where = source.kind === 'live' ? 'live' : `from ${source.path ?? ''}`;
  const region = `region ${source.region ?? 'not said'}`;
  const account = `account ${source.account ?? 'not said'}`;
  return wrap(pen, [where, ...limits(source), region, account, asOf(source)].join(' | '));
}

/** What a reading was limited to, where it was. */
export function limits({ scope }: DocumentSource): string[] {
  if (scope === undefined) return [];
  const { vpcIds, subnetIds } = scope;
  return subnetIds.length > 0 ? [`only ${counted(subnetIds.length, 'named subnet')}`] : [`only ${vpcIds.join(', ')}`];
}

function asOf({ now, kind }: DocumentSource): string {
  if (now !== null) return `as of ${now.replace(/\.000Z$/, 'Z')}`;
  return kind === 'live' ? 'time not said' : 'time not given (now.json or --now): ages are unknown';
}

/** What could not be read, and which permission that needs. Empty where everything was. */
export function unreadLines(pen: Pen, source: DocumentSource): string[] {
  const lines = notRead(source).flatMap((text) => wrap(pen, text, { first: '  ', indent: '    ' }));
  return lines.length === 0 ? [] : [pen.paint('warning', 'NOT READ'), ...lines, ''];
}

/** The same, a sentence for each part that is missing. */
export function notRead({ absent, unknown }: DocumentSource): string[] {
  const given = absent.includes('network-interfaces')
    ? [
        "no network interfaces were given (network-interfaces*.json): there are EC2's counts only, and no word on /28 blocks or holders",
      ]
    : [];
  const failed = unknown.map((failure) => {
    const { call, code, permission } = failure;
    const what = permission === undefined ? code : `${code}: permission ${permission} is missing`;
    return `${call} ${what}; unknown for ${scopeOf(failure)}`;
  });
  return [...given, ...failed];
}

function scopeOf(failure: DocumentSource['unknown'][number]): string {
  if (failure.cluster !== undefined) return `cluster ${failure.cluster}`;
  const ids = failure.subnetIds;
  if (ids === undefined) return 'every subnet in scope';
  return ids.length <= 3
    ? ids.join(', ')
    : `${ids.slice(0, 2).join(', ')} and ${counted(ids.length - 2, 'more subnet')}`;
}

/** Inputs that count as empty since nobody gave them; a quiet line, since most folders have few. */
export function absentLines(pen: Pen, source: DocumentSource): string[] {
  const quiet = quietlyAbsent(source);
  if (quiet.length === 0) return [];
  return wrap(pen, `Not given, taken as empty: ${quiet.join(', ')}.`, { indent: '' }).map((line) =>
    pen.paint('dim', line),
  );
}

/** The inputs that nobody gave and whose absence changes little. */
export function quietlyAbsent({ absent }: DocumentSource): readonly string[] {
  return absent.filter((input) => input !== 'network-interfaces' && input !== 'now');
}
