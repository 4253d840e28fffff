/** What observe may do: read, publish, remember. Nothing here writes to EC2 or EKS, and a test holds it to that. */
import { Aws } from 'aws-cdk-lib';
import { EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { METRIC_NAMESPACE } from '../../lambdas/contract/metrics.ts';
import { BUCKET_PREFIXES } from '../../lambdas/contract/names.ts';
import { READ_PERMISSIONS } from '../../lambdas/contract/read-calls.ts';
import type { Permission } from './permission.ts';
import { ANY_TRAIL_ARN, eksArns, RUN_TIME_ALARM_ARNS } from './resources.ts';

export interface ObserveResources {
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly busArn: string;
  /** Topics that alarms may speak to: our own or those brought along, and those of single clusters. */
  readonly alarmTopicArns: readonly string[];
}

export function observePermissions(own: ObserveResources): readonly Permission[] {
  return [...readEverything(), ...publish(own), ...remember(own)];
}

function readEverything(): readonly Permission[] {
  return [...READ_REGION, ...findTrails()];
}

/** What reading a region takes: the same for all that read it whole. */
export const READ_REGION: readonly Permission[] = [
  {
    sid: 'ReadNetwork',
    actions: READ_PERMISSIONS.filter((action) => action.startsWith('ec2:')).toSorted(),
    resources: ['*'],
    conditions: { StringEquals: { 'aws:RequestedRegion': Aws.REGION } },
    why: 'EC2’s reads take no resource; the condition keeps them in the region',
  },
  {
    sid: 'ListClusters',
    actions: ['eks:ListClusters'],
    resources: ['*'],
    why: 'listing clusters takes no resource',
  },
  {
    sid: 'ReadClusters',
    actions: ['eks:DescribeCluster', 'eks:ListNodegroups'],
    resources: [eksArns.cluster('*')],
    why: 'clusters are found by themselves, so their names are not known beforehand',
  },
  {
    sid: 'ReadNodegroupsAndAddons',
    actions: ['eks:DescribeNodegroup', 'eks:DescribeAddon'],
    resources: [eksArns.nodegroups('*'), eksArns.addons('*')],
    why: 'node groups and add-ons end in an id that EKS makes up',
  },
];

function findTrails(): readonly Permission[] {
  return [
    {
      sid: 'FindTrails',
      actions: ['cloudtrail:DescribeTrails'],
      resources: ['*'],
      why: 'listing trails takes no resource',
    },
    {
      sid: 'ReadTrails',
      actions: ['cloudtrail:GetTrailStatus', 'cloudtrail:GetEventSelectors'],
      resources: [ANY_TRAIL_ARN],
      why: 'the trail that delivers the calls may be of another region or of the organisation’s account',
    },
  ];
}

function publish({ busArn, alarmTopicArns }: ObserveResources): readonly Permission[] {
  return [
    {
      sid: 'PublishMetrics',
      actions: ['cloudwatch:PutMetricData'],
      resources: ['*'],
      conditions: { StringEquals: { 'cloudwatch:namespace': METRIC_NAMESPACE } },
      why: 'metrics have no resource; the condition keeps them in our namespace',
    },
    {
      sid: 'KeepAlarms',
      actions: ['cloudwatch:PutMetricAlarm', 'cloudwatch:PutCompositeAlarm'],
      resources: RUN_TIME_ALARM_ARNS,
      conditions: { 'ForAllValues:StringEquals': { 'cloudwatch:AlarmActions': alarmTopicArns } },
      why: 'alarms are named after clusters and zones that are found by themselves',
    },
    {
      sid: 'RemoveAlarms',
      actions: ['cloudwatch:DeleteAlarms', 'cloudwatch:SetAlarmState'],
      resources: RUN_TIME_ALARM_ARNS,
      why: 'alarms are named after clusters and zones that are found by themselves',
    },
    {
      sid: 'ReadAlarms',
      actions: ['cloudwatch:DescribeAlarms'],
      resources: ['*'],
      why: 'CloudWatch shows composite alarms only to those who may read all alarms',
    },
    {
      sid: 'ReadSubscribers',
      actions: ['sns:GetTopicAttributes'],
      resources: alarmTopicArns,
      why: 'to say when nobody is paged',
    },
    {
      sid: 'SendEvents',
      actions: ['events:PutEvents'],
      resources: [busArn],
      conditions: { 'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE } },
      why: 'findings go to our own bus, under our own source',
    },
  ];
}

function remember({ tableArn, bucketArn }: ObserveResources): readonly Permission[] {
  return [
    {
      sid: 'KeepState',
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      resources: [tableArn],
      why: 'locks, open findings, hysteresis, plans',
    },
    {
      sid: 'KeepSnapshots',
      actions: ['s3:PutObject'],
      resources: [`${bucketArn}/${BUCKET_PREFIXES.snapshots}*`, `${bucketArn}/${BUCKET_PREFIXES.cache}*`],
      why: 'snapshots are named after their time',
    },
    {
      sid: 'ReadCacheAndFacts',
      actions: ['s3:GetObject'],
      resources: [`${bucketArn}/${BUCKET_PREFIXES.cache}*`, `${bucketArn}/${BUCKET_PREFIXES.facts}*`],
      why: 'caches are named after VPCs, facts after clusters',
    },
    {
      sid: 'ListCacheAndFacts',
      actions: ['s3:ListBucket'],
      resources: [bucketArn],
      conditions: { StringLike: { 's3:prefix': [`${BUCKET_PREFIXES.cache}*`, `${BUCKET_PREFIXES.facts}*`] } },
      why: 'to find the clusters with facts, and to be told that a cache is absent and not that it is forbidden',
    },
  ];
}
