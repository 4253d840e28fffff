import { describe, expect, test } from '@jest/globals';
import type { DocumentSubnet } from '../../../lambdas/contract/document.ts';
import {
  availableWords,
  confidenceWord,
  ledgerSentences,
  prefixWords,
} from '../../../lambdas/core/report/ledger-words.ts';
import { subnetLedger } from '../../../lambdas/core/subnet/ledger.ts';
import { eni, occupy, reservation, subnet } from '../../support/builders.ts';

interface Given {
  readonly availableIps: number;
  readonly held?: readonly Parameters<typeof eni>[0][];
  readonly reservations?: Parameters<typeof subnetLedger>[0]['reservations'];
}

/** A /26, 59 usable addresses, two eligible blocks. */
function small({ availableIps, held = [], reservations = [] }: Given): DocumentSubnet {
  const facts = subnet('10.0.0.0/26', { availableIps });
  const ledger = subnetLedger({ subnet: facts, occupancy: occupy(facts, held.map(eni)), reservations });
  return { ...ledger, enis: held.length, clusters: [], byCluster: [] };
}

const SCATTERED = [{ addresses: ['10.0.0.20'] }, { addresses: ['10.0.0.40'] }];

describe('the ledger in words', () => {
  test('exact: the balance adds up, and what packing would give is said', () => {
    expect(ledgerSentences(small({ availableIps: 57, held: SCATTERED }))).toEqual([
      '59 usable = 2 used + 57 free. EC2 shows 57 available.',
      '0 whole /28 free for prefixes; packing the same holders would give 2 (fragmentation 100 %).',
      '57 free addresses of no use to prefix delegation: not in a whole free /28.',
    ]);
  });

  test('hidden addresses make a range, and never one exact count', () => {
    const hidden = small({ availableIps: 47, held: [{ addresses: ['10.0.0.20'] }] });
    const said = ledgerSentences(hidden);
    expect(said[1]).toMatch(/^Between 0 and 1 whole \/28 free for prefixes/);
    expect(said.at(-1)).toMatch(/^Not exact: EC2 counts 11 addresses as taken that no visible interface holds\./);
    expect(prefixWords(hidden)).toBe('0-1 of 2');
    expect(confidenceWord(hidden)).toBe('partial');
  });

  test('released meanwhile', () => {
    const said = ledgerSentences(small({ availableIps: 59, held: SCATTERED }));
    expect(said[1]).toMatch(/^Between 0 and 2 whole \/28/);
    expect(said.at(-1)).toBe('Not exact: 2 addresses were released between reading the count and the interfaces.');
  });

  test('reserved space is told apart', () => {
    const said = ledgerSentences(small({ availableIps: 43, reservations: [reservation('10.0.0.16/28', 'prefix')] }));
    expect(said[1]).toMatch(/^Of the free ones 16 lie in prefix reservations and 0 in explicit ones/);
  });

  test('reservations that could not be read', () => {
    const facts = subnet('10.0.0.0/26');
    const ledger = subnetLedger({ subnet: facts, occupancy: occupy(facts, []), reservations: undefined });
    const said = ledgerSentences({ ...ledger, enis: 0, clusters: [], byCluster: [] });
    expect(said[1]).toMatch(/could not be read/);
  });

  test('without interfaces there is no word on blocks but that nothing is known', () => {
    const facts = subnet('10.0.0.0/26', { availableIps: 50 });
    const ledger = subnetLedger({ subnet: facts, occupancy: undefined, reservations: [] });
    const counts = { ...ledger, enis: null, clusters: [], byCluster: [] } as DocumentSubnet;
    expect(ledgerSentences(counts)[1]).toMatch(/is not known/);
    expect([availableWords(counts), prefixWords(counts)]).toEqual(['50 of 59', '?']);
  });

  test('without IPv4 no number applies', () => {
    const ledger = subnetLedger({ subnet: subnet(null), occupancy: undefined, reservations: [] });
    const none = { ...ledger, enis: 0, clusters: [], byCluster: [] } as DocumentSubnet;
    expect(ledgerSentences(none)).toEqual([
      'This subnet has no IPv4 addresses: no count of IPv4 addresses or /28 blocks applies to it.',
    ]);
    expect([availableWords(none), prefixWords(none), confidenceWord(none)]).toEqual(['no IPv4', '-', '-']);
  });
});
