/**
 * What remediate may do, made of the configuration: only for the actions that a mode allows, only the tag keys and values of the configured clusters, only where
 * a key is absent or has that value already. EC2 knows no conditional write, so what must never happen is forbidden here, and a simulation shows it.
 */
import { Aws } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Config } from '../../lambdas/contract/config.ts';
import { EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import { ACTIONS, type Action } from '../../lambdas/contract/modes.ts';
import { BUCKET_PREFIXES } from '../../lambdas/contract/names.ts';
import { TAGS } from '../../lambdas/contract/tags.ts';
import { READ_REGION } from './observe.ts';
import type { Permission } from './permission.ts';
import { ec2Arns, parameterArn } from './resources.ts';

export interface RemediateResources {
  readonly config: Config;
  readonly tableArn: string;
  readonly bucketArn: string;
  readonly busArn: string;
}

/** The tag that the VPC CNI puts on every interface it makes (amazon-vpc-cni-k8s `pkg/awsutils/awsutils.go`). */
const CNI_INSTANCE_TAG = 'node.k8s.amazonaws.com/instance_id';
/** The same, with the cluster's name, where the CNI was told it. */
const CNI_CLUSTER_TAG = 'cluster.k8s.amazonaws.com/name';
/** By which the VPC CNI finds subnets, and keeps one to a cluster. */
const CNI_TAG = 'kubernetes.io/role/cni';
const CNI_SCOPE_TAG = 'cni.networking.k8s.aws/cluster/';
/** Karpenter's convention, where a cluster's selectors are not configured. */
const DISCOVERY_TAG = 'karpenter.sh/discovery';

/** The actions that some mode lets Headroom do. */
export function enabledActions({ mode }: Config): readonly Action[] {
  return ACTIONS.filter((action) => mode[action] !== 'observe');
}

export function remediatePermissions(own: RemediateResources): readonly Permission[] {
  const { config } = own;
  const enabled = enabledActions(config);
  return [
    ...READ_REGION,
    ...(enabled.includes('activateStandby') ? activation(config) : []),
    ...(enabled.includes('reservePrefixes') ? reservation(config) : []),
    ...(enabled.includes('cleanLeakedEnis') ? cleaning(config) : []),
    ...(enabled.includes('activateStandby') || enabled.includes('cleanLeakedEnis') ? [NEVER_THESE_TAGS] : []),
    ...remember(own),
  ];
}

/** Whatever else is allowed: who may be activated and what is protected is for people to say. */
const NEVER_THESE_TAGS: Permission = {
  sid: 'NeverTheseTags',
  effect: iam.Effect.DENY,
  actions: ['ec2:CreateTags', 'ec2:DeleteTags'],
  resources: ['*'],
  conditions: { 'ForAnyValue:StringEquals': { 'aws:TagKeys': [TAGS.standbyFor, TAGS.protected] } },
  why: 'these two are set by people only',
};

type Conditions = NonNullable<Permission['conditions']>;

/** Tag keys that make a cluster's consumers find a subnet, with the values that they may have (`*` and `?` as in Karpenter's selectors and in IAM). */
function selectorTags(name: string, { karpenterSelectors, cniTag = CNI_TAG }: Config['clusters'][string]) {
  const terms = karpenterSelectors ?? [
    { tags: { [DISCOVERY_TAG]: name } },
    { tags: { [`${DISCOVERY_TAG}/${name}`]: '*' } },
  ];
  const values = new Map<string, Set<string>>([
    [cniTag, new Set(['1'])],
    [CNI_SCOPE_TAG + name, new Set(['shared'])],
  ]);
  for (const { tags } of terms) {
    for (const [key, value] of Object.entries(tags)) values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return values;
}

/** The VPCs of the scope, where it names some; not every call knows the key. */
function inScope({ scope }: Config): Conditions {
  return scope.vpcs.length === 0 ? {} : { ArnLike: { 'ec2:Vpc': scope.vpcs.map(ec2Arns.vpc) } };
}

function activation(config: Config): readonly Permission[] {
  return Object.entries(config.clusters).flatMap(([name, settings], index) => {
    const values = selectorTags(name, settings);
    const keys = [...values.keys(), TAGS.activatedAt, TAGS.activatedFor];
    const each = (condition: 'RequestTag' | 'ResourceTag') =>
      Object.fromEntries([...values].map(([key, allowed]) => [`aws:${condition}/${key}`, [...allowed]]));
    const notProtected = { [`aws:ResourceTag/${TAGS.protected}`]: 'true' };
    return [
      {
        sid: `OpenStandby${index}`,
        actions: ['ec2:CreateTags'],
        resources: [ec2Arns.subnets('any')],
        conditions: {
          'ForAllValues:StringEquals': { 'aws:TagKeys': keys },
          Null: { 'aws:TagKeys': 'false', ...notProtected },
          StringEquals: {
            [`aws:ResourceTag/${TAGS.standbyFor}`]: name,
            [`aws:RequestTag/${TAGS.activatedFor}`]: name,
          },
          // Absent, or as it may be: a value that serves another cluster is never written over.
          StringLikeIfExists: { ...each('RequestTag'), ...each('ResourceTag') },
          ...inScope(config),
        },
        why: `standby subnets of ${name} are found by their mark; a shared one has its owner’s account in its ARN`,
      },
      {
        sid: `CloseStandby${index}`,
        actions: ['ec2:DeleteTags'],
        resources: [ec2Arns.subnets('any')],
        conditions: {
          'ForAllValues:StringEquals': { 'aws:TagKeys': keys },
          Null: { 'aws:TagKeys': 'false', ...notProtected },
          StringEquals: { [`aws:ResourceTag/${TAGS.activatedFor}`]: name },
        },
        why: `to undo an activation for ${name}: only subnets that Headroom opened for it`,
      },
    ];
  });
}

function reservation(config: Config): readonly Permission[] {
  return [
    {
      sid: 'ReservePrefixes',
      actions: ['ec2:CreateSubnetCidrReservation'],
      resources: [ec2Arns.subnets('own')],
      conditions: { Null: { [`aws:ResourceTag/${TAGS.protected}`]: 'true' }, ...inScope(config) },
      why: 'which subnet is lightly used is found out at run time',
    },
    {
      sid: 'TakeReservationBack',
      actions: ['ec2:DeleteSubnetCidrReservation'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:RequestedRegion': Aws.REGION } },
      why: 'the call knows no resource: the code deletes only reservations of its own undo ledger that still stand where they were made',
    },
  ];
}

function cleaning(config: Config): readonly Permission[] {
  const ofCni = { [`aws:ResourceTag/${CNI_INSTANCE_TAG}`]: 'false', [`aws:ResourceTag/${TAGS.protected}`]: 'true' };
  const ofClusters = { [`aws:ResourceTag/${CNI_CLUSTER_TAG}`]: Object.keys(config.clusters) };
  const onlyQuarantine = { 'ForAllValues:StringEquals': { 'aws:TagKeys': [TAGS.quarantinedAt] } };
  return [
    {
      sid: 'Quarantine',
      actions: ['ec2:CreateTags'],
      resources: [ec2Arns.interfaces],
      conditions: {
        ...onlyQuarantine,
        Null: { 'aws:TagKeys': 'false', ...ofCni },
        StringEqualsIfExists: ofClusters,
        ...inScope(config),
      },
      why: 'leaked interfaces are found at run time; only those the VPC CNI made can be marked',
    },
    {
      sid: 'EndQuarantine',
      actions: ['ec2:DeleteTags'],
      resources: [ec2Arns.interfaces],
      conditions: { ...onlyQuarantine, Null: { 'aws:TagKeys': 'false', ...ofCni } },
      why: 'to undo a quarantine',
    },
    {
      sid: 'DeleteLeaked',
      actions: ['ec2:DeleteNetworkInterface'],
      resources: [ec2Arns.interfaces],
      conditions: {
        Null: { ...ofCni, [`aws:ResourceTag/${TAGS.quarantinedAt}`]: 'false' },
        StringEqualsIfExists: ofClusters,
        ...inScope(config),
      },
      why: 'only interfaces that the VPC CNI made, that are in quarantine and not protected',
    },
  ];
}

function remember({ config, tableArn, bucketArn, busArn }: RemediateResources): readonly Permission[] {
  return [
    {
      sid: 'KeepPlans',
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
      resources: [tableArn],
      why: 'plans, locks, intents, the undo ledger, cooldowns, the count of the day',
    },
    {
      sid: 'ReadFacts',
      actions: ['s3:GetObject'],
      resources: [`${bucketArn}/${BUCKET_PREFIXES.facts}*`],
      why: 'facts are named after clusters',
    },
    {
      sid: 'ListFacts',
      actions: ['s3:ListBucket'],
      resources: [bucketArn],
      conditions: { StringLike: { 's3:prefix': [`${BUCKET_PREFIXES.facts}*`] } },
      why: 'to find the clusters with facts',
    },
    {
      sid: 'HearStop',
      actions: ['ssm:GetParameter'],
      resources: [parameterArn(config.remediation.stopParameter)],
      why: 'the parameter that stops everything',
    },
    {
      sid: 'SendEvents',
      actions: ['events:PutEvents'],
      resources: [busArn],
      conditions: { 'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE } },
      why: 'what is planned and done goes to our own bus, under our own source',
    },
  ];
}
