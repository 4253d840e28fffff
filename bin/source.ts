/** Opens what a verb reads from. The adapters are imported here and only when used: the AWS SDK takes longer to load than a folder to assess. */

import { count } from '../lambdas/core/report/layout.ts';
import type { InputName, RegionFacts } from '../lambdas/core/subnet/snapshot.ts';
import type { RawAnswers } from '../lambdas/ports/raw-answers.ts';
import type { ReadProgress, RegionSource } from '../lambdas/ports/region-source.ts';
import { closestOf, requireSubnet } from './closest.ts';
import type { Progress } from './progress.ts';
import { UsageError } from './usage-error.ts';

export interface SourceArgs {
  readonly from?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  /** Epoch milliseconds. */
  readonly now?: number | undefined;
}

/** Both given: the named subnets that lie in a named VPC. Empty: no limit. */
export interface Scope {
  readonly vpcIds: readonly string[];
  readonly subnetIds: readonly string[];
}

export const WHOLE_REGION: Scope = { vpcIds: [], subnetIds: [] };

export interface LiveExtras {
  readonly raw?: RawAnswers;
  readonly inputs?: ReadonlySet<InputName>;
}

export async function openSource(args: SourceArgs, scope: Scope, progress: Progress): Promise<RegionSource> {
  return args.from === undefined ? openLive(args, scope, progress) : openFiles(args.from, args, scope, progress);
}

export async function openLive(
  { region, profile, now }: SourceArgs,
  scope: Scope,
  progress: Progress,
  extras: LiveExtras = {},
): Promise<RegionSource> {
  const { openRegion } = await import('../lambdas/adapters/live/open-region.ts');
  const source = openRegion({
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
    scope,
    now: now ?? Date.now(),
    progress: telling(progress),
    ...extras,
  });
  return {
    // Known only once something was read.
    get description() {
      return source.description;
    },
    facts: () => waitedFor(progress, () => source.facts()),
    networkInterfaces: (facts, sink) => waitedFor(progress, () => source.networkInterfaces(facts, sink)),
  };
}

async function waitedFor<T>(progress: Progress, read: () => Promise<T>): Promise<T> {
  const done = progress.waiting('subnets: no answer yet');
  try {
    return await read();
  } finally {
    done();
  }
}

/** What the deployed service kept: the snapshot nearest before a time. */
export async function openStored({ region, profile }: SourceArgs, at: number) {
  const { snapshotAt } = await import('../lambdas/adapters/snapshots/stored-snapshots.ts');
  const { snapshot, key } = await snapshotAt(
    { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) },
    at,
  );
  return { snapshot, description: { kind: 'snapshot', name: key } } as const;
}

export async function openFiles(
  path: string,
  { now }: SourceArgs,
  scope: Scope,
  progress: Progress,
): Promise<RegionSource> {
  const { openFolder } = await import('../lambdas/adapters/files/folder-source.ts');
  const folder = openFolder(path, {
    ...(now === undefined ? {} : { now }),
    progress: telling(progress),
  });
  return { ...folder, facts: async () => within(scope, await folder.facts()) };
}

function telling(progress: Progress): ReadProgress {
  return (input, read, of) => progress.say(`${input}: ${count(read)}${of === undefined ? '' : ` of ${count(of)}`}`);
}

/** A folder holds what it holds; a scope leaves out what was not asked for, as a live read would. @throws UsageError a name that nothing has. */
function within(scope: Scope, facts: RegionFacts): RegionFacts {
  const { vpcIds, subnetIds } = scope;
  if (vpcIds.length + subnetIds.length === 0) return facts;
  for (const vpcId of vpcIds) {
    if (facts.subnets.some((subnet) => subnet.vpcId === vpcId)) continue;
    const vpcs = [...new Set(facts.subnets.map((subnet) => subnet.vpcId))];
    const known = vpcs.map((id) => ({ id }));
    throw new UsageError(`--vpc: no subnet lies in ${vpcId}; ${closestOf(vpcId, known)}`);
  }
  for (const id of subnetIds) requireSubnet('--subnet', id, facts.subnets);
  const subnets = facts.subnets.filter(
    ({ vpcId, subnetId }) =>
      (vpcIds.length === 0 || vpcIds.includes(vpcId)) && (subnetIds.length === 0 || subnetIds.includes(subnetId)),
  );
  if (subnets.length === 0 && facts.subnets.length > 0) {
    throw new UsageError('no subnet that --subnet names lies in a VPC that --vpc names');
  }
  return { ...facts, subnets, scope: bothLimits(facts.scope, scope) };
}

/** What is left once a folder that was read in part is looked at in part. */
function bothLimits(read: Scope | undefined, asked: Scope): Scope {
  if (read === undefined) return asked;
  const { vpcIds } = asked;
  return {
    vpcIds:
      vpcIds.length === 0 || read.vpcIds.length === 0
        ? [...read.vpcIds, ...vpcIds]
        : vpcIds.filter((id) => read.vpcIds.includes(id)),
    subnetIds: [...read.subnetIds, ...asked.subnetIds],
  };
}
