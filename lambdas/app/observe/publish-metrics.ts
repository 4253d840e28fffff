/** Publishes what a scan measured, as far as the budget goes, and counts what it cut. */
import type { Config } from '../../contract/config.ts';
import type { CapacityReport } from '../../core/assess/report.ts';
import type { Measured } from '../../core/publish/measured.ts';
import { type Member, withinBudget } from '../../core/publish/metric-budget.ts';
import {
  clusterValues,
  type MetricValue,
  present,
  subnetValues,
  zoneValues,
} from '../../core/publish/metric-values.ts';
import { type Watched, watchSubnets } from '../../core/publish/subnet-watch.ts';
import { isFull } from '../../core/subnet/ledger.ts';
import type { RegionFacts } from '../../core/subnet/snapshot.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { forEach, itemsOf, valuesOf } from './items.ts';

export interface MetricsInput {
  readonly config: Config;
  readonly facts: RegionFacts;
  readonly report: CapacityReport;
  readonly measured: Measured;
  /** Epoch milliseconds at which the scan began. */
  readonly began: number;
  /** Alarms that their own budget cut. */
  readonly alarmsCut: number;
  /** Epoch milliseconds of the oldest read that the numbers rest on. */
  readonly oldestRead: number;
  readonly throttled: number;
}

/** @returns errors of the parts that failed; the others are published all the same. */
export async function publishMetrics(world: ObserveWorld, input: MetricsInput): Promise<readonly unknown[]> {
  const { config, facts, report, measured, began } = input;
  const known = await itemsOf<Watched>(world.state, 'subnet');
  const watch = watchSubnets(facts.subnets, report.findings, valuesOf(known), {
    now: began,
    cap: config.metrics.subnetCap,
    complete: facts.failures.every(({ input: name }) => name !== 'subnets'),
  });
  const { values, suppressed } = withinBudget(members(input, watch.chosen), config.metrics.budget);
  const perSubnet = 3;
  const own = serviceValues(world, input, suppressed + watch.cut * perSubnet + input.alarmsCut);
  const put = await world.metrics.put([...values, ...own], began);
  const remembered = await forEach([...watch.remember], async ([id, value]) => {
    await world.state.put('subnet', id, value, { expected: known.get(id)?.version });
  });
  const forgotten = await forEach(watch.forget, async (id) => {
    const version = known.get(id)?.version;
    if (version !== undefined) await world.state.remove('subnet', id, version);
  });
  world.log('info', 'publish', 'metrics', { sent: put.sent, suppressed, failedSubnets: measured.failedSubnets.size });
  return [...put.errors, ...remembered, ...forgotten];
}

function members({ report, measured }: MetricsInput, chosen: readonly string[]) {
  const { unreadSubnets, unsure } = measured;
  const bySubnet = new Map(report.subnets.map((subnet) => [subnet.ledger.subnetId, subnet]));
  const cluster: Member[] = report.clusters.flatMap((one) =>
    one.zones.map((zone) => clusterValues(one.cluster, zone, unreadSubnets, unsure(one.cluster))),
  );
  const zone: Member[] = report.zones.map((one) => zoneValues(one, unreadSubnets));
  const subnet: Member[] = chosen.map((id) => {
    const found = bySubnet.get(id);
    return found === undefined ? [] : subnetValues(found);
  });
  return { cluster, zone, subnet };
}

function serviceValues(world: ObserveWorld, input: MetricsInput, suppressed: number): readonly MetricValue[] {
  const { report, measured, began } = input;
  const { clock } = world;
  const full = report.subnets.map(({ ledger }) => ledger).filter(isFull);
  const whole = measured.unreadSubnets.size === 0;
  const leaked = report.findings.filter(({ code }) => code === 'LEAKED_ENI');
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return present({}, [
    ['observedSubnets', report.subnets.filter(({ ledger }) => !measured.failedSubnets.has(ledger.subnetId)).length],
    ['failedSubnets', measured.failedSubnets.size],
    // A sum with an unknown part is not known.
    ['unaccountedIps', whole ? sum(full.map(({ unaccountedIps }) => unaccountedIps)) : null],
    ['leakedEnis', whole ? sum(leaked.map(({ eniIds }) => eniIds?.length ?? 0)) : null],
    ['scanSeconds', (clock.now() - began) / 1000],
    ['snapshotAgeSeconds', Math.max(0, clock.now() - input.oldestRead) / 1000],
    ['throttledRequests', input.throttled],
    ['metricsSuppressed', suppressed],
  ]);
}
