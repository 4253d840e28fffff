import type { ReadCallName } from '../../contract/read-calls.ts';
import type { InputName, ReadFailure, Reading } from '../../core/subnet/snapshot.ts';
import type { RawAnswers } from '../../ports/raw-answers.ts';
import type { ReadProgress } from '../../ports/region-source.ts';
import { readFailure } from '../aws-error.ts';
import { eachOf, MAX_IN_FLIGHT } from '../pace.ts';

/** Where answers go beside the facts that are made of them. */
export interface ReadingTaps {
  readonly raw: RawAnswers | undefined;
  readonly progress: ReadProgress | undefined;
  /** Items asked for in a page, where a caller wants fewer than the call allows. */
  readonly pageSize: number | undefined;
}

/** One of the calls, or series of pages, that a part is read with, and what is unknown if it fails. */
export interface Shard {
  readonly subnetIds?: readonly string[];
  readonly cluster?: string;
}

/** What was read of one input. */
export interface Part<T> {
  readonly items: readonly T[];
  /** In the order of the shards. */
  readonly failures: readonly ReadFailure[];
  /** What the first failure was made of, for an error's cause. */
  readonly firstError?: unknown;
}

export function readingOf<T>(part: Part<T>): Reading<readonly T[]> {
  return part.failures.length === 0
    ? { state: 'read', value: part.items }
    : { state: 'unknown', value: part.items, failures: part.failures };
}

export interface PartPlan<S extends Shard, T> {
  readonly input: InputName;
  readonly call: ReadCallName;
  readonly shards: readonly S[];
  /** Reads one shard; `take` is handed each answer as it came and what was decoded of it. */
  readonly read: (shard: S, take: (answer: object, items: readonly T[]) => Promise<void>) => Promise<void>;
  /** Counts shards, not items, where one shard is one thing: clusters, reservations of a subnet. */
  readonly countShards?: boolean;
}

/**
 * Reads every shard, and keeps of a shard that fails what had come before it failed, beside the failure.
 *
 * Failures that differ only in what they leave unknown are one: a denied action is one fact, however many VPCs it was asked about.
 */
export async function readPart<S extends Shard, T>(taps: ReadingTaps, plan: PartPlan<S, T>): Promise<Part<T>> {
  const items: T[] = [];
  const failures: (ReadFailure | undefined)[] = [];
  let firstError: unknown;
  let done = 0;
  await eachOf(plan.shards, MAX_IN_FLIGHT, async (shard, index) => {
    const { subnetIds, cluster } = shard;
    try {
      await plan.read(shard, async (answer, decoded) => {
        for (const item of decoded) items.push(item);
        await keepRaw(taps, plan.input, answer);
        if (plan.countShards !== true) taps.progress?.(plan.input, items.length);
      });
    } catch (error) {
      if (error instanceof RawAnswersError) throw error.cause;
      firstError ??= error;
      failures[index] = readFailure(error, {
        input: plan.input,
        call: plan.call,
        ...(subnetIds === undefined ? {} : { subnetIds }),
        ...(cluster === undefined ? {} : { cluster }),
      });
    }
    if (plan.countShards === true) taps.progress?.(plan.input, ++done, plan.shards.length);
  });
  return { items, failures: mergeFailures(failures.filter((failure) => failure !== undefined)), firstError };
}

/** Marks an error of the writer, which ends the reading: a snapshot with a hole that nobody knows of is worse than none. */
class RawAnswersError extends Error {}

async function keepRaw(taps: ReadingTaps, input: InputName, answer: object): Promise<void> {
  try {
    await taps.raw?.write(input, answer);
  } catch (error) {
    throw new RawAnswersError('the answer could not be kept', { cause: error });
  }
}

/** Failures alike in all but their subnets become one, with the subnets of all; one without subnets speaks of every subnet. */
export function mergeFailures(failures: readonly ReadFailure[]): readonly ReadFailure[] {
  const merged = new Map<string, ReadFailure>();
  for (const failure of failures) {
    const key = JSON.stringify([
      failure.input,
      failure.call,
      failure.code,
      failure.cluster,
      messageKind(failure.message),
    ]);
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? failure : widened(earlier, failure));
  }
  return [...merged.values()];
}

/** Messages of one kind differ by ids and request ids. */
function messageKind(message: string): string {
  return message.replace(/\b[a-z]+-[0-9a-f]{8,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '*');
}

function widened(earlier: ReadFailure, later: ReadFailure): ReadFailure {
  if (earlier.subnetIds === undefined || later.subnetIds === undefined) {
    const { subnetIds: _, ...everySubnet } = earlier;
    return everySubnet;
  }
  return { ...earlier, subnetIds: [...new Set([...earlier.subnetIds, ...later.subnetIds])].sort() };
}
