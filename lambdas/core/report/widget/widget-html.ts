/**
 * What the CloudWatch dashboard shows: the worst subnets as maps, and what is wrong.
 *
 * A custom widget may use HTML, CSS and SVG; script, `<iframe>` and `<use>` are stripped. `<cwdb-action>` acts on the element before it (CloudWatch
 * user guide, "Security and JavaScript" and "Interactivity in the custom widget").
 */

import type { HeadroomDocument } from '../../../contract/document.ts';
import { findingCounts } from '../finding-text.ts';
import { escapeHtml as e } from '../html/escape.ts';
import { count, counted } from '../layout.ts';
import { availableWords, confidenceWord, isFullSubnet, ledgerSentences, prefixWords } from '../ledger-words.ts';
import { CELL_KINDS, KIND_MEANINGS } from '../map/cell.ts';
import { type RankedSubnet, rankedSubnets } from '../ranked.ts';
import { notRead } from '../source-text.ts';
import { typable } from '../typable.ts';
import { MAP_COLOURS, svgMap, type Theme } from './svg-map.ts';

export interface WidgetInput {
  readonly document: HeadroomDocument;
  /** Maps by subnet id. */
  readonly cells: ReadonlyMap<string, Uint8Array>;
  readonly theme: Theme;
  /** ARN of the widget's own function, which its buttons call. */
  readonly endpoint: string;
  /** Epoch milliseconds of the real clock. */
  readonly now: number;
}

/** Subnets that are drawn, findings that are told: what fits a dashboard without much scrolling. */
const SUBNETS = 12;
const FINDINGS = 8;
/** Characters of the whole: a dashboard asks again every minute, and Lambda answers at most 6 MB. */
export const WIDGET_CHARACTERS = 200_000;
const SMALL_CELL = 6;
const LARGE_CELL = 16;
const MINUTE_MS = 60_000;

const INKS = {
  light: { ink: '#16191f', quiet: '#545b64', critical: '#a61b1b', warning: '#8a4b00', info: '#1f5f8b', ok: '#1d6b43' },
  dark: { ink: '#eaeded', quiet: '#b3bcc4', critical: '#ff8f87', warning: '#f3b562', info: '#8cc4ee', ok: '#83d3a5' },
} as const;

/** The overview. */
export function widgetHtml(input: WidgetInput): string {
  const { document, theme } = input;
  const findings = document.findings ?? [];
  const ranked = rankedSubnets(document).filter(({ subnet }) => input.cells.has(subnet.subnetId));
  const parts = [...head(input), legend(theme)];
  let size = parts.join('').length;
  let shown = 0;
  for (const one of ranked.slice(0, SUBNETS)) {
    const drawn = subnetRow(input, one);
    if (size + drawn.length > WIDGET_CHARACTERS) break;
    size += drawn.length;
    shown++;
    parts.push(drawn);
  }
  if (ranked.length > shown)
    parts.push(quiet(theme, `${counted(ranked.length - shown, 'more subnet')}, each with more room.`));
  const listed = findings.slice(0, FINDINGS);
  if (listed.length > 0)
    parts.push(`<h3>Findings: ${e(findingCounts(findings))}</h3>`, ...listed.map((one) => findingItem(input, one)));
  return wrap(theme, parts);
}

/** One subnet, for the pop-up. */
export function widgetDetails(input: WidgetInput, subnetId: string): string {
  const { document, cells, theme } = input;
  const subnet = document.subnets.find((one) => one.subnetId === subnetId);
  if (subnet === undefined) return wrap(theme, [`<p>${e(subnetId)} is not in the latest snapshot.</p>`]);
  const drawn = cells.get(subnetId);
  const holders = isFullSubnet(subnet) ? subnet.holders : [];
  const findings = (document.findings ?? []).filter((finding) => finding.subnetId === subnetId);
  return wrap(theme, [
    `<h3>${e(subnet.name ?? subnetId)}</h3>`,
    quiet(theme, [subnetId, subnet.cidr ?? 'no IPv4', subnet.availabilityZone, subnet.vpcId].join('  ')),
    ...(drawn === undefined
      ? []
      : [svgMap(drawn, theme, LARGE_CELL, `Map of ${e(subnet.name ?? subnetId)}`), legend(theme)]),
    `<ul>${ledgerSentences(subnet)
      .map((text) => `<li>${e(text)}</li>`)
      .join('')}</ul>`,
    ...(holders.length === 0
      ? []
      : [
          '<table><tr><th>Held by</th><th>Addresses</th><th>Interfaces</th><th>Prefixes</th></tr>',
          ...holders.map(
            ({ class: eniClass, ips, enis, prefixes }) =>
              `<tr><td>${e(eniClass)}</td><td>${count(ips)}</td><td>${count(enis)}</td><td>${count(prefixes)}</td></tr>`,
          ),
          '</table>',
        ]),
    ...findings.map((one) => findingItem(input, one)),
    quiet(
      theme,
      `Which interface holds which address: headroom explain ${subnetId} --region ${document.source.region ?? 'REGION'}`,
    ),
  ]);
}

/** Where the service has not stored a snapshot yet. */
export function widgetWithout(theme: Theme): string {
  return wrap(theme, ['<p>No snapshot yet: the first is there a minute or two after the deployment.</p>']);
}

/** What the dashboard's "Get documentation" shows, as Markdown. */
export const WIDGET_DOCUMENTATION = `## Headroom
The worst subnets of the region as maps of their /28 blocks, and what is wrong, from the latest snapshot.

### Widget parameters
Param | Description
---|---
**subnetId** | Show this one subnet. Default: an overview.
`;

function wrap(theme: Theme, parts: readonly string[]): string {
  return `<div style="color:${INKS[theme].ink}">${parts.join('\n')}</div>`;
}

function quiet(theme: Theme, text: string): string {
  return `<p style="color:${INKS[theme].quiet}">${e(text)}</p>`;
}

function rank(theme: Theme, word: RankedSubnet['rank']): string {
  return `<b style="color:${INKS[theme][word]}">${word}</b>`;
}

function head({ document, theme, now }: WidgetInput): string[] {
  const { source } = document;
  const at = source.now === null ? undefined : Date.parse(source.now);
  const age =
    at === undefined
      ? 'of a time that is not known'
      : `${counted(Math.max(0, Math.round((now - at) / MINUTE_MS)), 'minute')} old`;
  return [
    quiet(
      theme,
      `${counted(document.subnets.length, 'subnet')}, ${findingCounts(document.findings ?? [])}. Snapshot ${age}.`,
    ),
    ...notRead(source).map((line) => `<p><b style="color:${INKS[theme].warning}">Not read:</b> ${e(line)}</p>`),
  ];
}

function legend(theme: Theme): string {
  const items = CELL_KINDS.map((kind) => {
    const colour = kind === 'occupied' ? MAP_COLOURS[theme].occupied[1] : MAP_COLOURS[theme][kind];
    const swatch = `<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${colour}"/></svg>`;
    return `<span style="margin-right:14px;white-space:nowrap">${swatch} ${e(KIND_MEANINGS[kind])}</span>`;
  });
  return `<p style="color:${INKS[theme].quiet}">${items.join(' ')}</p>`;
}

/** Ids as EC2 makes them: nothing else goes into a button's parameters. */
const SUBNET_ID = /^subnet-[0-9a-f]{8,17}$/;

function subnetRow({ cells, theme, endpoint }: WidgetInput, { subnet, rank: word }: RankedSubnet): string {
  const { subnetId, name, cidr, availabilityZone } = subnet;
  const numbers = `${prefixWords(subnet)} /28 free, ${availableWords(subnet)} addresses free, ${confidenceWord(subnet)}`;
  const shown = e(name ?? subnetId);
  const details = SUBNET_ID.test(subnetId)
    ? `<a class="btn" title="Who holds ${e(subnetId)}">Details</a>` +
      `<cwdb-action action="call" display="popup" endpoint="${e(endpoint)}">${JSON.stringify({ subnetId })}</cwdb-action>`
    : '';
  return [
    '<div style="margin:0 0 14px">',
    `<p style="margin:0">${rank(theme, word)} <b>${shown}</b> ${e(`${cidr ?? ''} ${availabilityZone}`)}: ${e(numbers)} ${details}</p>`,
    svgMap(cells.get(subnetId) as Uint8Array, theme, SMALL_CELL, `Map of ${shown}: ${e(numbers)}`),
    '</div>',
  ].join('');
}

function findingItem(
  { theme, document: { source } }: WidgetInput,
  { severity, code, message, remedy }: NonNullable<HeadroomDocument['findings']>[number],
): string {
  const what = remedy === undefined ? '' : `<br><i>What to do:</i> ${e(typable(remedy, source))}`;
  return `<p>${rank(theme, severity)} <code>${e(code)}</code> ${e(message)}${what}</p>`;
}
