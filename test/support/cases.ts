/** The real cases under test/cases: their folders, what they expect, and the assessment of each through the folder reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { openFolder } from '../../lambdas/adapters/files/folder-source.ts';
import { diagnose } from '../../lambdas/app/diagnose.ts';
import type { Finding } from '../../lambdas/contract/finding.ts';
import { assessContext, reportOf } from '../../lambdas/core/assess/assess.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';

const ROOT = new URL('../cases/', import.meta.url);

export interface ExpectedFinding {
  readonly code: string;
  readonly [field: string]: unknown;
}

/** The keys of `expected.json` that tests read (test/cases/README.md). */
export interface Expected {
  readonly verb?: string;
  readonly subnets?: { readonly [subnetId: string]: { readonly [field: string]: unknown } };
  readonly countsOnly?: { readonly [subnetId: string]: { readonly availableIps: number; readonly usableIps: number } };
  readonly perSubnet?: { readonly [subnetId: string]: { readonly [field: string]: unknown } };
  readonly byKind?: { readonly [kind: string]: number };
  readonly findings: readonly ExpectedFinding[];
}

/** A finding that would be wrong here: all the fields that are given must agree. */
export interface Unwanted {
  readonly code?: string;
  readonly severity?: string;
  readonly subnetId?: string;
  /** No finding may name this interface. */
  readonly eniId?: string;
  readonly why: string;
}

export function caseNames(): readonly string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

export function caseFolder(name: string): string {
  return new URL(name, ROOT).pathname;
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}

export function expectedOf(name: string): Expected {
  return json(`${name}/expected.json`) as Expected;
}

export function unwantedOf(name: string): readonly Unwanted[] {
  return json(`${name}/not-found.json`) as readonly Unwanted[];
}

/** What neither `assess --from` nor `diagnose --from` finds yet, by case and code, and which verb will. */
export function notCovered(): readonly { readonly case: string; readonly code: string; readonly verb: string }[] {
  return json('not-covered.json') as readonly { case: string; code: string; verb: string }[];
}

/** Reads a case's folder and assesses it, as `headroom assess --from` does. */
export async function assessCase(name: string) {
  const source = openFolder(caseFolder(name));
  const facts = await source.facts();
  const builder = new OccupancyBuilder(facts);
  const enis = await source.networkInterfaces(facts, builder);
  const context = assessContext(facts, enis, builder.finish());
  return { context, report: reportOf(context) };
}

/** The findings that follow from the files that a case's `verb` names, as `headroom diagnose ... --from` gives them; none for a case of another verb. */
export async function diagnoseCase(name: string): Promise<readonly Finding[]> {
  const [verb, ...files] = (expectedOf(name).verb ?? '').split(' ');
  if (verb !== 'diagnose') return [];
  const document = await diagnose({
    files: files.map((file) => ({ name: file, document: json(`${name}/${file}`) })),
    source: () => Promise.resolve(openFolder(caseFolder(name))),
    generatedAt: 0,
  });
  return (document.findings ?? []) as readonly Finding[];
}
