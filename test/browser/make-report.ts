/** Makes reports as the command does, without the way over files. */
import { writeFile } from 'node:fs/promises';
import { reportAssets } from '../../bin/report/assets.ts';
import { REPORT_TOOLS } from '../../bin/report/tools.ts';
import { assess } from '../../lambdas/core/assess/assess.ts';
import { regionCells } from '../../lambdas/core/report/diff/sides.ts';
import { documentOf } from '../../lambdas/core/report/document.ts';
import { type ReportInput, reportHtml } from '../../lambdas/core/report/html/render.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';
import type { EniSink, RegionFacts } from '../../lambdas/core/subnet/snapshot.ts';

/** @param fill hands over every interface. */
export function inputOf(facts: RegionFacts, fill: (sink: EniSink) => void): ReportInput {
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  fill(builder);
  const occupancy = builder.finish();
  const enis = { state: 'read', managedResourcesIncluded: true, failures: [] } as const;
  const report = assess(facts, enis, occupancy);
  const description = { kind: 'files', name: 'made' } as const;
  const document = documentOf({ description, facts, enis, report, generatedAt: 0 });
  return { frames: [{ document, cells: regionCells(document, facts, occupancy) }], latest: { facts, occupancy } };
}

export async function writeReport(file: string, input: ReportInput): Promise<string> {
  const html = reportHtml(input, await reportAssets(), REPORT_TOOLS);
  await writeFile(file, html);
  return html;
}
