/** Assesses small regions, so that a test of a rule says only what the rule is about. */
import type { Finding, FindingCode } from '../../lambdas/contract/finding.ts';
import { assess } from '../../lambdas/core/assess/assess.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import { OccupancyBuilder } from '../../lambdas/core/subnet/occupancy.ts';
import type { EniReading, EniRecord, RegionFacts, SubnetFacts } from '../../lambdas/core/subnet/snapshot.ts';
import { READ, region } from './builders.ts';

export interface Given {
  readonly subnets: readonly SubnetFacts[];
  /** Without them no interface was read: counts only. */
  readonly enis?: readonly EniRecord[];
  readonly facts?: Partial<RegionFacts>;
  readonly settings?: AssessSettings;
  readonly reading?: EniReading;
}

export function assessed({ subnets, enis, facts, settings, reading }: Given): readonly Finding[] {
  const all = region(subnets, facts);
  const builder = new OccupancyBuilder(all);
  for (const one of enis ?? []) builder.add(one);
  return assess(all, enis === undefined ? { state: 'absent' } : (reading ?? READ), builder.finish(), settings).findings;
}

/** The one finding of a code, or `undefined`; more than one is an error of the test. */
export function only(findings: readonly Finding[], code: FindingCode): Finding | undefined {
  const found = findings.filter((one) => one.code === code);
  if (found.length > 1) throw new Error(`${found.length} findings of ${code}`);
  return found[0];
}

export function codes(findings: readonly Finding[]): readonly FindingCode[] {
  return findings.map(({ code }) => code);
}
