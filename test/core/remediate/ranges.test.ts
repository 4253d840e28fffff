import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatCidr } from '../../../lambdas/core/ip/ipv4.ts';
import { firstGap, largestGap, secondaryRange } from '../../../lambdas/core/remediate/free-space.ts';
import { bestRange } from '../../../lambdas/core/remediate/reservation-range.ts';
import { cidr, eni, occupy, reservation, subnet } from '../../support/builders.ts';

const list = (text: string) => (text === '' ? [] : text.split(' ').map(cidr));

describe('free space of a VPC', () => {
  test.each([
    ['10.0.0.0/16', '', '10.0.0.0/16'],
    ['10.0.0.0/16', '10.0.0.0/24', '10.0.128.0/17'],
    ['10.0.0.0/16', '10.0.128.0/17 10.0.0.0/18', '10.0.64.0/18'],
    ['10.0.0.0/24 10.1.0.0/24', '10.0.0.0/24', '10.1.0.0/24'],
    ['10.0.0.0/24', '10.0.0.0/24', undefined],
    // What is left is smaller than a /26.
    ['10.0.0.0/24', '10.0.0.0/25 10.0.0.128/26 10.0.0.192/27', undefined],
  ])('%s less "%s" leaves %s at best', (ranges, taken, wanted) => {
    const gap = largestGap(list(ranges), list(taken));
    expect(gap === undefined ? undefined : formatCidr(gap)).toBe(wanted);
  });

  test('the walk finds what trying every block finds', () => {
    const block = fc.integer({ min: 0, max: 31 }).map((n) => ({ base: 0x0a000000 + n * 16, length: 28 }));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), fc.integer({ min: 23, max: 28 }), (taken, length) => {
        const range = { base: 0x0a000000, length: 23 };
        const size = 2 ** (32 - length);
        let wanted: number | undefined;
        for (let base = range.base; wanted === undefined && base < range.base + 512; base += size) {
          if (taken.every((one) => one.base + 16 <= base || one.base >= base + size)) wanted = base;
        }
        expect(firstGap([range], taken, length)?.base).toBe(wanted);
      }),
    );
  });

  test.each([
    ['10.0.0.0/16', '', '100.64.0.0/16'],
    ['10.0.0.0/16 100.64.0.0/16', '', '100.65.0.0/16'],
    // A destination inside the range hinders it; a wider one does not.
    ['10.0.0.0/16', '100.64.3.0/24', '100.65.0.0/16'],
    ['10.0.0.0/16', '0.0.0.0/0 100.64.0.0/10', '100.64.0.0/16'],
    ['10.0.0.0/16', '100.64.0.0/16', '100.65.0.0/16'],
  ])('a VPC of %s with routes to "%s" may be given %s', (ranges, routes, wanted) => {
    expect(formatCidr(secondaryRange(list(ranges), list(routes))!)).toBe(wanted);
  });
});

describe('the range to reserve', () => {
  const at = subnet('10.0.0.0/24');
  const best = (addresses: readonly string[], floor: number, reserved: readonly string[] = []) => {
    const occupancy = occupy(at, [eni({ addresses })]);
    const range = bestRange(
      occupancy,
      reserved.map((one) => reservation(one, 'explicit')),
      floor,
    );
    return range === undefined ? undefined : { ...range, cidr: formatCidr(range.cidr) };
  };

  test('of an empty /24: half of it, and seven of its eight /28s are whole', () => {
    expect(best([], 26)).toEqual({
      cidr: '10.0.0.0/25',
      freeBlocks: 7,
      occupiedBlocks: 0,
      edgeBlocks: 1,
      hiddenIps: 124,
      singlesLeft: 127,
    });
  });

  test('the half with fewer scattered addresses', () => {
    expect(best(['10.0.0.40', '10.0.0.60'], 26)?.cidr).toBe('10.0.0.128/25');
  });

  test.each([
    // 251 free: a /25 hides 124 of them, a /26 60 or 64.
    [127, '10.0.0.0/25'],
    [128, '10.0.0.64/26'],
    [187, '10.0.0.64/26'],
    [188, '10.0.0.0/26'],
    [192, '10.0.0.32/27'],
    [250, undefined],
  ])('with a floor of %i single addresses: %s', (floor, wanted) => {
    expect(best([], floor)?.cidr).toBe(wanted);
  });

  test('never touches a reservation', () => {
    expect(best([], 26, ['10.0.0.0/28', '10.0.0.240/28'])?.cidr).toBe('10.0.0.64/26');
  });

  test('is none where no /28 is whole', () => {
    expect(
      best(
        Array.from({ length: 16 }, (_, block) => `10.0.0.${block * 16 + 8}`),
        0,
      ),
    ).toBeUndefined();
  });

  test('is never beaten by any other aligned range that keeps the floor', () => {
    const hosts = fc.uniqueArray(fc.integer({ min: 4, max: 254 }), { maxLength: 40 });
    fc.assert(
      fc.property(hosts, fc.integer({ min: 0, max: 200 }), (held, floor) => {
        const used = new Set(held);
        const free = (from: number, to: number) => {
          let count = 0;
          for (let n = from; n < to; n++) if (n >= 4 && n <= 254 && !used.has(n)) count++;
          return count;
        };
        let most = 0;
        for (let size = 128; size >= 16; size /= 2) {
          for (let from = 0; from < 256; from += size) {
            if (free(0, 256) - free(from, from + size) < floor) continue;
            let whole = 0;
            for (let block = from; block < from + size; block += 16)
              if (block > 0 && block < 240 && free(block, block + 16) === 16) whole++;
            most = Math.max(most, whole);
          }
        }
        const found = best(
          held.map((n) => `10.0.0.${n}`),
          floor,
        );
        expect(found?.freeBlocks ?? 0).toBe(most);
        if (found !== undefined) expect(found.singlesLeft).toBeGreaterThanOrEqual(floor);
      }),
    );
  });
});
