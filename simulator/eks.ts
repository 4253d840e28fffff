/** The read side of EKS, from documents as the AWS CLI prints them: REST with JSON, found by path. */
import * as eks from '@aws-sdk/client-eks';
import { Refusal } from './refusal.ts';
import { type Plan, planOf } from './wire/schema.ts';
import type { World } from './world/world.ts';

type Document = Readonly<Record<string, unknown>>;

export interface EksRequest {
  /** `DescribeCluster`, ... */
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
}

const ROUTES: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/^\/clusters$/, 'ListClusters', []],
  [/^\/clusters\/([^/]+)$/, 'DescribeCluster', ['name']],
  [/^\/clusters\/([^/]+)\/node-groups$/, 'ListNodegroups', ['clusterName']],
  [/^\/clusters\/([^/]+)\/node-groups\/([^/]+)$/, 'DescribeNodegroup', ['clusterName', 'nodegroupName']],
  [/^\/clusters\/([^/]+)\/addons$/, 'ListAddons', ['clusterName']],
  [/^\/clusters\/([^/]+)\/addons\/([^/]+)$/, 'DescribeAddon', ['clusterName', 'addonName']],
  [/^\/clusters\/([^/]+)\/fargate-profiles$/, 'ListFargateProfiles', ['clusterName']],
];

/** Which EKS call a request is; `undefined` for a path that is none of its reads. */
export function eksRequest(url: URL): EksRequest | undefined {
  for (const [pattern, action, names] of ROUTES) {
    const match = pattern.exec(url.pathname);
    if (match === null) continue;
    const parts = names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? '')] as const);
    return { action, params: { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(parts) } };
  }
  return undefined;
}

/** @throws Refusal `ResourceNotFoundException`, `InvalidParameterException` */
export function answerEks(world: World, request: EksRequest, pageSize = 100): object {
  const { clusters, nodegroups, addons } = world.services;
  const { action, params } = request;
  if (action === 'ListClusters') return page('clusters', [...clusters.keys()], params, pageSize);
  const clusterName = params.clusterName ?? params.name ?? '';
  const cluster = clusters.get(clusterName);
  if (cluster === undefined) throw notFound(`No cluster found for name: ${clusterName}.`);
  switch (action) {
    case 'DescribeCluster':
      return { cluster: wireForm(planOf(eks.Cluster$), cluster) };
    case 'ListNodegroups':
      return page('nodegroups', keysOf(nodegroups.get(clusterName)), params, pageSize);
    case 'ListAddons':
      return page('addons', keysOf(addons.get(clusterName)), params, pageSize);
    case 'ListFargateProfiles':
      return page('fargateProfileNames', [], params, pageSize);
    case 'DescribeNodegroup': {
      const nodegroup = nodegroups.get(clusterName)?.get(params.nodegroupName ?? '');
      if (nodegroup === undefined) throw notFound(`No node group found for name: ${params.nodegroupName}.`);
      return { nodegroup: wireForm(planOf(eks.Nodegroup$), nodegroup) };
    }
    default: {
      const addon = addons.get(clusterName)?.get(params.addonName ?? '');
      if (addon === undefined) throw notFound(`No addon: ${params.addonName} found in cluster: ${clusterName}`);
      return { addon: wireForm(planOf(eks.Addon$), addon) };
    }
  }
}

function page(key: string, names: readonly string[], params: EksRequest['params'], pageSize: number): object {
  const sorted = [...names].sort();
  const limit = Math.min(Number(params.maxResults ?? 100), pageSize);
  if (!(limit >= 1)) throw new Refusal('InvalidParameterException', 'maxResults must be between 1 and 100');
  const start = params.nextToken === undefined ? 0 : Number(Buffer.from(params.nextToken, 'base64url').toString());
  if (!Number.isInteger(start)) throw new Refusal('InvalidParameterException', 'nextToken is not valid');
  const next = start + limit;
  const token = next < sorted.length ? { nextToken: Buffer.from(String(next)).toString('base64url') } : {};
  return { [key]: sorted.slice(start, next), ...token };
}

/** The CLI prints times as ISO text; the wire has seconds. */
function wireForm(plan: Plan, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (plan.kind === 'time') return typeof value === 'string' ? Date.parse(value) / 1000 : value;
  if (plan.kind === 'list' && Array.isArray(value)) return value.map((entry) => wireForm(plan.of(), entry));
  if (plan.kind !== 'struct' || typeof value !== 'object') return value;
  const members = new Map(plan.members.map((member) => [member.name, member]));
  const fields = Object.entries(value as Document).map(([name, field]) => {
    const member = members.get(name);
    return [name, member === undefined ? field : wireForm(member.plan(), field)];
  });
  return Object.fromEntries(fields);
}

function keysOf(entries: ReadonlyMap<string, unknown> | undefined): string[] {
  return [...(entries?.keys() ?? [])];
}

function notFound(message: string): Refusal {
  return new Refusal('ResourceNotFoundException', message, 404);
}
