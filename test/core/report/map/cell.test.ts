import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf } from '../../../../lambdas/core/report/breakers.ts';
import { cellByte, cellKind, cellOf, cellsOf, isGivable } from '../../../../lambdas/core/report/map/cell.ts';
import { reservation } from '../../../support/builders.ts';
import { occupied } from './occupied.ts';

describe('one byte a /28', () => {
  test('says state, reservation and count, and reads back the same', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('free' as const, 'occupied' as const, 'delegated' as const, 'edge' as const),
        fc.constantFrom(null, 'prefix' as const, 'explicit' as const),
        fc.integer({ min: 0, max: 16 }),
        (state, reserved, used) => {
          const byte = cellByte({ state, reservation: reserved, used });
          expect(byte).toBe(byte & 0xff);
          expect(cellOf(byte)).toEqual({ state, reservation: reserved, used });
        },
      ),
    );
  });

  test('a byte that is no cell is refused', () => {
    expect(() => cellOf(204)).toThrow(RangeError);
  });

  test('agrees with the blocks that explain lists', () => {
    const reservations = [reservation('10.0.0.128/27', 'prefix'), reservation('10.0.0.196/30', 'explicit')];
    const occupancy = occupied('10.0.0.0/24', [
      { addresses: ['10.0.0.17', '10.0.0.130', '10.0.0.4'] },
      { prefixes: ['10.0.0.64/28', '10.0.0.144/28'] },
    ]);
    const cells = Array.from(cellsOf(occupancy.map, reservations), cellOf);
    const blocks = blocksOf(occupancy, reservations);
    expect(cells).toEqual(
      blocks.map(({ state, reservation: reserved, usedIps }) => ({ state, reservation: reserved, used: usedIps })),
    );
    expect(cells.filter(isGivable)).toHaveLength(9);
    expect(cellKind(cells[12] as (typeof cells)[0])).toBe('free-explicit');
  });
});
