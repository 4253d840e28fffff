/** What `diagnose` prints: for each event what it means, whether it is the subnet, and what to do; then what follows. */
import type { DocumentSource, HeadroomDocument } from '../../contract/document.ts';
import { EVENT_WORDS } from '../react/event-words.ts';
import type { TextOptions } from './assess-text.ts';
import type { DocumentEvent } from './event-document.ts';
import { findingCounts, findingLines } from './finding-text.ts';
import { counted, cut, wrap } from './layout.ts';
import type { Ink, Pen } from './pen.ts';
import { sourceLines, unreadLines } from './source-text.ts';
import { typable } from './typable.ts';

/** Events before the list is cut. */
const ROWS = 20;

export function diagnoseText(pen: Pen, document: HeadroomDocument, options: TextOptions): string[] {
  const events = document.events ?? [];
  const findings = document.findings ?? [];
  const limit = options.all ? Number.POSITIVE_INFINITY : ROWS;
  const { shown, more } = cut(events, limit);
  const bare = document.source.kind === 'none';
  return [
    ...(bare ? [] : sourceLines(pen, document)),
    ...wrap(pen, `${counted(events.length, 'event')}: ${findingCounts(findings)}`),
    '',
    ...(bare ? bareLines(pen, document) : unreadLines(pen, document.source)),
    pen.paint('bold', 'EVENTS'),
    ...shown.flatMap((event) => eventLines(pen, event, document.source, options.command)),
    ...(more > 0 ? [`  ... ${counted(more, 'more event')}: --all shows them`] : []),
    '',
    ...(findings.length === 0 ? [] : [pen.paint('bold', 'FINDINGS'), ...findingLines(pen, findings, limit)]),
  ];
}

function bareLines(pen: Pen, { source }: HeadroomDocument): string[] {
  if (source.absent.length === 0) return [];
  const text =
    'Nothing to look subnets up in: --from DIR or --region finds the subnets of interfaces and decides what the events leave open.';
  return [...wrap(pen, text, { first: '  ', indent: '    ' }), ''];
}

const SUBNET: Readonly<Record<'yes' | 'no', string>> = {
  yes: 'It is the subnet.',
  no: 'It is not the subnet.',
};

function eventLines(pen: Pen, event: DocumentEvent, source: DocumentSource, command?: string): string[] {
  const words = EVENT_WORDS[event.class];
  const subnetId = event.subnets.length === 1 ? event.subnets[0] : undefined;
  const remedy = typable(words.remedy, source, { subnetId, ...(command === undefined ? {} : { command }) });
  const ink: Ink = words.subnet === 'yes' ? 'critical' : event.class === 'NONE' ? 'dim' : 'info';
  const where = event.subnets.length === 0 ? '' : `  ${event.subnets.join(', ')}`;
  const [head = '', ...rest] = wrap(pen, `${event.class}  ${event.file}[${event.index}]${where}`, {
    indent: '    ',
    first: '',
  });
  return [
    pen.paint(ink, head.slice(0, event.class.length)) + head.slice(event.class.length),
    ...rest,
    ...wrap(pen, event.message, { indent: '    ' }),
    ...others(pen, event),
    ...(event.class === 'NONE'
      ? []
      : wrap(pen, `${SUBNET[words.subnet]} ${remedy}`, { first: '    -> ', indent: '       ' })),
  ];
}

/** The failures beside the one that gave the event its class. */
function others(pen: Pen, { items = [], ...event }: DocumentEvent): string[] {
  return items
    .filter((item) => item.class !== event.class)
    .flatMap((item) => {
      const where = item.subnets.length === 0 ? '' : ` in ${item.subnets.join(', ')}`;
      return wrap(pen, `also ${item.class}${where}: ${item.code ?? item.message}`, {
        first: '    ',
        indent: '       ',
      });
    });
}
