/** The one publisher of metrics: as few requests as CloudWatch allows, and a request that is refused keeps no other from going out. */
import { type CloudWatchClient, type MetricDatum, PutMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DIMENSION_SETS, METRIC_NAMESPACE, METRICS } from '../../contract/metrics.ts';
import type { MetricValue } from '../../core/publish/metric-values.ts';
import type { MetricSink } from '../../ports/observing.ts';
import { chunks } from '../pace.ts';

/** Metrics in one request at most (PutMetricData, CloudWatch API reference). */
export const METRICS_PER_REQUEST = 1000;

export function metricPublisher(client: CloudWatchClient): MetricSink {
  return {
    async put(values, at) {
      const errors: unknown[] = [];
      let sent = 0;
      for (const batch of chunks(values, METRICS_PER_REQUEST)) {
        try {
          const MetricData = batch.map((value) => datum(value, at));
          await client.send(new PutMetricDataCommand({ Namespace: METRIC_NAMESPACE, MetricData }));
          sent += batch.length;
        } catch (error) {
          errors.push(error);
        }
      }
      return { sent, errors };
    },
  };
}

function datum({ key, dimensions, value }: MetricValue, at: number): MetricDatum {
  const { name, unit, scope } = METRICS[key];
  const numbers =
    typeof value === 'number'
      ? { Value: value }
      : { StatisticValues: { SampleCount: value.count, Sum: value.sum, Minimum: value.min, Maximum: value.max } };
  return {
    MetricName: name,
    Unit: unit,
    Dimensions: DIMENSION_SETS[scope].map((Name) => ({ Name, Value: dimensions[Name] })),
    // As it was measured, unrounded: CloudWatch puts it into its minute itself.
    Timestamp: new Date(at),
    ...numbers,
  };
}
