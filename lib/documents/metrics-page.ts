import {
  DIMENSION_SETS,
  METRIC_NAMESPACE,
  METRICS,
  type MetricDefinition,
  type MetricScope,
} from '../../lambdas/contract/metrics.ts';
import { code, table } from './markdown.ts';

const SCOPES: Readonly<Record<MetricScope, { readonly title: string; readonly count: string }>> = {
  zone: { title: 'Zones', count: 'VPCs x zones x 4' },
  cluster: { title: 'Clusters', count: 'clusters x zones x 4' },
  subnet: { title: 'Subnets at risk', count: 'at most 3 x `metrics.subnetCap`' },
  service: { title: 'The service itself', count: '9' },
};

/** The tables of docs/metrics.md. */
export function metricTables(): string {
  return Object.entries(SCOPES)
    .map(([scope, { title, count }]) => {
      const dimensions = DIMENSION_SETS[scope as MetricScope];
      const of = dimensions.length === 0 ? 'no dimension' : `dimensions ${dimensions.map(code).join(', ')}`;
      const rows = Object.values<MetricDefinition>(METRICS)
        .filter((metric) => metric.scope === scope)
        .map((metric) => [
          code(metric.name),
          metric.unit,
          code(metric.worst),
          metric.sources.join(', '),
          metric.meaning,
        ]);
      const head = ['metric', 'unit', 'look at', 'sent by', 'meaning'];
      return `### ${title}\n\nNamespace ${code(METRIC_NAMESPACE)}, ${of}. How many: ${count}.\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}
