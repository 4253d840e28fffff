import type { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import {
  DIMENSION_SETS,
  METRIC_NAMESPACE,
  METRICS,
  type MetricDefinition,
  type MetricKey,
} from '../../lambdas/contract/metrics.ts';

/** Keys of the metrics that have no dimension. */
export type ServiceMetricKey = {
  [K in MetricKey]: (typeof METRICS)[K]['scope'] extends 'service' ? K : never;
}[MetricKey];

/** A metric of the service itself, by its worst statistic. */
export function serviceMetric(key: ServiceMetricKey, period: Duration): cloudwatch.Metric {
  const { name, worst } = METRICS[key];
  return new cloudwatch.Metric({ namespace: METRIC_NAMESPACE, metricName: name, statistic: worst, period });
}

/** Every series of a metric, found at the time of looking: a new subnet needs no deployment. SEARCH wants the exact set of dimensions. */
export function search(key: MetricKey, periodSeconds: number): string {
  const { scope, name, worst }: MetricDefinition = METRICS[key];
  const schema = [METRIC_NAMESPACE, ...DIMENSION_SETS[scope]].join(',');
  return `SEARCH('{${schema}} MetricName="${name}"', '${worst}', ${periodSeconds})`;
}

/** The worst series of a metric, worst first. */
export function worstFirst(key: MetricKey, periodSeconds: number, count: number): string {
  const lowIsBad = METRICS[key].worst === 'Minimum';
  return `SORT(${search(key, periodSeconds)}, ${lowIsBad ? 'MIN, ASC' : 'MAX, DESC'}, ${count})`;
}
