/** EC2's count, read before the interfaces and again after them: which of the two a ledger believes. */
import { describe, expect, test } from '@jest/globals';
import { isFull, subnetLedger } from '../../../lambdas/core/subnet/ledger.ts';
import type { Reservation } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, occupy, reservation, subnet } from '../../support/builders.ts';

/** 251 usable addresses, of which one interface holds 51: 200 are free. */
const HELD = eni({ addresses: Array.from({ length: 51 }, (_, n) => `10.0.0.${10 + n}`) });
/** A /28 that nothing holds. */
const RESERVED = reservation('10.0.0.128/28', 'prefix');

function believed(before: number, after: number | undefined, reservations: readonly Reservation[] = []) {
  const facts = subnet('10.0.0.0/24', { availableIps: before });
  const ledger = subnetLedger({
    subnet: facts,
    occupancy: occupy(facts, [HELD]),
    reservations,
    ...(after === undefined ? {} : { availableIpsAfter: after }),
  });
  if (!isFull(ledger)) throw new Error('not a full ledger');
  const { availableIps, unaccountedIps, skewIps, confidence } = ledger;
  return [availableIps, unaccountedIps, skewIps, confidence];
}

describe('of two counts the ledger believes', () => {
  test.each<readonly [string, number, number | undefined, ReturnType<typeof believed>]>([
    ['the only one', 197, undefined, [197, 3, 0, 'partial']],
    ['the one before, where it is explained', 200, 197, [200, 0, 0, 'exact']],
    ['the one after, where it is explained', 197, 200, [200, 0, 0, 'exact']],
    ['the one that is explained better', 190, 198, [198, 2, 0, 'partial']],
    ['the later one, where they are off by as much', 197, 203, [203, 0, 3, 'skewed']],
    ['the later one, the other way round', 203, 197, [197, 3, 0, 'partial']],
  ])('%s: %i, then %s', (_what, before, after, expected) => {
    expect(believed(before, after)).toEqual(expected);
  });

  test('the later one, where both are explained', () => {
    expect(believed(200, 184, [RESERVED])).toEqual([184, 0, 0, 'exact']);
    expect(believed(184, 200, [RESERVED])).toEqual([200, 0, 0, 'exact']);
  });
});

test('without interfaces the later count is the one that is given', () => {
  const facts = subnet('10.0.0.0/24', { availableIps: 9 });
  const ledger = subnetLedger({ subnet: facts, occupancy: undefined, reservations: [], availableIpsAfter: 7 });
  expect(ledger).toMatchObject({ confidence: 'counts-only', availableIps: 7 });
});
