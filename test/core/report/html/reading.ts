import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { assess } from '../../../../lambdas/core/assess/assess.ts';
import { regionCells, sideOf } from '../../../../lambdas/core/report/diff/sides.ts';
import { documentOf } from '../../../../lambdas/core/report/document.ts';
import type { PageData, PageHolderBlocks } from '../../../../lambdas/core/report/html/page-data.ts';
import { reportHtml } from '../../../../lambdas/core/report/html/render.ts';
import { OccupancyBuilder } from '../../../../lambdas/core/subnet/occupancy.ts';
import type { RegionFacts } from '../../../../lambdas/core/subnet/snapshot.ts';
import { type EniFields, eni } from '../../../support/builders.ts';

export const TOOLS = {
  deflate: (bytes: Uint8Array) => deflateRawSync(bytes).toString('base64'),
  sha256: (text: string) => createHash('sha256').update(text).digest('base64'),
};
export const ASSETS = { script: 'the script', style: 'the style' };

/** @param enis `null`: they could not be read. */
export function reading(facts: RegionFacts, enis: readonly EniFields[] | null) {
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  for (const fields of enis ?? []) builder.add(eni(fields));
  const occupancy = builder.finish();
  const state =
    enis === null
      ? ({ state: 'absent' } as const)
      : ({ state: 'read', managedResourcesIncluded: true, failures: [] } as const);
  const report = assess(facts, state, occupancy);
  const description = { kind: 'files', name: 'folder' } as const;
  const document = documentOf({ description, facts, enis: state, report, generatedAt: 0 });
  return {
    frame: { document, cells: regionCells(document, facts, occupancy) },
    latest: { facts, occupancy },
    side: sideOf(document, facts, occupancy),
  };
}

export function html(facts: RegionFacts, enis: readonly EniFields[] | null): string {
  const { frame, latest } = reading(facts, enis);
  return reportHtml({ frames: [frame], latest }, ASSETS, TOOLS);
}

export function carried(page: string, id: string): string {
  return new RegExp(`<script type="text/plain" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
}

export function inflated(base64: string): Uint8Array {
  return new Uint8Array(inflateRawSync(Buffer.from(base64, 'base64')));
}

export function dataOf(page: string): PageData {
  return JSON.parse(Buffer.from(inflated(carried(page, 'data'))).toString()) as PageData;
}

export function holdersOf(page: string): PageHolderBlocks {
  return JSON.parse(carried(page, 'holders')) as PageHolderBlocks;
}
