import { describe, expect, test } from '@jest/globals';
import { diffSchema } from '../../../../lambdas/contract/diff-document.ts';
import { diffOf } from '../../../../lambdas/core/report/diff/diff.ts';
import { diffText } from '../../../../lambdas/core/report/diff/diff-text.ts';
import { region, reservation, subnet } from '../../../support/builders.ts';
import { plainPen } from '../../../support/plain-pen.ts';
import { side } from './side.ts';

const CNI = { description: 'aws-K8S-i-1', tags: { 'cluster.k8s.amazonaws.com/name': 'prod' } };
const facts = (availableIps: number) => region([subnet('10.0.0.0/24', { availableIps })]);

const before = side(facts(249), [
  { id: 'eni-stays', addresses: ['10.0.0.20'], ...CNI },
  { id: 'eni-goes', addresses: ['10.0.0.33'] },
]);
const after = side(facts(232), [
  { id: 'eni-stays', addresses: ['10.0.0.20', '10.0.0.21'], ...CNI },
  { id: 'eni-comes', addresses: ['10.0.0.50'], prefixes: ['10.0.0.64/28'], ...CNI },
]);

describe('what changed', () => {
  const document = diffOf(before, after, 0);
  const [changed] = document.subnets;

  test('fits the published schema', () => {
    expect(diffSchema.parse(document)).toEqual(document);
  });

  test('the numbers of both sides', () => {
    expect(changed).toMatchObject({
      change: 'changed',
      availableIps: { before: 249, after: 232 },
      usedIps: { before: 2, after: 19 },
      freePrefixes: { before: 12, after: 11 },
    });
  });

  test('who came, who went, who holds other addresses', () => {
    expect(changed?.interfaces).toEqual({
      added: [{ eniId: 'eni-comes', class: 'vpc-cni-secondary', cluster: 'prod', ips: 1, prefixes: 1 }],
      removed: [{ eniId: 'eni-goes', class: 'unknown', ips: 1, prefixes: 0 }],
      changed: [
        {
          eniId: 'eni-stays',
          class: 'vpc-cni-secondary',
          cluster: 'prod',
          ips: { before: 1, after: 2 },
          prefixes: { before: 0, after: 0 },
        },
      ],
    });
    expect(changed?.holders).toEqual([
      {
        class: 'unknown',
        enis: { before: 1, after: 0 },
        ips: { before: 1, after: 0 },
        prefixes: { before: 0, after: 0 },
      },
      {
        class: 'vpc-cni-secondary',
        cluster: 'prod',
        enis: { before: 1, after: 2 },
        ips: { before: 1, after: 3 },
        prefixes: { before: 0, after: 1 },
      },
    ]);
  });

  test('which /28s', () => {
    expect(changed?.blocks).toEqual([
      { cidr: '10.0.0.16/28', before: 'occupied 1', after: 'occupied 2' },
      { cidr: '10.0.0.32/28', before: 'occupied 1', after: 'free' },
      { cidr: '10.0.0.48/28', before: 'free', after: 'occupied 1' },
      { cidr: '10.0.0.64/28', before: 'free', after: 'delegated' },
    ]);
  });

  test('the page says the same in words', () => {
    const lines = diffText(plainPen, document, { all: false });
    expect(lines).toContain('Subnets: 1 changed, 0 added, 0 removed, 0 as before.');
    expect(lines).toContain('  addresses free by EC2’s count: 249 -> 232 (-17)');
    expect(lines).toContain('  vpc-cni-secondary of prod: +1 interfaces, +2 single addresses, +1 prefixes');
    for (const line of lines) expect(plainPen.width(line)).toBeLessThanOrEqual(100);
  });
});

test('an address that moves inside one /28 is a change, though every count stays', () => {
  const moved = side(facts(249), [
    { id: 'eni-stays', addresses: ['10.0.0.25'], ...CNI },
    { id: 'eni-goes', addresses: ['10.0.0.33'] },
  ]);
  const [changed] = diffOf(before, moved, 0).subnets;
  expect(changed?.interfaces?.changed.map(({ eniId }) => eniId)).toEqual(['eni-stays']);
  expect(changed?.blocks).toEqual([]);
});

test('a reservation that comes is a change of its blocks', () => {
  const reserved = side(
    region([subnet('10.0.0.0/24', { availableIps: 249 })], {
      reservations: { state: 'read', value: [reservation('10.0.0.128/28', 'prefix')] },
    }),
    [
      { id: 'eni-stays', addresses: ['10.0.0.20'], ...CNI },
      { id: 'eni-goes', addresses: ['10.0.0.33'] },
    ],
  );
  expect(diffOf(before, reserved, 0).subnets[0]?.blocks).toEqual([
    { cidr: '10.0.0.128/28', before: 'free', after: 'free, prefix reservation' },
  ]);
});

test('nothing changed', () => {
  expect(diffOf(before, before, 0)).toMatchObject({ subnets: [], unchanged: 1, findings: { raised: [], cleared: [] } });
});

test('a subnet that came and one that went hold everything or nothing', () => {
  const none = side(region([]), []);
  expect(diffOf(none, before, 0).subnets[0]).toMatchObject({
    change: 'added',
    availableIps: { before: null, after: 249 },
    interfaces: { added: [{ eniId: 'eni-goes' }, { eniId: 'eni-stays' }], removed: [], changed: [] },
    blocks: null,
  });
  expect(diffOf(before, none, 0).subnets[0]).toMatchObject({
    change: 'removed',
    availableIps: { before: 249, after: null },
    interfaces: { added: [], removed: [{ eniId: 'eni-goes' }, { eniId: 'eni-stays' }], changed: [] },
  });
});

test('what was not read on one side is not known, never "all went"', () => {
  const blind = diffOf(before, side(facts(232), null), 0);
  expect(blind.subnets[0]).toMatchObject({
    availableIps: { before: 249, after: 232 },
    usedIps: { before: 2, after: null },
    holders: null,
    interfaces: null,
    blocks: null,
  });
  expect(diffText(plainPen, blind, { all: false })).toContain('  holders: not known on one side');
});

test('where no records were kept it is not known who came and went; the blocks are', () => {
  const kept = { ...before, interfaces: new Map() };
  const { subnets } = diffOf(kept, after, 0);
  expect(subnets[0]).toMatchObject({
    holders: null,
    interfaces: null,
    blocks: diffOf(before, after, 0).subnets[0]?.blocks,
  });
  const read = facts(249);
  const HELD = [{ id: 'eni-a', addresses: ['10.0.0.20'] }];
  expect([...side(read, HELD, 'none').interfaces.keys()]).toEqual([]);
  expect([...side(read, HELD, 'all').interfaces.keys()]).toEqual(read.subnets.map(({ subnetId }) => subnetId));
  // A subnet that holds nothing needs no record.
  expect([...side(read, [], 'none').interfaces.keys()]).toEqual(read.subnets.map(({ subnetId }) => subnetId));
});

test('findings: raised, cleared, standing', () => {
  const low = side(facts(0), [{ id: 'eni-stays', addresses: ['10.0.0.20'] }]);
  const { findings } = diffOf(before, low, 0);
  expect(findings.raised.map(({ code }) => code)).toContain('SUBNET_EXHAUSTED');
  expect(diffOf(low, before, 0).findings.cleared.map(({ code }) => code)).toContain('SUBNET_EXHAUSTED');
  expect(diffOf(low, low, 0).findings.standing.map(({ code }) => code)).toContain('SUBNET_EXHAUSTED');
});

test('hostile names show as text', () => {
  const named = region([subnet('10.0.0.0/24', { tags: { Name: '\u001b[31m<b>\u202e' }, availableIps: 1 })]);
  const text = diffText(plainPen, diffOf(side(region([]), []), side(named, []), 0), { all: false }).join('\n');
  expect(text).toContain('\\u001b[31m<b>\\u202e');
});
