import { describe, expect, test } from '@jest/globals';
import { findingBook } from '../../../lambdas/app/react/finding-book.ts';
import { rereadRequests } from '../../../lambdas/app/react/reread-requests.ts';
import type { ItemKind } from '../../../lambdas/contract/names.ts';
import { ASKED_AT_MOST_MS, dueVpcs } from '../../../lambdas/core/observe/change-gate.ts';
import { askedVpcs, needInterfaces } from '../../../lambdas/core/observe/changes.ts';
import { askForScan, finishScan, NO_SCAN_YET, requestScan } from '../../../lambdas/core/observe/scan-lock.ts';
import type { FindingEvent } from '../../../lambdas/core/publish/finding-events.ts';
import type { FindingState } from '../../../lambdas/core/publish/finding-state.ts';
import type { Sighting } from '../../../lambdas/ports/reacting.ts';
import type { PutOptions } from '../../../lambdas/ports/state-table.ts';
import { subnet } from '../../support/builders.ts';
import { MemoryStateTable } from '../../support/fakes/memory-state-table.ts';

const T0 = Date.parse('2026-11-30T10:00:00Z');
const ID = 'SUBNET_EXHAUSTED/subnet-0000000000000000a';
const home = { account: '111111111111', region: 'us-east-1' };

/** A table that can be stopped at a write, and that can go on refusing. */
class MemoryTable extends MemoryStateTable {
  refusals = 0;
  beforeWrite: () => void = () => undefined;

  override async put(kind: ItemKind, subject: string, value: unknown, options: PutOptions): Promise<boolean> {
    this.beforeWrite();
    if (this.refusals > 0) {
      this.refusals--;
      return false;
    }
    return super.put(kind, subject, value, options);
  }
}

function sighting(...eventIds: readonly string[]): Sighting {
  const finding = {
    id: ID,
    code: 'SUBNET_EXHAUSTED',
    severity: 'critical',
    observed: 0,
    message: 'full',
    evidence: {},
  } as const;
  return { finding, eventIds, firstTime: T0, lastTime: T0 };
}

function ground() {
  const table = new MemoryTable();
  const sent: FindingEvent[] = [];
  const bus = { up: true };
  const book = findingBook({
    state: table,
    home,
    now: () => T0,
    bus: {
      async send(events) {
        if (!bus.up) return { taken: new Set<string>(), errors: [new Error('the bus is down')] };
        sent.push(...events);
        return { taken: new Set(events.map(({ detail }) => detail.id)), errors: [] };
      },
    },
  });
  const state = async () => (await table.get('finding', ID))?.value as FindingState | undefined;
  return { table, sent, bus, book, state };
}

describe('a finding', () => {
  test('is kept and told once, however often its events come', async () => {
    const { book, sent, state } = ground();
    expect(await book.note([sighting('a')])).toEqual(new Map());
    await book.note([sighting('a')]);
    await book.note([sighting('a', 'b')]);
    expect(sent.map(({ type, detail }) => [type, detail.id, detail.origin])).toEqual([
      ['Subnet Finding Raised', `${ID}@2026-11-30T10:00:00.000Z#1`, 'react'],
    ]);
    expect(await state()).toMatchObject({ status: 'open', count: 2 });
    expect((await state())?.owed).toBeUndefined();
  });

  test('that the bus did not take is an error, stays owed, and is told when its events come again', async () => {
    const { book, bus, sent, state } = ground();
    bus.up = false;
    expect([...(await book.note([sighting('a')])).keys()]).toEqual([ID]);
    expect((await state())?.owed).toBeDefined();
    bus.up = true;
    expect(await book.note([sighting('a')])).toEqual(new Map());
    expect(sent).toHaveLength(1);
    expect(await state()).toMatchObject({ count: 1, status: 'open' });
    expect((await state())?.owed).toBeUndefined();
  });

  test('survives an end at any write: done again, it is kept and told, and its event counts once', async () => {
    for (let stop = 1; stop <= 3; stop++) {
      const { table, book, sent, state } = ground();
      let writes = 0;
      table.beforeWrite = () => {
        if (++writes === stop) throw new Error('ended here');
      };
      await book.note([sighting('a')]);
      table.beforeWrite = () => undefined;
      expect(await book.note([sighting('a')])).toEqual(new Map());
      expect(await state()).toMatchObject({ status: 'open', count: 1 });
      expect((await state())?.owed).toBeUndefined();
      // At least once, and under one id, so that a receiver drops the repeat.
      expect(new Set(sent.map(({ detail }) => detail.id)).size).toBe(1);
    }
  });

  test('that others write at the same time is decided again', async () => {
    const { table, book, state } = ground();
    table.refusals = 3;
    expect(await book.note([sighting('a')])).toEqual(new Map());
    expect(await state()).toMatchObject({ count: 1 });
  });

  test('that the table refuses for ever is an error', async () => {
    const { table, book } = ground();
    table.refusals = 1000;
    expect(String((await book.note([sighting('a')])).get(ID))).toMatch(/refused 10 writes/);
  });

  test('whose clearing is still owed is told cleared, then raised anew', async () => {
    const { table, book, sent, state } = ground();
    await book.note([sighting('a')]);
    const before = (await state()) as FindingState;
    const owed = { id: 'cleared-1', type: 'Subnet Finding Cleared', at: T0, firstScan: false } as const;
    const version = (await table.get('finding', ID))?.version;
    await table.put('finding', ID, { ...before, status: 'cleared', owed }, { expected: version });
    await book.note([{ ...sighting('b'), firstTime: T0 + 1000, lastTime: T0 + 1000 }]);
    expect(sent.slice(1).map(({ type }) => type)).toEqual(['Subnet Finding Cleared', 'Subnet Finding Raised']);
    expect(await state()).toMatchObject({ status: 'open', count: 1 });
  });
});

describe('measuring again', () => {
  const VPC = 'vpc-00000000000000001';
  const need = needInterfaces(VPC);

  test('is written once for a storm', async () => {
    const table = new MemoryTable();
    const requests = rereadRequests(table);
    let writes = 0;
    table.beforeWrite = () => {
      writes++;
    };
    for (let i = 0; i < 50; i++) await requests.ask({ subnetIds: [], vpcIds: [VPC] });
    expect(writes).toBe(1);
    expect((await table.get('service', 'scan'))?.value).toMatchObject({ needs: [need] });
  });

  test('is done by the next tick, and makes nobody go round again', () => {
    const request = { id: 'one', now: T0, leaseMs: 60_000, needs: [] };
    const begun = requestScan(NO_SCAN_YET, request);
    if (begun.kind !== 'begin') throw new Error(begun.kind);
    const end = finishScan(askForScan(begun.state, [need]), request, true);
    expect(end.kind).toBe('released');
    const next = requestScan(end.state, { ...request, id: 'two', now: T0 + 60_000 });
    expect(next).toMatchObject({ kind: 'begin', state: { needs: [need], later: [] } });
  });

  test('reads a VPC whose counts did not move, unless it was read a moment ago', () => {
    const own = subnet('10.0.0.0/24', { vpcId: VPC, availableIps: 5 });
    const counts = new Map([[own.subnetId, { cidr: '10.0.0.0/24', availableIps: 5 }]]);
    const due = (ago: number, needs: readonly string[]) =>
      dueVpcs([own], new Map([[VPC, { readAt: T0 - ago, unsettled: false, factsTag: '', counts }]]), {
        now: T0,
        fullReadAtMost: 900_000,
        factsTag: '',
        asked: askedVpcs(needs),
      });
    expect(due(ASKED_AT_MOST_MS, [need])).toEqual(new Map([[VPC, 'asked for']]));
    expect(due(ASKED_AT_MOST_MS - 1, [need]).size).toBe(0);
    expect(due(ASKED_AT_MOST_MS, ['clusters', needInterfaces('vpc-other')]).size).toBe(0);
  });
});
