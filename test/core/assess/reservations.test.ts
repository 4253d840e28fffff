import { describe, expect, test } from '@jest/globals';
import type { ReservationType } from '../../../lambdas/core/subnet/snapshot.ts';
import { assessed, codes, only } from '../../support/assessing.ts';
import { eni, reservation, subnet } from '../../support/builders.ts';
import { read } from '../../support/cluster-facts.ts';

const HERE = subnet('10.0.0.0/24');

function given(
  reservations: readonly (readonly [string, ReservationType])[],
  addresses: readonly string[],
  prefixes: readonly string[] = [],
) {
  return {
    subnets: [HERE],
    enis: [...addresses.map((address) => eni({ addresses: [address] })), eni({ prefixes })],
    facts: { reservations: read(reservations.map(([at, type]) => reservation(at, type))) },
  };
}

describe('a prefix reservation', () => {
  test('that is free and inside raises nothing', () => {
    expect(
      codes(assessed(given([['10.0.0.64/26', 'prefix']], []))).filter((code) => code.startsWith('RESERVATION')),
    ).toEqual([]);
  });

  test('of type explicit is not spoken of', () => {
    expect(
      codes(assessed(given([['10.0.0.240/28', 'explicit']], ['10.0.0.250']))).filter((code) =>
        code.startsWith('RESERVATION'),
      ),
    ).toEqual([]);
  });

  test('partly used names what blocks it', () => {
    const found = only(
      assessed(given([['10.0.0.64/26', 'prefix']], ['10.0.0.70', '10.0.0.71', '10.0.0.9'], ['10.0.0.80/28'])),
      'RESERVATION_PARTLY_USED',
    );
    expect(found).toMatchObject({
      severity: 'info',
      evidence: {
        reservation: '10.0.0.64/26',
        blocksTotal: 4,
        blocksFree: 2,
        blocksPrefixAllocated: 1,
        blocksOccupied: 1,
        blockingAddresses: ['10.0.0.70', '10.0.0.71'],
      },
    });
  });

  test('with one delegated block and the rest occupied still gives prefixes', () => {
    const found = assessed(given([['10.0.0.64/27', 'prefix']], ['10.0.0.70'], ['10.0.0.80/28']));
    expect(codes(found)).toContain('RESERVATION_PARTLY_USED');
    expect(codes(found)).not.toContain('RESERVATION_NOT_EFFECTIVE');
  });

  test('with every block occupied is not effective, and is not partly used', () => {
    const findings = assessed(given([['10.0.0.64/27', 'prefix']], ['10.0.0.70', '10.0.0.90']));
    expect(only(findings, 'RESERVATION_NOT_EFFECTIVE')).toMatchObject({
      severity: 'warning',
      evidence: { blocksOccupied: 2, blockingAddresses: ['10.0.0.70', '10.0.0.90'] },
    });
    expect(codes(findings)).not.toContain('RESERVATION_PARTLY_USED');
  });

  test('of several the one that loses most comes first, edge blocks counted with the others', () => {
    // The first /27 loses an edge block and an occupied one, the second one occupied.
    const found = only(
      assessed(
        given(
          [
            ['10.0.0.0/27', 'prefix'],
            ['10.0.0.64/28', 'prefix'],
          ],
          ['10.0.0.20', '10.0.0.70'],
        ),
      ),
      'RESERVATION_NOT_EFFECTIVE',
    );
    expect(found?.evidence.reservation).toBe('10.0.0.0/27');
    expect(found?.message).toContain(
      'gives no prefix: 1 of its 2 /28s hold single addresses (10.0.0.20), 1 holds an address that AWS reserves. The same holds for 10.0.0.64/28.',
    );
  });

  test('speaks of AWS’s own addresses only where they are in it', () => {
    const message = (at: string, ...addresses: string[]) =>
      only(assessed(given([[at, 'prefix']], addresses)), 'RESERVATION_NOT_EFFECTIVE')?.message;
    expect(message('10.0.0.64/28', '10.0.0.70')).toMatch(/hold single addresses \(10\.0\.0\.70\)\.$/);
    expect(message('10.0.0.240/28')).toMatch(/gives no prefix: 1 holds an address that AWS reserves\.$/);
  });

  test('smaller than a /28 can hold no prefix', () => {
    const found = only(assessed(given([['10.0.0.64/30', 'prefix']], [])), 'RESERVATION_NOT_EFFECTIVE');
    expect(found?.evidence).toMatchObject({ blocksTotal: 0 });
    expect(found?.message).toContain('no whole /28');
  });

  test.each([
    ['10.0.0.0/27', 2, 1, ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3'], '10.0.0.32/27'],
    ['10.0.0.224/27', 2, 1, ['10.0.0.255'], '10.0.0.192/27'],
    ['10.0.0.0/24', 16, 2, ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.255'], undefined],
  ])('%s at the edge loses blocks', (at, blocksTotal, lostBlocks, edgeAddresses, better) => {
    const found = only(assessed(given([[at, 'prefix']], [])), 'RESERVATION_INCLUDES_EDGE_BLOCK');
    expect(found).toMatchObject({
      observed: lostBlocks,
      evidence: { reservation: at, blocksTotal, lostBlocks, edgeAddresses },
    });
    if (better === undefined) expect(found?.remedy).not.toContain('(');
    else expect(found?.remedy).toContain(better);
  });

  test('an edge block needs no interface to be seen', () => {
    const { subnets, facts } = given([['10.0.0.240/28', 'prefix']], []);
    expect(codes(assessed({ subnets, facts }))).toEqual(['RESERVATION_INCLUDES_EDGE_BLOCK']);
  });

  test('several of one subnet make one finding that names them all', () => {
    const found = only(
      assessed(
        given(
          [
            ['10.0.0.64/27', 'prefix'],
            ['10.0.0.128/26', 'prefix'],
          ],
          ['10.0.0.70', '10.0.0.130', '10.0.0.150'],
        ),
      ),
      'RESERVATION_PARTLY_USED',
    );
    expect(found?.evidence).toMatchObject({
      reservation: '10.0.0.128/26',
      reservations: [{ reservation: '10.0.0.64/27' }, { reservation: '10.0.0.128/26' }],
    });
    expect(found?.message).toContain('10.0.0.64/27');
  });
});

test('EDGE_PREFIX_OBSERVED names the delegated edge blocks', () => {
  const findings = assessed(given([], [], ['10.0.0.240/28', '10.0.0.0/28']));
  expect(only(findings, 'EDGE_PREFIX_OBSERVED')).toMatchObject({
    severity: 'info',
    evidence: { count: 2, prefixes: ['10.0.0.0/28', '10.0.0.240/28'] },
  });
  expect(codes(assessed(given([], [], ['10.0.0.16/28'])))).not.toContain('EDGE_PREFIX_OBSERVED');
});
