/** One scan: observe -> assess -> publish. What could be measured is published whatever else fails; what failed is said at the end. */

import type { Config } from '../../contract/config.ts';
import type { Finding } from '../../contract/finding.ts';
import { HeadroomError } from '../../contract/headroom-error.ts';
import { SERVICE_ITEMS } from '../../contract/names.ts';
import { assessContext, reportOf } from '../../core/assess/assess.ts';
import type { CapacityReport } from '../../core/assess/report.ts';
import { settingsFromConfig } from '../../core/assess/settings.ts';
import type { Need } from '../../core/observe/scan-lock.ts';
import { contextInScope } from '../../core/observe/scope.ts';
import { findingMaps } from '../../core/publish/finding-map.ts';
import { isAdmitted } from '../../core/publish/finding-state.ts';
import { type Measured, whatWasMeasured } from '../../core/publish/measured.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { itemOf, valuesOf } from './items.ts';
import { alarmsFor, publishAlarms, type TopicArns } from './publish-alarms.ts';
import { findingItems, publishFindings } from './publish-findings.ts';
import { publishMetrics } from './publish-metrics.ts';
import { planMemory, publishPlans } from './publish-plans.ts';
import { type RegionReading, readRegion } from './read-region.ts';
import { serviceFindings } from './service-check.ts';

/** Where the service runs, and whom its alarms tell. */
export interface Deployment {
  readonly account: string;
  readonly region: string;
  readonly topics: TopicArns;
  readonly config: Config;
}

export interface ScanInput {
  /** Epoch milliseconds. */
  readonly began: number;
  /** Counts the scans of the deployment. */
  readonly number: number;
  readonly previous?: number;
  readonly needs: readonly Need[];
}

/** Kept back from reading for assessing and publishing; longest are the alarms of a new deployment, which may be left for the next scan. */
const PUBLISH_RESERVE_MS = 40_000;

/** Thrown at the end of a scan that could not publish all of it: so that the run is seen to fail, and is tried again. */
export class ScanFailed extends HeadroomError {
  override readonly name = 'ScanFailed';
  readonly code = 'SCAN_FAILED';
  readonly retryable = true;
}

export interface ScanResult {
  readonly reading: RegionReading;
  readonly report: CapacityReport;
  readonly measured: Measured;
}

/** @throws ReadError where no subnet could be read; {@link ScanFailed} where a part could not be published, after all the others were. */
export async function scan(world: ObserveWorld, deployment: Deployment, input: ScanInput): Promise<ScanResult> {
  const { config, account, region } = deployment;
  const { began, needs } = input;
  const budget = Math.max(1_000, world.clock.remaining() - PUBLISH_RESERVE_MS);
  const reading = await readRegion({ world, config, began, needs, account, signal: AbortSignal.timeout(budget) });
  const { facts, enis } = reading;
  const [known, checked, first, memory] = await Promise.all([
    findingItems(world),
    serviceFindings(world, began),
    itemOf(world.state, 'service', SERVICE_ITEMS.firstScan).then((item) => item === undefined),
    planMemory(world),
  ]);
  const measured = whatWasMeasured({ facts, enis, clustersRead: reading.clustersRead });
  for (const failure of measured.failures) world.log('warn', 'observe', 'not read', failure);

  const states = valuesOf(known);
  const readAt = (finding: Finding) =>
    finding.vpcId === undefined ? began : (reading.readAt.get(finding.vpcId) ?? began);
  const context = contextInScope(
    config.scope,
    assessContext(facts, enis, reading.occupancy, settingsFromConfig(config)),
  );
  const reverted = memory.reverted(context);
  const report = reportOf(context, (finding) => isAdmitted(states, finding, readAt(finding)), reverted);
  // Those that do not count yet are remembered all the same: the next read decides.
  const seen = reportOf(context, undefined, [...checked.findings, ...reverted]).findings;

  const alarms = alarmsFor(report, config, deployment.topics);
  const errors: unknown[] = [];
  const part = async (name: string, work: () => Promise<readonly unknown[]>) => {
    const failed = await work().catch((error: unknown) => [error]);
    for (const error of failed) world.log('error', 'publish', `${name} failed`, { error: String(error) });
    errors.push(...failed);
  };
  const oldestRead = Math.min(began, ...reading.readAt.values());
  await part('findings', async () => {
    const published = await publishFindings(
      world,
      { account, region },
      known,
      {
        at: began,
        number: input.number,
        first,
        ...(input.previous === undefined ? {} : { previousAt: input.previous }),
        measured: measured.proves,
        readAt,
        mapOf: findingMaps(context),
      },
      seen,
    );
    if (first && published.errors.length === 0) {
      await world.state.put('service', SERVICE_ITEMS.firstScan, { at: began }, { expected: undefined });
    }
    return published.errors;
  });
  await part('plans', async () => {
    const home = { account, region };
    await publishPlans(world, memory, {
      home,
      config,
      context,
      findings: report.findings,
      vpcIds: reading.vpcsRead,
      now: began,
    });
    return [];
  });
  await part('snapshot', async () => {
    if (reading.vpcsRead.length > 0)
      await world.store.saveSnapshot({ facts, enis, occupancy: reading.occupancy }, began);
    return [];
  });
  await part('metrics', () =>
    publishMetrics(world, {
      config,
      facts,
      report,
      measured,
      began,
      oldestRead,
      alarmsCut: alarms.suppressed,
      throttled: reading.throttled,
    }),
  );
  await part('alarms', () => publishAlarms(world, alarms, { measured, report, config }));
  if (errors.length > 0) {
    throw new ScanFailed(`${errors.length} parts of the scan could not be published: ${String(errors[0])}`, {
      cause: errors,
    });
  }
  return { reading, report, measured };
}
