import { describe, expect, test } from '@jest/globals';
import { assessed, codes, only } from '../../support/assessing.ts';
import { type EniFields, eni, reservation, subnet } from '../../support/builders.ts';
import { instance, read } from '../../support/cluster-facts.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const GONE = 'i-00000000000000bad';
const HERE = subnet('10.0.0.0/24', { availableIps: 249 });

/** Everything that proves a leak; each test takes one proof away. */
const LEAKED: EniFields = {
  id: 'eni-00000000000000bad',
  addresses: ['10.0.0.20', '10.0.0.21'],
  description: `aws-K8S-${GONE}`,
  status: 'available',
  tags: { 'node.k8s.amazonaws.com/instance_id': GONE, 'node.k8s.amazonaws.com/createdAt': '2026-11-30T11:54:59Z' },
};
const FACTS = { now: NOW, instances: read([]) };

const inState = (instanceId: string, state: string) => instance(instanceId, HERE.subnetId, {}, { state });

function leak(fields: EniFields = {}, facts: Parameters<typeof assessed>[0]['facts'] = FACTS) {
  return only(assessed({ subnets: [HERE], enis: [eni({ ...LEAKED, ...fields })], facts }), 'LEAKED_ENI');
}

function withTags(more: Record<string, string>): EniFields {
  return { tags: { ...LEAKED.tags, ...more } };
}

describe('LEAKED_ENI', () => {
  test('is said with every proof, and says what it would win back', () => {
    expect(leak()).toMatchObject({
      severity: 'warning',
      eniIds: [LEAKED.id],
      evidence: { count: 1, ips: 2, freeAfterCleanup: 251, assignablePrefixesAfterCleanup: 14, prefixesWonBack: 1 },
    });
  });

  test.each<[string, EniFields]>([
    ['it is attached', { status: 'in-use', attachment: { instanceId: GONE, deviceIndex: 1 } }],
    ['it is being attached', { attachment: { instanceId: GONE, deviceIndex: 1 } }],
    ['the CNI did not describe it', { description: 'spare' }],
    ['it has the description of the resource controller', { description: `aws-k8s-${GONE}` }],
    ['it has no tag of the CNI', { tags: {} }],
    ['a service made it', { requesterManaged: true }],
    ['an operator manages it', { operatorManaged: true }],
    ['it belongs to another account, whose instances we cannot see', { ownerId: '999999999999' }],
    ['its age is not known', { tags: { 'node.k8s.amazonaws.com/instance_id': GONE } }],
    ['its age cannot be read', withTags({ 'node.k8s.amazonaws.com/createdAt': 'yesterday' })],
    ['a person protects it', withTags({ 'headroom:protected': '' })],
    ['the CNI was told to leave it alone', withTags({ 'node.k8s.amazonaws.com/no_manage': 'true' })],
    ['it is a branch', { interfaceType: 'branch' }],
  ])('is not said where %s', (_, fields) => {
    expect(leak(fields)).toBeUndefined();
  });

  test('is said where the CNI was told to manage it after all', () => {
    expect(leak(withTags({ 'node.k8s.amazonaws.com/no_manage': 'false' }))).toBeDefined();
  });

  test.each([
    ['2026-11-30T11:55:00Z', false],
    ['2026-11-30T11:54:59Z', true],
  ])('made at %s, five minutes are not enough', (createdAt, said) => {
    expect(leak(withTags({ 'node.k8s.amazonaws.com/createdAt': createdAt })) !== undefined).toBe(said);
  });

  test('the age is a threshold', () => {
    const settings = { thresholds: { leakedEniAgeSeconds: 302 } };
    expect(codes(assessed({ subnets: [HERE], enis: [eni(LEAKED)], facts: FACTS, settings }))).not.toContain(
      'LEAKED_ENI',
    );
  });

  test.each<[string, Parameters<typeof assessed>[0]['facts'], boolean]>([
    ['terminated', { now: NOW, instances: read([inState(GONE, 'terminated')]) }, true],
    ['shutting down', { now: NOW, instances: read([inState(GONE, 'shutting-down')]) }, false],
    ['running', { now: NOW, instances: read([inState(GONE, 'running')]) }, false],
    ['not looked for', { now: NOW }, false],
    [
      'not among those that could be read',
      { now: NOW, instances: { state: 'unknown', value: [], failures: [] } },
      false,
    ],
    ['gone, but the time is not known', { instances: read([]) }, false],
  ])('of an instance that is %s', (_, facts, said) => {
    expect(leak({}, facts) !== undefined).toBe(said);
  });

  test('without the caller, only the owner of the subnet is believed to see its instances', () => {
    const facts = { ...FACTS, account: undefined } as unknown as typeof FACTS;
    expect(leak({}, facts)).toBeDefined();
    expect(leak({ ownerId: '999999999999' }, facts)).toBeUndefined();
  });

  test('a prefix counts whole, and what an explicit reservation keeps is no prefix afterwards', () => {
    const enis = [eni({ ...LEAKED, prefixes: ['10.0.0.32/28'] }), eni({ addresses: ['10.0.0.50'] })];
    const reservations = read([reservation('10.0.0.16/28', 'explicit')]);
    const found = only(assessed({ subnets: [HERE], enis, facts: { ...FACTS, reservations } }), 'LEAKED_ENI');
    expect(found?.evidence).toMatchObject({
      ips: 18,
      freeAfterCleanup: 250,
      assignablePrefixesAfterCleanup: 12,
      prefixesWonBack: 1,
    });
  });
});

describe('DETACHED_NODE_PRIMARY', () => {
  const DETACHED: EniFields = {
    id: 'eni-0000000000000d37a',
    addresses: ['10.0.0.20'],
    status: 'available',
    tags: { 'node.k8s.amazonaws.com/instance_id': GONE, 'eks:cluster-name': 'prod' },
  };
  const detached = (fields: EniFields, facts: Parameters<typeof assessed>[0]['facts'] = FACTS) =>
    only(assessed({ subnets: [HERE], enis: [eni({ ...DETACHED, ...fields })], facts }), 'DETACHED_NODE_PRIMARY');

  test('needs no age, for a person will look', () => {
    expect(detached({}, { instances: read([]) })).toMatchObject({
      severity: 'info',
      eniIds: [DETACHED.id],
      evidence: { count: 1, ips: 1, hint: 'launch template DeleteOnTermination=false', clusters: ['prod'] },
    });
  });

  test('is not said of a spare, of a running instance or without the instances', () => {
    expect(detached({ tags: {} })).toBeUndefined();
    expect(detached({}, { instances: read([inState(GONE, 'running')]) })).toBeUndefined();
    expect(detached({}, {})).toBeUndefined();
    expect(detached({ requesterManaged: true })).toBeUndefined();
  });
});

test('STOPPED_INSTANCES_HOLD_IPS adds up what stopped instances hold', () => {
  const on = (instanceId: string, fields: EniFields) => eni({ ...fields, attachment: { instanceId, deviceIndex: 0 } });
  const enis = [
    on('i-1', { addresses: ['10.0.0.20'], prefixes: ['10.0.0.32/28'] }),
    on('i-2', { addresses: ['10.0.0.50', '10.0.0.51'] }),
    on('i-3', { addresses: ['10.0.0.60'] }),
  ];
  const facts = {
    instances: read([inState('i-1', 'stopped'), inState('i-2', 'stopped'), inState('i-3', 'running')]),
  };
  expect(only(assessed({ subnets: [HERE], enis, facts }), 'STOPPED_INSTANCES_HOLD_IPS')).toMatchObject({
    severity: 'info',
    observed: 19,
    evidence: {
      ips: 19,
      count: 2,
      instances: [
        { instanceId: 'i-1', ips: 17 },
        { instanceId: 'i-2', ips: 2 },
      ],
    },
  });
});

test('STOPPED_INSTANCES_HOLD_IPS is not said of stopped instances without an address, nor where the instances were not read', () => {
  const attachment = { instanceId: 'i-1', deviceIndex: 0 };
  const without = [eni({ interfaceType: 'efa-only', attachment: { ...attachment, deviceIndex: 1 } })];
  const facts = { instances: read([inState('i-1', 'stopped')]) };
  expect(codes(assessed({ subnets: [HERE], enis: without, facts }))).not.toContain('STOPPED_INSTANCES_HOLD_IPS');
  const held = [eni({ addresses: ['10.0.0.20'], attachment })];
  expect(codes(assessed({ subnets: [HERE], enis: held }))).not.toContain('STOPPED_INSTANCES_HOLD_IPS');
  const one = only(assessed({ subnets: [HERE], enis: held, facts }), 'STOPPED_INSTANCES_HOLD_IPS');
  expect(one?.message).toContain(
    '1 stopped instance in subnet-00000000000000001 (10.0.0.0/24, us-east-1a) holds 1 address, for as long as it exists',
  );
});
