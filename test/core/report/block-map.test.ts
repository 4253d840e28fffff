import { describe, expect, test } from '@jest/globals';
import { blockMap } from '../../../lambdas/core/report/block-map.ts';
import { blocksOf, cheapestFirst } from '../../../lambdas/core/report/breakers.ts';
import { OccupancyBuilder, type SubnetOccupancy } from '../../../lambdas/core/subnet/occupancy.ts';
import type { Reservation } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, reservation, subnet } from '../../support/builders.ts';
import { markedPen, plainPen } from '../../support/plain-pen.ts';

function blocks(at: string, enis: Parameters<typeof eni>[0][], reservations: readonly Reservation[] = []) {
  const facts = region([subnet(at)]);
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  for (const fields of enis) builder.add(eni(fields));
  const occupancy = builder.finish().subnets.get('subnet-00000000000000001');
  return blocksOf(occupancy as SubnetOccupancy, reservations);
}

describe('a small subnet', () => {
  test('one row of sixteen, the blocks by the last part of their address', () => {
    const drawn = blockMap(
      plainPen,
      blocks(
        '10.0.0.0/24',
        [
          { addresses: ['10.0.0.17'] },
          { addresses: Array.from({ length: 10 }, (_, i) => `10.0.0.${32 + i}`) },
          { addresses: Array.from({ length: 16 }, (_, i) => `10.0.0.${48 + i}`) },
          { prefixes: ['10.0.0.64/28'] },
        ],
        [reservation('10.0.0.128/27', 'prefix'), reservation('10.0.0.196/30', 'explicit')],
      ),
    );
    expect(drawn).toEqual([
      '                  .0  .16  .32  .48  .64  .80  .96 .112 .128 .144 .160 .176 .192 .208 .224 .240',
      '10.0.0.0           E    1    a    g    P    .    .    .    R    R    .    .    X    .    .    E',
      '',
      '  .        7 free: can be given as a prefix',
      '  R        2 free, in a prefix reservation',
      '  X        1 free, in an explicit reservation: never given',
      '  P        1 delegated prefix',
      '  E        2 edge: AWS keeps addresses in it, never given',
      '  1-9 a-g  3 single addresses used in it, a is 10, g is all 16: no prefix here',
    ]);
  });

  test('a /28 is one edge block', () => {
    expect(blockMap(plainPen, blocks('10.0.0.48/28', []))).toEqual([
      '                 .48',
      '10.0.0.48          E',
      '',
      '  E  1 edge: AWS keeps addresses in it, never given',
    ]);
  });

  test('colour supports the sign and never stands alone', () => {
    const drawn = blockMap(markedPen, blocks('10.0.0.0/26', [{ addresses: ['10.0.0.20'] }]));
    expect(drawn[1]).toBe('10.0.0.0           <dim:E>    <used:1>    <free:.>    <dim:E>');
  });
});

describe('every size', () => {
  test.each([28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16])(
    'a /%i has one cell a block and fits the page',
    (length) => {
      const all = blocks(`10.0.0.0/${length}`, []);
      const drawn = blockMap(plainPen, all);
      const rows = drawn.slice(0, drawn.indexOf('')).filter((line) => line.startsWith('10.'));
      const cells = rows.flatMap((row) => [...row.slice(15).replaceAll(' ', '')]);
      expect(cells).toHaveLength(2 ** (28 - length));
      for (const line of drawn) expect(plainPen.width(line)).toBeLessThanOrEqual(100);
    },
  );

  test('a row of a large subnet begins with its own address', () => {
    const drawn = blockMap(plainPen, blocks('10.4.0.0/16', [{ addresses: ['10.4.4.20'] }]));
    expect(drawn[0]).toBe('10.4.0.0         E............... ................ ................ ................');
    expect(drawn[1]).toBe('10.4.4.0         .1.............. ................ ................ ................');
    expect(drawn[63]).toMatch(/^10\.4\.252\.0 .*E$/);
  });
});

describe('who breaks which block', () => {
  test('the fewest interfaces first, then the fewest addresses, then by address', () => {
    const order = cheapestFirst(
      blocks('10.0.0.0/24', [
        { id: 'eni-two', addresses: ['10.0.0.16', '10.0.0.17'] },
        { id: 'eni-one', addresses: ['10.0.0.40'] },
        { id: 'eni-x', addresses: ['10.0.0.64'] },
        { id: 'eni-y', addresses: ['10.0.0.65'] },
        { id: 'eni-late', addresses: ['10.0.0.80'] },
      ]),
    );
    expect(order.map((block) => [block.cidr, block.interfaces, block.usedIps])).toEqual([
      ['10.0.0.32/28', 1, 1],
      ['10.0.0.80/28', 1, 1],
      ['10.0.0.16/28', 1, 2],
      ['10.0.0.64/28', 2, 2],
    ]);
  });

  test('each address is named with its interface; delegated, edge and explicitly reserved blocks are not up for winning', () => {
    const broken = cheapestFirst(
      blocks(
        '10.0.0.0/24',
        [
          { id: 'eni-edge', addresses: ['10.0.0.5'] },
          { id: 'eni-node', addresses: ['10.0.0.20', '10.0.0.19'], prefixes: ['10.0.0.32/28'] },
          { id: 'eni-kept', addresses: ['10.0.0.50'] },
        ],
        [reservation('10.0.0.48/28', 'explicit')],
      ),
    );
    expect(broken).toHaveLength(1);
    expect(broken[0]?.breakers).toMatchObject([
      { address: '10.0.0.19', primary: false, eniId: 'eni-node' },
      { address: '10.0.0.20', primary: true, eniId: 'eni-node' },
    ]);
  });

  test('an address outside the subnet breaks nothing', () => {
    expect(cheapestFirst(blocks('10.0.0.0/26', [{ addresses: ['10.9.0.1'] }]))).toEqual([]);
  });
});
