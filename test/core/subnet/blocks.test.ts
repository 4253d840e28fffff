import { describe, expect, test } from '@jest/globals';
import { formatIpv4 } from '../../../lambdas/core/ip/ipv4.ts';
import { blockState, isAssignable, loneAddresses, reservedSpace } from '../../../lambdas/core/subnet/blocks.ts';
import { isFull, subnetLedger } from '../../../lambdas/core/subnet/ledger.ts';
import { eni, occupy, reservation, subnet } from '../../support/builders.ts';

/** A /25: blocks 0 and 7 are at the edge. */
const AT = subnet('10.0.0.0/25');

describe('the state of a block', () => {
  const { map } = occupy(AT, [eni({ addresses: ['10.0.0.20'], prefixes: ['10.0.0.112/28', '10.0.0.32/28'] })]);

  test('a delegated edge block is delegated: it is evidence', () => {
    expect(Array.from({ length: 8 }, (_, block) => blockState(map, block))).toEqual([
      'edge',
      'occupied',
      'delegated',
      'free',
      'free',
      'free',
      'free',
      'delegated',
    ]);
  });

  test('only what nothing holds, touches or reserves can become a prefix', () => {
    const reserved = reservedSpace(map, [
      reservation('10.0.0.64/31', 'explicit'),
      reservation('10.0.0.80/28', 'prefix'),
    ]);
    const assignable = Array.from({ length: 8 }, (_, block) => block).filter((at) => isAssignable(map, reserved, at));
    expect(assignable).toEqual([3, 5, 6]);
  });
});

test('one address breaks a block only where a prefix could have been', () => {
  const { map, primaries } = occupy(AT, [
    eni({ addresses: ['10.0.0.5'] }),
    eni({ addresses: ['10.0.0.20', '10.0.0.40', '10.0.0.41', '10.0.0.61'] }),
    eni({ addresses: ['10.0.0.113'] }),
  ]);
  const lone = loneAddresses(map, primaries).map(({ address, primary }) => [formatIpv4(address), primary]);
  expect(lone).toEqual([
    ['10.0.0.20', true],
    ['10.0.0.61', false],
  ]);
});

test('holders of as many addresses: the one with more interfaces first, then by class', () => {
  const occupancy = occupy(AT, [
    eni({ addresses: ['10.0.0.20', '10.0.0.21'], description: 'RDSNetworkInterface' }),
    eni({ addresses: ['10.0.0.22'], interfaceType: 'vpc_endpoint' }),
    eni({ addresses: ['10.0.0.23'], interfaceType: 'vpc_endpoint' }),
    eni({ addresses: ['10.0.0.24', '10.0.0.25'], interfaceType: 'lambda' }),
  ]);
  const ledger = subnetLedger({ subnet: AT, occupancy, reservations: [] });
  expect(isFull(ledger) && ledger.holders.map((holder) => holder.class)).toEqual(['vpc-endpoint', 'lambda', 'rds']);
});

describe('what an interface is counted for', () => {
  test('a delegated edge block is told once, whoever else names it', () => {
    const { edgePrefixes } = occupy(AT, [eni({ prefixes: ['10.0.0.0/28'] }), eni({ prefixes: ['10.0.0.0/28'] })]);
    expect(edgePrefixes).toEqual(['10.0.0.0/28']);
  });

  test('an EFA interface may be a node’s, so its prefix is nobody else’s', () => {
    const { foreignPrefixHolders } = occupy(AT, [
      eni({ id: 'eni-efa', interfaceType: 'efa', prefixes: ['10.0.0.32/28'] }),
      eni({ id: 'eni-lambda', interfaceType: 'lambda', prefixes: ['10.0.0.48/28'] }),
    ]);
    expect(foreignPrefixHolders).toEqual(expect.objectContaining({ count: 1, items: ['eni-lambda'] }));
  });
});
