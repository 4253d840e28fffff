/** A process that deletes leaked interfaces is ended by SIGKILL and started again: nothing is lost, and nothing is done twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { allPlans, undoLedgers } from '../../../lambdas/app/remediate/plan-book.ts';
import type { CallRecord, HoldSpec } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import { FileStateTable } from '../../support/fakes/file-state-table.ts';
import { leaky, NOON } from '../../support/remediating.ts';
import { withFolder } from '../../support/temp-folder.ts';

const RUN = path.join(import.meta.dirname, 'killed/run.ts');
const DAY = 86_400_000;
/** Longer than the lease of a dead run. */
const LATER = 700_000;
const LEAKS = 4;

const started = new Set<ChildProcess>();
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
});

function start(...args: readonly string[]): ChildProcess {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [RUN, ...args], {
    env: { PATH, HOME, AWS_EC2_METADATA_DISABLED: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  started.add(child);
  child.once('close', () => started.delete(child));
  return child;
}

/** @returns the exit status, or the signal that ended it. */
function ended(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(signal ?? status));
  });
}

type KilledAt = (ids: readonly string[]) => HoldSpec;

/** Quarantined on one day, deleted on the next: by one process, or by one that is killed and its successor. */
function cleaned(killedAt?: KilledAt) {
  return withFolder({}, (folder) => cleanedWith(folder, killedAt));
}

async function cleanedWith(folder: string, killedAt: KilledAt | undefined) {
  const { world, full, vpcId } = leaky(LEAKS);
  let now = NOON;
  world.clock = () => now;
  const simulator = await serve(world);
  const run = () => start(simulator.url, folder, vpcId, String(now));
  expect(await ended(run())).toBe(0);
  now += DAY + 3_600_000;
  const left = () => world.enisOf(full).filter(({ Status }) => Status === 'available');
  const ids = left().map(({ NetworkInterfaceId = '' }) => NetworkInterfaceId);
  let leftWhenKilled: number | undefined;
  if (killedAt !== undefined) {
    const hold = simulator.hold(killedAt(ids.sort()));
    const child = run();
    await Promise.race([hold.reached, ended(child).then((how) => Promise.reject(new Error(`it ended first: ${how}`)))]);
    leftWhenKilled = left().length;
    child.kill('SIGKILL');
    expect(await ended(child)).toBe('SIGKILL');
    hold.release();
    now += LATER;
  }
  // The second one looks at what the first one did, and has nothing to do.
  for (let n = 0; n < 2; n++) expect(await ended(run())).toBe(0);
  const events = readFileSync(path.join(folder, 'events'), 'utf8').trim().split('\n');
  const state = new FileStateTable(path.join(folder, 'state'));
  return {
    leftWhenKilled,
    left: left().length,
    writes: simulator.calls
      .filter(isWrite)
      .map(({ action, params, status }) => [action, idIn(params), status])
      .sort(),
    states: (await allPlans(state)).map(({ state: is }) => is).sort(),
    recorded: [...(await undoLedgers(state)).values()]
      .flatMap(({ changes }) => changes.map((change) => [change.kind, 'eniId' in change ? change.eniId : '']))
      .sort(),
    told: [...new Set(events)].map((line) => (JSON.parse(line) as [string, string])[1]).sort(),
  };
}

function isWrite({ action }: CallRecord): boolean {
  return !/^(Describe|Get|List)/.test(action);
}

function idIn(params: CallRecord['params']): string | undefined {
  return params.NetworkInterfaceId ?? params['ResourceId.1'];
}

test('killed between two writes, and after a write whose answer never came: the same end, each write made once and recorded', async () => {
  const { leftWhenKilled: _, ...whole } = await cleaned();
  // The standby was opened, the interfaces were marked, and they were deleted.
  expect(whole).toMatchObject({ left: 0, states: ['applied', 'applied', 'applied'] });
  expect(whole.writes.filter(([action]) => action === 'DeleteNetworkInterface')).toHaveLength(LEAKS);

  // The first look at the third interface alone: two are deleted, and recorded.
  const between = await cleaned((ids) => ({
    action: 'DescribeNetworkInterfaces',
    match: (params) => params['Filter.1.Value.1'] === ids[2] && params['Filter.1.Value.2'] === undefined,
  }));
  expect(between).toEqual({ ...whole, leftWhenKilled: 2 });

  const unanswered = await cleaned(() => ({ action: 'DeleteNetworkInterface', at: 2 }));
  expect(unanswered).toEqual({ ...whole, leftWhenKilled: 2 });
}, 120_000);
