import type { HeadroomDocument } from '../../contract/document.ts';

/** How a run ended: `critical` where something is wrong that pages, `partial` where a part could not be read and nothing of that kind is known. */
export type Verdict = 'done' | 'critical' | 'partial';

/** @param failOn the least severity that counts as wrong; `warning` is for a gate in a build pipeline. */
export function verdictOf(document: HeadroomDocument, failOn: 'critical' | 'warning' = 'critical'): Verdict {
  const findings = document.findings ?? [];
  if (findings.some(({ severity }) => severity === 'critical' || severity === failOn)) return 'critical';
  const { unknown, absent } = document.source;
  return unknown.length > 0 || absent.includes('network-interfaces') ? 'partial' : 'done';
}
