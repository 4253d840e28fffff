/** The report: one HTML file that holds everything it shows and asks nothing of any network. */

import type { DiffDocument } from '../../../contract/diff-document.ts';
import type { HeadroomDocument } from '../../../contract/document.ts';
import { SEVERITIES } from '../../../contract/finding.ts';
import { reservationsBySubnet } from '../../assess/context.ts';
import { ENI_CLASSES } from '../../subnet/eni-class.ts';
import type { RegionOccupancy } from '../../subnet/occupancy.ts';
import type { RegionFacts } from '../../subnet/snapshot.ts';
import { hasRecords } from '../diff/sides.ts';
import { CELL_KINDS, KIND_MEANINGS } from '../map/cell.ts';
import { limits, notRead, quietlyAbsent } from '../source-text.ts';
import { packFrames } from './cell-frames.ts';
import { escapeHtml as e } from './escape.ts';
import { packHolders } from './holders.ts';
import { BLOCK_IDS, type PageData, type PageHolderBlocks } from './page-data.ts';
import { pageOf, type ReportFrame, timeWords } from './page-data-of.ts';
import { podsByInstance, subnetHolders } from './page-holders-of.ts';
import { confidenceSentence, firstLines, verdictSentence } from './summary.ts';

/** What the renderer needs and the core has not. */
export interface ReportTools {
  /** Raw deflate (RFC 1951), as base64. */
  readonly deflate: (bytes: Uint8Array) => string;
  /** SHA-256 of UTF-8 text, as base64. */
  readonly sha256: (text: string) => string;
}

/** The page's own code, bundled. */
export interface ReportAssets {
  readonly script: string;
  readonly style: string;
}

export interface ReportInput {
  /** The oldest first; at least one. */
  readonly frames: readonly ReportFrame[];
  /** What the last frame was made of, with the records of every subnet kept. */
  readonly latest: { readonly facts: RegionFacts; readonly occupancy: RegionOccupancy };
  readonly diff?: DiffDocument;
}

/**
 * Bytes that a report may have while it can still leave something out: mail and chat take attachments of some megabytes, and a browser opens it at once.
 * What is left out is who holds which address in the subnets with the least trouble.
 */
export const SIZE_BUDGET = 1_900_000;

/** @returns the file's text, in UTF-8 at most {@link SIZE_BUDGET} as long as maps and findings alone do not need more. */
export function reportHtml({ frames, latest, diff }: ReportInput, assets: ReportAssets, tools: ReportTools): string {
  const { document } = frames.at(-1) as ReportFrame;
  const clusters = clustersOf(latest.occupancy);
  const { data, cells } = pageOf({
    frames,
    reservations: reservationsBySubnet(latest.facts),
    ...(diff === undefined ? {} : { diff }),
    classes: ENI_CLASSES,
    clusters,
  });
  const blocks = {
    data: tools.deflate(new TextEncoder().encode(JSON.stringify(data))),
    cells: tools.deflate(packFrames(cells)),
  };
  const without = (holders: PageHolderBlocks) =>
    page(document, data, assets, tools, { ...blocks, holders: JSON.stringify(holders) });
  const none = data.subnets.map(() => null);
  const room = SIZE_BUDGET - byteLength(without({ holders: none, ids: none }));
  return without(holderBlocks(data, latest, clusters, tools, room));
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function clustersOf({ subnets }: RegionOccupancy): readonly string[] {
  return [...new Set([...subnets.values()].flatMap(({ clusters }) => [...clusters.keys()]))].sort();
}

/** Who holds what, worst subnets first as long as there is room: of each the holders, then the ids of their interfaces. */
function holderBlocks(
  data: PageData,
  { facts, occupancy }: ReportInput['latest'],
  clusters: readonly string[],
  tools: ReportTools,
  room: number,
): PageHolderBlocks {
  const position = new Map(clusters.map((cluster, at) => [cluster, at]));
  const pods = podsByInstance(facts);
  let left = room;
  // Two quotes and a comma take no more than the `null` that they replace.
  const within = (text: string) => {
    if (text.length > left) return null;
    left -= text.length;
    return text;
  };
  const made = data.subnets.map(({ id, blocks }) => {
    const found = blocks === 0 ? undefined : occupancy.subnets.get(id);
    if (found === undefined || !hasRecords(found)) return { holders: null, ids: null };
    const { packed, ids } = subnetHolders(found, position, pods);
    const holders = within(tools.deflate(packHolders(packed)));
    return {
      holders,
      ids: holders === null ? null : within(tools.deflate(new TextEncoder().encode(ids.join('\n')))),
    };
  });
  return { holders: made.map(({ holders }) => holders), ids: made.map(({ ids }) => ids) };
}

type Blocks = Readonly<Record<keyof typeof BLOCK_IDS, string>>;

function page(
  document: HeadroomDocument,
  data: PageData,
  { script, style }: ReportAssets,
  tools: ReportTools,
  blocks: Blocks,
): string {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${tools.sha256(script)}'`,
    `style-src 'sha256-${tools.sha256(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const region = document.source.region ?? 'the region';
  const title = `What room is left in ${region}`;
  const carried = Object.entries(BLOCK_IDS).map(
    ([name, id]) => `<script type="text/plain" id="${id}">${blocks[name as keyof Blocks]}</script>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${e(`Headroom: ${title}`)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#maps">Skip to the maps</a>',
    ...header(document, data, title),
    '<main>',
    ...summary(document, data),
    ...sections(),
    '</main>',
    ...footer(document),
    ...carried,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function header({ source, generatedAt }: HeadroomDocument, data: PageData, title: string): string[] {
  const facts = [
    source.account === undefined ? 'account not said' : `account ${source.account}`,
    source.now === null ? 'as of a time that was not given' : `as of ${timeWords(source.now)}`,
    source.kind === 'live' ? 'read live' : `from ${source.path ?? ''}`,
    ...limits(source),
    ...(data.frames.length < 2 ? [] : [`${data.frames.length} readings, the first ${data.frames[0]?.label ?? ''}`]),
    `made ${timeWords(generatedAt)}`,
  ];
  return [
    '<header>',
    '<p class="brand">Headroom</p>',
    `<h1>${e(title)}</h1>`,
    `<p class="meta">${e(facts.join(' · '))}</p>`,
    '</header>',
  ];
}

function summary(document: HeadroomDocument, data: PageData): string[] {
  const findings = document.findings ?? [];
  const counts = SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `<li><b>${count}</b> <span class="rank rank-${severity}">${severity}</span></li>`;
  });
  const missing = notRead(document.source);
  const first = firstLines(data);
  return [
    '<section aria-labelledby="verdict-title">',
    '<h2 class="unseen" id="verdict-title">In short</h2>',
    `<p class="verdict">${e(verdictSentence(document, data))}</p>`,
    `<ul class="counts" aria-label="Findings">${counts.join('')}</ul>`,
    `<p>${e(confidenceSentence(document))}</p>`,
    ...(missing.length === 0
      ? []
      : [
          `<div class="notice"><strong>Not read: what this report cannot know</strong><ul>${missing.map((line) => `<li>${e(line)}</li>`).join('')}</ul></div>`,
        ]),
    ...(first.length === 0
      ? []
      : [
          '<h3>What runs out first</h3>',
          `<ol class="first">${first.map(({ rank, text }) => `<li><span class="rank rank-${rank}">${rank}</span><span>${e(text)}</span></li>`).join('')}</ol>`,
        ]),
    '<noscript><p class="notice">Maps, findings and tables are drawn by the script in this file, which your browser does not run.</p></noscript>',
    '</section>',
  ];
}

function sections(): string[] {
  const legend = CELL_KINDS.map(
    (kind) =>
      `<li><span class="cell kind-${kind}${kind === 'occupied' ? ' used-6' : ''}" aria-hidden="true"></span>${e(KIND_MEANINGS[kind])}</li>`,
  );
  return [
    section(
      'maps',
      'Address space',
      [
        '<p>One cell is one /28, the 16 addresses that prefix delegation takes at once, and all maps have one scale. A single used address spoils its whole cell; how high a spoiled cell is filled says how many of its 16 are used.</p>',
        `<ul class="legend">${legend.join('')}</ul>`,
        '<div id="time" class="time" hidden></div>',
        '<p id="map-help" class="quiet no-print">Click a cell, or walk with the arrow keys, Home, End and Page keys: beside the map stands who holds its addresses.</p>',
        '<div id="subnet" class="subnet-place" tabindex="-1" role="region" aria-label="The subnet drawn large"></div>',
        '<h3 id="wall-title">Every subnet, worst first</h3>',
        '<div class="filter"><label for="filter">Show only</label><input id="filter" type="search" placeholder="name, id, zone, cluster, severity" autocomplete="off"></div>',
        '<div id="wall"></div>',
      ].join('\n'),
    ),
    section('room', 'Room left', '<div id="room-tables"></div>'),
    section('findings', 'Findings, and what to do', '<div id="finding-list"></div>'),
    '<section id="changes" aria-labelledby="changes-title" hidden><h2 id="changes-title">What changed</h2><div id="change-list"></div></section>',
    section('subnets', 'Every subnet in numbers', '<div id="subnet-table"></div>'),
    section('words', 'What the words mean', WORDS),
  ];
}

function section(id: string, title: string, content: string): string {
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>`;
}

const WORDS = [
  [
    '/28 free',
    'Whole free blocks of 16 addresses that prefix delegation can still be given, of those that the same holders would leave if they were packed as densely as possible.',
  ],
  ['Addresses free', 'EC2’s own AvailableIpAddressCount. It counts addresses that no prefix can use.'],
  ['Fragmentation', 'The share of the /28 that scatter costs: 0 % is packed, 100 % is not one left.'],
  ['exact', 'The interfaces explain EC2’s count to the last address.'],
  ['partial', 'EC2 counts addresses as taken that no visible interface holds: numbers of /28 are ranges.'],
  ['skewed', 'Addresses were released between reading the count and the interfaces.'],
  ['counts-only', 'No interface could be read: there is EC2’s count and nothing else.'],
]
  .map(([word, meaning]) => `<dt>${word}</dt><dd>${meaning}</dd>`)
  .join('')
  .replace(/^/, '<dl>')
  .concat('</dl>');

function footer({ source }: HeadroomDocument): string[] {
  const quiet = quietlyAbsent(source);
  const words = quiet.length === 0 ? '' : ` Not given, taken as empty: ${quiet.join(', ')}.`;
  return [
    '<footer>',
    `<p class="quiet">Made by headroom report. This file holds all it shows and asks nothing of any network.${e(words)}</p>`,
    '</footer>',
  ];
}
