/** What EventBridge would deliver of the calls that write: "AWS API Call via CloudTrail" (docs/simulator.md, The trail). */
import type { Refusal } from './refusal.ts';
import type { Input } from './wire/query.ts';
import type { Operation, Plan } from './wire/schema.ts';
import type { World } from './world/world.ts';

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json };

export interface TrailEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': 'AWS API Call via CloudTrail';
  readonly source: 'aws.ec2';
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: TrailDetail;
}

export interface TrailDetail {
  readonly eventVersion: string;
  readonly userIdentity: {
    readonly type: string;
    readonly principalId: string;
    readonly arn: string;
    readonly accountId: string;
  };
  readonly eventTime: string;
  readonly eventSource: 'ec2.amazonaws.com';
  readonly eventName: string;
  readonly awsRegion: string;
  readonly sourceIPAddress: string;
  readonly userAgent: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly requestParameters: Json;
  readonly responseElements: Json;
  readonly requestID: string;
  readonly eventID: string;
  readonly readOnly: false;
  readonly eventType: 'AwsApiCall';
  readonly managementEvent: true;
  readonly recipientAccountId: string;
  readonly eventCategory: 'Management';
}

export interface Traced {
  readonly operation: Operation;
  readonly input: Input;
  readonly result: object;
  readonly requestId: string;
  readonly userAgent: string;
  /** Running number of the request, from 1. */
  readonly number: number;
}

/** Whether EventBridge delivers the call at all: read-only calls it does not (docs/simulator.md C1). */
export function isTraced(action: string): boolean {
  return !/^(Describe|Get|List)/.test(action);
}

export function trailEvent(world: World, traced: Traced, refusal: Refusal | undefined): TrailEvent {
  const { operation, input, result, requestId } = traced;
  const time = new Date(world.clock()).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const number = traced.number.toString(16).padStart(12, '0');
  const arn = `arn:aws:sts::${world.account}:assumed-role/simulated/session`;
  const detail: TrailDetail = {
    eventVersion: '1.09',
    userIdentity: { type: 'AssumedRole', principalId: 'AROASIMULATED:session', arn, accountId: world.account },
    eventTime: time,
    eventSource: 'ec2.amazonaws.com',
    eventName: operation.name,
    awsRegion: world.region,
    sourceIPAddress: '127.0.0.1',
    userAgent: traced.userAgent,
    ...(refusal === undefined ? {} : { errorCode: prefixed(refusal), errorMessage: refusal.message }),
    requestParameters: requestParameters(operation, input),
    responseElements: refusal === undefined ? responseElements(operation, result, requestId) : null,
    requestID: requestId,
    eventID: `00000000-0000-4000-8001-${number}`,
    readOnly: false,
    eventType: 'AwsApiCall',
    managementEvent: true,
    recipientAccountId: world.account,
    eventCategory: 'Management',
  };
  return {
    version: '0',
    id: `00000000-0000-4000-8002-${number}`,
    'detail-type': 'AWS API Call via CloudTrail',
    source: 'aws.ec2',
    account: world.account,
    time,
    region: world.region,
    resources: [],
    detail,
  };
}

/** EC2's codes stand in CloudTrail with who is to blame in front (docs/simulator.md C2). */
function prefixed(refusal: Refusal): string {
  const server = refusal.status >= 500 && refusal.code !== 'RequestLimitExceeded';
  return `${server ? 'Server' : 'Client'}.${refusal.code}`;
}

/** Lists that CloudTrail shows under another name than the request has, by action and member. */
const SETS: Readonly<Record<string, string>> = {
  Groups: 'groupSet',
  SecurityGroupIds: 'groupSet',
  PrivateIpAddresses: 'privateIpAddressesSet',
  NetworkInterfaces: 'networkInterfaceSet',
  InstanceIds: 'instancesSet',
  Resources: 'resourcesSet',
  Tags: 'tagSet',
  TagSpecifications: 'tagSpecificationSet',
};

/** How CloudTrail names one entry of a list of plain values. */
const ENTRIES: Readonly<Record<string, string>> = {
  groupSet: 'groupId',
  privateIpAddressesSet: 'privateIpAddress',
  instancesSet: 'instanceId',
  resourcesSet: 'resourceId',
};

function requestParameters(operation: Operation, input: Input): Json {
  if (operation.name === 'CreateFleet') return { CreateFleetRequest: newerRequest(operation.input, input) };
  const { MinCount, MaxCount, ImageId, ...rest } = input;
  const fields = olderRequest(operation.input, operation.name === 'RunInstances' ? rest : input);
  if (operation.name !== 'RunInstances') return fields;
  const item = { imageId: ImageId as Json, minCount: MinCount as Json, maxCount: MaxCount as Json };
  return { instancesSet: { items: [item] }, ...(fields as Readonly<Record<string, Json>>) };
}

/** Older calls: lowerCamel names, lists as `{items: [...]}`. */
function olderRequest(plan: Plan, value: unknown): Json {
  if (plan.kind !== 'struct') return value as Json;
  const fields = value as Readonly<Record<string, unknown>>;
  const shown: Record<string, Json> = {};
  for (const member of plan.members) {
    const field = fields[member.name];
    if (field === undefined) continue;
    const inner = member.plan();
    const name = lowerCamel(inner.kind === 'list' ? (SETS[member.name] ?? member.name) : member.name);
    if (inner.kind !== 'list') {
      shown[name] = olderRequest(inner, field);
      continue;
    }
    const entry = ENTRIES[name];
    const items = (field as readonly unknown[]).map((item) => {
      const of = inner.of();
      return of.kind === 'struct' || entry === undefined ? olderRequest(of, item) : { [entry]: item as Json };
    });
    shown[name] = items.length === 0 ? {} : { items };
  }
  return shown;
}

/** Newer calls: the names of the request itself, each list entry with its number in `tag`, a list of one as the entry alone. */
function newerRequest(plan: Plan, value: unknown): Json {
  if (plan.kind === 'list') {
    const of = plan.of();
    const items = (value as readonly unknown[]).map((item, index) => {
      const shown = newerRequest(of, item);
      return isRecord(shown) ? { tag: index + 1, ...shown } : shown;
    });
    return items.length === 1 ? items[0] : items;
  }
  if (plan.kind !== 'struct') return value as Json;
  const fields = value as Readonly<Record<string, unknown>>;
  const members = plan.members.filter((member) => fields[member.name] !== undefined);
  return Object.fromEntries(members.map((member) => [member.name, newerRequest(member.plan(), fields[member.name])]));
}

function responseElements(operation: Operation, result: object, requestId: string): Json {
  if (operation.name === 'CreateFleet') {
    const inner = answered(operation.output, result, 'item') as Readonly<Record<string, Json>>;
    const xmlns = 'http://ec2.amazonaws.com/doc/2016-11-15/';
    return { CreateFleetResponse: { xmlns, requestId, ...inner } };
  }
  const inner = answered(operation.output, result, 'items') as Readonly<Record<string, Json>>;
  return Object.keys(inner).length === 0 ? { requestId, _return: true } : { requestId, ...inner };
}

/**
 * The answer's XML as JSON: `items` always an array; `item`, in the newer form, the entry itself where there is one and an array where there are
 * several, and an empty list the empty string (docs/simulator.md C3).
 */
function answered(plan: Plan, value: unknown, wrap: 'item' | 'items'): Json {
  if (plan.kind === 'list') {
    const of = plan.of();
    const entries = (value as readonly unknown[]).map((entry) => answered(of, entry, wrap));
    if (wrap === 'items') return entries.length === 0 ? {} : { items: entries };
    if (entries.length === 0) return '';
    return { item: entries.length === 1 ? entries[0] : entries };
  }
  if (plan.kind !== 'struct') return value as Json;
  const fields = value as Readonly<Record<string, unknown>>;
  const members = plan.members.filter((member) => fields[member.name] !== undefined);
  return Object.fromEntries(members.map((member) => [member.xml, answered(member.plan(), fields[member.name], wrap)]));
}

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lowerCamel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
