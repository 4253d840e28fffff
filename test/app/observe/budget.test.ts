/** The default configuration with 5 VPCs, 10 clusters, 3 zones and 1,000 subnets, through the real publisher and the real client. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { metricPublisher } from '../../../lambdas/adapters/cloudwatch/metric-publisher.ts';
import { publishMetrics } from '../../../lambdas/app/observe/publish-metrics.ts';
import { parseConfig } from '../../../lambdas/contract/config.ts';
import { assess } from '../../../lambdas/core/assess/assess.ts';
import type { CapacityReport } from '../../../lambdas/core/assess/report.ts';
import { whatWasMeasured } from '../../../lambdas/core/publish/measured.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import type { RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import type { ObserveWorld } from '../../../lambdas/ports/observing.ts';

import { type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';
import { READ, region, subnet } from '../../support/builders.ts';
import { cluster, nodegroup, read } from '../../support/cluster-facts.ts';
import { MemoryStateTable } from '../../support/fakes/memory-state-table.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
let standIn: AwsStandIn | undefined;
afterEach(async () => standIn?.stop());

interface Datum {
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: string }[];
  readonly StatisticValues?: { readonly Minimum: number; readonly Sum: number; readonly SampleCount: number };
  readonly Value?: number;
}

/** 200 subnets in each of 5 VPCs, dealt out to 3 zones; two clusters a VPC, each with half of its subnets. */
function largeRegion() {
  const subnets = Array.from({ length: 1000 }, (_, n) => {
    const vpc = Math.floor(n / 200);
    const zone = n % 3;
    return subnet(`10.${vpc}.${n % 200}.0/24`, {
      subnetId: `subnet-${String(n).padStart(17, '0')}`,
      vpcId: `vpc-${vpc}`,
      availabilityZone: `us-east-1${'abc'[zone]}`,
      availabilityZoneId: `use1-az${zone + 1}`,
      // Every one is nearly full: all of them want metrics of their own.
      availableIps: 3 + (n % 7),
    });
  });
  const names = Array.from({ length: 10 }, (_, n) => `cluster-${n}`);
  return region(subnets, {
    clusters: read(names.map((name, n) => cluster(name, { vpcId: `vpc-${Math.floor(n / 2)}` }))),
    nodegroups: read(
      names.map((name, n) =>
        nodegroup(
          name,
          subnets.slice(n * 100, n * 100 + 100).map(({ subnetId }) => subnetId),
        ),
      ),
    ),
  });
}

/** Assessed once: a thousand subnets in trouble, each looking for a standby, take seconds on a busy machine. */
let once: { readonly facts: RegionFacts; readonly report: CapacityReport } | undefined;
function assessed() {
  if (once === undefined) {
    const facts = largeRegion();
    once = { facts, report: assess(facts, READ, new OccupancyBuilder(facts).finish()) };
  }
  return once;
}
beforeAll(() => {
  assessed();
}, 60_000);

async function publish(document: object = {}): Promise<{
  readonly requests: number;
  readonly data: readonly Datum[];
  readonly facts: RegionFacts;
}> {
  const running = await startAwsStandIn(() => ({
    body: '{}',
    headers: { 'content-type': 'application/x-amz-json-1.0' },
  }));
  standIn = running;
  const client = new CloudWatchClient({
    endpoint: running.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    disableRequestCompression: true,
  });
  const { facts, report } = assessed();
  const world = {
    state: new MemoryStateTable(),
    metrics: metricPublisher(client),
    clock: { now: () => NOON + 2_000 },
    log: () => undefined,
  } as unknown as ObserveWorld;
  const errors = await publishMetrics(world, {
    config: parseConfig(document),
    facts,
    report,
    measured: whatWasMeasured({ facts, enis: READ, clustersRead: true }),
    began: NOON,
    alarmsCut: 0,
    oldestRead: NOON,
    throttled: 0,
  });
  client.destroy();
  expect(errors).toEqual([]);
  const puts = running.calls.filter(({ action }) => action === 'PutMetricData');
  return { requests: puts.length, data: puts.flatMap(({ parameters }) => parameters.MetricData as Datum[]), facts };
}

const identity = ({ MetricName, Dimensions }: Datum) =>
  `${MetricName} ${Dimensions.map(({ Name, Value }) => `${Name}=${Value}`)
    .sort()
    .join(' ')}`;

test('is at most 350 metrics in one request, and the worst subnet of each zone is still exact', async () => {
  const { requests, data, facts } = await publish();
  expect(requests).toBe(1);
  const distinct = new Set(data.map(identity));
  expect(distinct.size).toBe(data.length);
  expect(distinct.size).toBeLessThanOrEqual(350);
  expect(
    data.filter(({ Dimensions }) => Dimensions.some(({ Name }) => Name === 'SubnetId')).length,
  ).toBeLessThanOrEqual(150);
  for (const datum of data) {
    const vpc = datum.Dimensions.find(({ Name }) => Name === 'VpcId')?.Value;
    if (vpc === undefined || datum.MetricName !== 'AvailableIps') continue;
    const zone = datum.Dimensions.find(({ Name }) => Name === 'ZoneId')?.Value;
    const own = facts.subnets.filter((one) => one.vpcId === vpc && one.availabilityZoneId === zone);
    expect(datum.StatisticValues).toMatchObject({
      SampleCount: own.length,
      Minimum: Math.min(...own.map(({ availableIps }) => availableIps)),
      Sum: own.reduce((sum, { availableIps }) => sum + availableIps, 0),
    });
  }
  const suppressed = data.find(({ MetricName }) => MetricName === 'MetricsSuppressed');
  expect(suppressed?.Value).toBe(3 * 950);
});

test('with a smaller budget clusters come before zones and zones before subnets, and what is cut is counted', async () => {
  const { data } = await publish({ metrics: { budget: 150 } });
  expect(data.length).toBeLessThanOrEqual(150);
  const scopes = (name: string) => data.filter(({ Dimensions }) => Dimensions.some((one) => one.Name === name)).length;
  expect(scopes('ClusterName')).toBeGreaterThan(0);
  expect(scopes('SubnetId')).toBe(0);
  const suppressed = data.find(({ MetricName }) => MetricName === 'MetricsSuppressed')?.Value ?? 0;
  // 30 cluster zones fill 120 places; 9 are the service's; 5 zones fit of 15; 50 subnets do not, and 950 never had a place.
  expect(suppressed).toBe(10 * 4 + 3 * 50 + 3 * 950);
});
