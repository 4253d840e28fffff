import { describe, expect, test } from '@jest/globals';
import { mute } from '../../lambdas/app/mute.ts';
import { MemoryStateTable } from '../support/fakes/memory-state-table.ts';

const ID = 'SUBNET_LOW/subnet-0a1';
const item = { until: 2_000_000, why: 'known', by: 'arn:aws:iam::1:user/jo', at: 1_000_000 };

describe('muting a finding', () => {
  test('keeps who, why and until when, and lets it go some days after its end', async () => {
    const state = new MemoryStateTable();
    expect(await mute(state, ID, item)).toEqual({ open: false });
    expect((await state.get('mute', ID))?.value).toEqual(item);
    expect([...state.expiry.values()]).toEqual([2_000 + 7 * 86_400]);
  });

  test('says whether it is open, and whose mute it replaces', async () => {
    const state = new MemoryStateTable();
    await state.put('finding', ID, {}, { expected: undefined });
    await mute(state, ID, item);
    const later = { ...item, by: 'al', until: 3_000_000 };
    expect(await mute(state, ID, later)).toEqual({ open: true, replaced: item });
    expect((await state.get('mute', ID))?.value).toEqual(later);
    expect(await mute(state, ID, { ...item, at: 4_000_000, until: 5_000_000 })).toEqual({ open: true });
  });

  test('somebody else at the same moment: both are written, one after the other', async () => {
    const state = new MemoryStateTable();
    state.refuseNext('mute');
    await mute(state, ID, item);
    expect((await state.get('mute', ID))?.value).toEqual(item);
  });
});
