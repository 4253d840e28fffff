/** What react may do: look up whose interface it was, remember, say. It changes nothing in EC2. */
import { Aws } from 'aws-cdk-lib';
import { EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { METRIC_NAMESPACE } from '../../lambdas/contract/metrics.ts';
import { BUCKET_PREFIXES } from '../../lambdas/contract/names.ts';
import type { Permission } from './permission.ts';

export interface ReactResources {
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly busArn: string;
}

export function reactPermissions({ tableArn, bucketArn, busArn }: ReactResources): readonly Permission[] {
  return [
    {
      sid: 'ResolveInterfaces',
      actions: ['ec2:DescribeNetworkInterfaces'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:RequestedRegion': Aws.REGION } },
      why: 'EC2’s reads take no resource; the condition keeps them in the region',
    },
    {
      sid: 'FoldRepeats',
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tableArn],
      why: 'one finding for each subnet, with a count and first and last time',
    },
    {
      sid: 'ReadSnapshot',
      actions: ['s3:GetObject'],
      resources: [`${bucketArn}/${BUCKET_PREFIXES.cache}*`],
      why: 'the newest snapshot and what it knows of interfaces are named after account, region and VPC',
    },
    {
      sid: 'ListSnapshot',
      actions: ['s3:ListBucket'],
      resources: [bucketArn],
      conditions: { StringLike: { 's3:prefix': `${BUCKET_PREFIXES.cache}*` } },
      why: 'to be told that there is no snapshot yet, and not that it is forbidden',
    },
    {
      sid: 'PublishLag',
      actions: ['cloudwatch:PutMetricData'],
      resources: ['*'],
      conditions: { StringEquals: { 'cloudwatch:namespace': METRIC_NAMESPACE } },
      why: 'metrics have no resource; the condition keeps them in our namespace',
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
