/** What of the metrics is published where the budget does not reach: clusters first, then zones, then subnets; the service's own always. */
import { METRICS, type MetricScope, metricsPerMember } from '../../contract/metrics.ts';
import type { MetricValue } from './metric-values.ts';

/** The metrics of one cluster in one zone, of one zone, or of one subnet. */
export type Member = readonly MetricValue[];

export interface MetricPlan {
  readonly values: readonly MetricValue[];
  /** Metrics that the budget cut. */
  readonly suppressed: number;
}

/**
 * Members are taken whole and in their order, and each counts as many metrics as its scope has, whether all of its values are known or not: so what is cut does
 * not change with what could be read.
 */
export function withinBudget(
  members: Readonly<Record<Exclude<MetricScope, 'service'>, readonly Member[]>>,
  budget: number,
): MetricPlan {
  let left = budget - metricsPerMember('service');
  let suppressed = 0;
  const values: MetricValue[] = [];
  for (const scope of ['cluster', 'zone', 'subnet'] as const) {
    const each = metricsPerMember(scope);
    for (const member of members[scope]) {
      if (left < each) {
        suppressed += each;
        continue;
      }
      left -= each;
      values.push(...member);
    }
  }
  return { values, suppressed };
}

/** The name that CloudWatch gets. */
export function metricName({ key }: MetricValue): string {
  return METRICS[key].name;
}
