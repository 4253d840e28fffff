import { Aws, Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { MetricKey } from '../../lambdas/contract/metrics.ts';
import { type ServiceMetricKey, search, serviceMetric, worstFirst } from './metrics.ts';
import type { WatchedFunction } from './service-alarms.ts';

/** Seconds: five minutes keep a week readable, and are fine enough to see a scale-up. */
const PERIOD = 300;
/** A graph with more lines is not read. */
const WORST = 20;
const FULL = 24;
const HALF = 12;
const HEIGHT = 7;
const MAP_HEIGHT = 12;

const expression = (text: string, label: string) =>
  new cloudwatch.MathExpression({ expression: text, label, usingMetrics: {}, period: Duration.seconds(PERIOD) });

/** `label` is what CloudWatch puts before each series' dimensions. */
function graph(title: string, text: string, width: number, left?: cloudwatch.YAxisProps): cloudwatch.GraphWidget {
  return new cloudwatch.GraphWidget({
    title,
    width,
    height: HEIGHT,
    left: [expression(text, '')],
    leftYAxis: { min: 0, ...left },
    legendPosition: cloudwatch.LegendPosition.RIGHT,
  });
}

const all = (title: string, key: MetricKey, width = HALF) => graph(title, search(key, PERIOD), width);
const worst = (title: string, key: MetricKey, width = HALF) => graph(title, worstFirst(key, PERIOD, WORST), width);
const heading = (markdown: string) => new cloudwatch.TextWidget({ markdown, width: FULL, height: 2 });

export interface DashboardProps {
  readonly functions: readonly WatchedFunction[];
  readonly alarms: readonly cloudwatch.IAlarm[];
  /** Of the function that draws the worst subnets. */
  readonly widgetFunctionArn: string;
}

/** From the worst subnet down to the service's own health. It follows new clusters, zones and subnets by itself. */
export class HeadroomDashboard extends Construct {
  readonly dashboard: cloudwatch.Dashboard;

  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    this.dashboard = new cloudwatch.Dashboard(this, 'Dashboard', {
      dashboardName: `Headroom-${Aws.REGION}`,
      defaultInterval: Duration.days(1),
      widgets: [...maps(props), ...clusters(), ...zones(), ...subnets(), ...health(props)],
    });
  }
}

/** First, since a picture is understood before any graph. A viewer must allow it to run once. */
function maps({ widgetFunctionArn }: DashboardProps): cloudwatch.IWidget[][] {
  return [
    [
      new cloudwatch.CustomWidget({
        title: 'Worst subnets, one cell a /28',
        functionArn: widgetFunctionArn,
        width: FULL,
        height: MAP_HEIGHT,
        updateOnRefresh: true,
        updateOnResize: false,
        updateOnTimeRangeChange: false,
      }),
    ],
  ];
}

function clusters(): cloudwatch.IWidget[][] {
  return [
    [
      heading(
        '# Clusters\nHow many more nodes each cluster can take in each zone, and how bad it is (0 fine, 1 warning, 2 critical).',
      ),
    ],
    [worst('Clusters: more nodes that fit', 'clusterNodeHeadroom'), worst('Clusters: severity', 'clusterSeverity')],
    [
      worst('Clusters: free /28 prefixes', 'clusterFreePrefixes'),
      worst('Clusters: available addresses', 'clusterAvailableIps'),
    ],
  ];
}

function zones(): cloudwatch.IWidget[][] {
  return [
    [heading('# Zones\nThe worst subnet of each VPC and zone that serves nodes or pods.')],
    [
      all('Zones: fewest free /28 prefixes', 'zoneFreePrefixes'),
      all('Zones: fewest available addresses', 'zoneAvailableIps'),
    ],
    [all('Zones: worst fragmentation (%)', 'zoneFragmentation'), all('Zones: network interfaces', 'zoneEnis')],
  ];
}

function subnets(): cloudwatch.IWidget[][] {
  return [
    [heading('# Worst subnets\nOnly subnets at risk, or tagged `headroom:metrics=always`, have metrics of their own.')],
    [
      worst('Worst subnets: free /28 prefixes', 'subnetFreePrefixes'),
      worst('Worst subnets: available addresses', 'subnetAvailableIps'),
    ],
    [worst('Worst subnets: fragmentation (%)', 'subnetFragmentation', FULL)],
  ];
}

function health({ functions, alarms }: DashboardProps): cloudwatch.IWidget[][] {
  const period = Duration.seconds(PERIOD);
  const own = (title: string, keys: readonly ServiceMetricKey[]) =>
    new cloudwatch.GraphWidget({
      title,
      width: HALF,
      height: HEIGHT,
      left: keys.map((key) => serviceMetric(key, period)),
      leftYAxis: { min: 0 },
    });
  const perFunction = (title: string, metric: (watched: WatchedFunction) => cloudwatch.IMetric | undefined) =>
    new cloudwatch.GraphWidget({
      title,
      width: HALF,
      height: HEIGHT,
      left: functions.map(metric).filter((one) => one !== undefined),
      leftYAxis: { min: 0 },
    });
  return [
    [heading('# Headroom itself\nIf this part is red, do not trust the rest.')],
    [new cloudwatch.AlarmStatusWidget({ title: 'Alarms of the service', width: FULL, height: 4, alarms: [...alarms] })],
    [
      own('Subnets', ['observedSubnets', 'failedSubnets']),
      own('Seconds', ['scanSeconds', 'snapshotAgeSeconds', 'eventLagSeconds']),
    ],
    [own('Unexplained', ['unaccountedIps', 'leakedEnis']), own('Limits', ['throttledRequests', 'metricsSuppressed'])],
    [
      perFunction('Errors', ({ name, function: { function: fn } }) => fn.metricErrors({ label: name, period })),
      perFunction('Dead letters', ({ name, work }) =>
        work?.deadLetters.metricApproximateNumberOfMessagesVisible({
          label: name,
          period,
          statistic: cloudwatch.Stats.MAXIMUM,
        }),
      ),
    ],
  ];
}
