/** What the service is expected to cost a month, item by item, each with the formula it comes from. */
import type { Config } from '../../lambdas/contract/config.ts';
import { ConfigError } from '../../lambdas/contract/config-problem.ts';
import { metricsPerMember } from '../../lambdas/contract/metrics.ts';
import { PRICES } from './prices.ts';

const SECONDS_PER_MONTH = 30 * 86_400;
/** Network interfaces on one page, and the time a page takes with eight pages in flight (300 ms of latency each). */
const ENIS_PER_PAGE = 1000;
const SECONDS_PER_PAGE = 0.3 / 8;
/** Everything else that a tick does: subnets, clusters, table, metrics. */
const SECONDS_PER_TICK = 1;
/** Gzipped, a ledger with its holders takes a few hundred bytes a subnet and some tens an interface. */
const SNAPSHOT_BYTES = { subnet: 400, networkInterface: 60 };
const GB = 1e9;
/** Reads and writes of the table on a tick: locks, marks, open findings. */
const TABLE_UNITS_PER_TICK = 20;
/** Lambda keeps about five long polls of 20 seconds open on each queue (Lambda developer guide, SQS). */
const POLLS_PER_QUEUE = (5 * SECONDS_PER_MONTH) / 20;
/** A tick logs a few lines. */
const LOG_BYTES_PER_TICK = 2_000;

export interface CostItem {
  readonly item: string;
  readonly usd: number;
  /** How it was worked out, with the numbers of this configuration. */
  readonly formula: string;
}

/** What the template itself holds. */
export interface TemplateCounts {
  readonly alarms: number;
  readonly queuesWithConsumer: number;
  readonly observeMemoryMiB: number;
}

/** Custom metrics that the expected region would publish; the budget bounds them at run time. */
export function expectedMetrics({ metrics }: Config): { readonly count: number; readonly formula: string } {
  const { expected, budget, subnetCap } = metrics;
  const wanted =
    expected.vpcs * expected.zones * metricsPerMember('zone') +
    expected.clusters * expected.zones * metricsPerMember('cluster') +
    Math.min(subnetCap, expected.subnets) * metricsPerMember('subnet') +
    metricsPerMember('service');
  const formula =
    `min(budget ${budget}, ${expected.vpcs} VPCs x ${expected.zones} zones x ${metricsPerMember('zone')}` +
    ` + ${expected.clusters} clusters x ${expected.zones} zones x ${metricsPerMember('cluster')}` +
    ` + ${Math.min(subnetCap, expected.subnets)} subnets x ${metricsPerMember('subnet')} + ${metricsPerMember('service')})`;
  return { count: Math.min(budget, wanted), formula };
}

export function estimate(config: Config, template: TemplateCounts): readonly CostItem[] {
  const { expected } = config.metrics;
  const ticks = SECONDS_PER_MONTH / config.schedule.tick;
  const metrics = expectedMetrics(config);
  const runTimeAlarms = Math.min(config.metrics.alarmBudget, 2 * expected.clusters * expected.zones);
  const scanSeconds = SECONDS_PER_TICK + (expected.networkInterfaces / ENIS_PER_PAGE) * SECONDS_PER_PAGE;
  const gbSeconds = ticks * scanSeconds * (template.observeMemoryMiB / 1024);
  const wholeReads = SECONDS_PER_MONTH / config.schedule.fullReadAtMost;
  const snapshotGb =
    (expected.subnets * SNAPSHOT_BYTES.subnet + expected.networkInterfaces * SNAPSHOT_BYTES.networkInterface) / GB;
  const keptGb = (snapshotGb * config.deployment.snapshotRetention) / config.schedule.fullReadAtMost;
  const row = (item: string, usd: number, formula: string): CostItem => ({ item, usd, formula });
  return [
    row(
      'custom metrics',
      metrics.count * PRICES.customMetric,
      `${metrics.count} x ${PRICES.customMetric}; ${metrics.formula}`,
    ),
    row(
      'alarms',
      (runTimeAlarms + template.alarms) * PRICES.alarm,
      `(min(budget ${config.metrics.alarmBudget}, 2 x ${expected.clusters} clusters x ${expected.zones} zones) + ${template.alarms} of the service) x ${PRICES.alarm}`,
    ),
    row('dashboard', PRICES.dashboard, `${PRICES.dashboard}, free if it is one of your first three`),
    row('metric requests', ticks * PRICES.putMetricData, `${ticks} ticks x 1 request x ${PRICES.putMetricData}`),
    row(
      'compute',
      gbSeconds * PRICES.lambdaGbSecond + ticks * PRICES.lambdaRequest,
      `${ticks} ticks x (${SECONDS_PER_TICK} s + ${expected.networkInterfaces} interfaces / ${ENIS_PER_PAGE} x ${SECONDS_PER_PAGE} s) x ${template.observeMemoryMiB / 1024} GB x ${PRICES.lambdaGbSecond} + requests`,
    ),
    row(
      'snapshots',
      keptGb * PRICES.s3GbMonth + wholeReads * PRICES.s3Put,
      `${keptGb.toFixed(1)} GB kept x ${PRICES.s3GbMonth} + ${wholeReads} writes x ${PRICES.s3Put}`,
    ),
    row(
      'state',
      ticks * TABLE_UNITS_PER_TICK * (PRICES.dynamodbWrite + PRICES.dynamodbRead),
      `${ticks} ticks x ${TABLE_UNITS_PER_TICK} reads and writes x ${PRICES.dynamodbWrite + PRICES.dynamodbRead}`,
    ),
    row(
      'queues and key',
      template.queuesWithConsumer * POLLS_PER_QUEUE * PRICES.sqsRequest + PRICES.kmsKey,
      `${template.queuesWithConsumer} queues x ${POLLS_PER_QUEUE} polls x ${PRICES.sqsRequest} + key ${PRICES.kmsKey}`,
    ),
    row(
      'logs',
      ((ticks * LOG_BYTES_PER_TICK) / GB) * PRICES.logsGb,
      `${ticks} ticks x ${LOG_BYTES_PER_TICK} bytes x ${PRICES.logsGb} a GB`,
    ),
  ];
}

export function total(items: readonly CostItem[]): number {
  return items.reduce((sum, { usd }) => sum + usd, 0);
}

/** The table that synth prints. */
export function costTable(items: readonly CostItem[]): string {
  const line = (item: string, usd: number, formula: string) =>
    `  ${item.padEnd(16)}${usd.toFixed(2).padStart(9)}  ${formula}`;
  return [
    `Expected monthly cost in US dollars (${PRICES.region}, prices of ${PRICES.asOf}, no free tier):`,
    ...items.map(({ item, usd, formula }) => line(item, usd, formula)),
    line('total', total(items), ''),
  ]
    .map((text) => text.trimEnd())
    .join('\n');
}

/** @throws {@link ConfigError} where the expected cost is above `metrics.monthlyCeilingUsd`. */
export function holdToCeiling(config: Config, items: readonly CostItem[]): void {
  const { monthlyCeilingUsd } = config.metrics;
  const usd = total(items);
  if (usd <= monthlyCeilingUsd) return;
  const remedy =
    `is below the expected ${usd.toFixed(2)} US dollars a month; raise it to ${Math.ceil(usd)}, ` +
    'or lower metrics.budget, metrics.subnetCap or what metrics.expected says';
  throw new ConfigError([{ field: 'metrics.monthlyCeilingUsd', value: String(monthlyCeilingUsd), remedy }]);
}
