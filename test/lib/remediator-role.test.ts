/** What the remediator's role lets happen, judged by a simulation of IAM: what its conditions forbid is denied, what the code does is allowed. */

import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, test } from '@jest/globals';
import { WRITES } from '../../lambdas/adapters/remediating/network-writer.ts';
import { WRITE_CALLS, writePermissions } from '../../lambdas/contract/write-calls.ts';
import { ACCOUNT, ALL } from './remediator-config.ts';
import { resourcesOf, synthesise, type Template } from './template.ts';

const REGION = 'us-east-1';

/** A value of the template with the pseudo parameters filled in; references of our own become their names. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = ['', undefined]] = Object.entries(value);
  if (key === 'Ref')
    return (
      { 'AWS::Partition': 'aws', 'AWS::Region': REGION, 'AWS::AccountId': ACCOUNT }[String(inner)] ?? String(inner)
    );
  if (key === 'Fn::GetAtt') return `arn:aws:sqs:${REGION}:${ACCOUNT}:${(inner as string[])[0]}`;
  if (key === 'Fn::Join') return ((inner as [string, unknown[]])[1].map(filled) as string[]).join('');
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]));
}

function policyOf(template: Template, role: string): unknown {
  const [found] = [...resourcesOf(template, 'AWS::IAM::Role')].filter(([id]) => id.startsWith(role));
  const [policy] = (found?.[1].Properties.Policies ?? []) as readonly { PolicyDocument: unknown }[];
  return filled(policy?.PolicyDocument);
}

interface Call {
  readonly action: string;
  readonly resource: string;
  readonly tags?: Record<string, string>;
  /** Tags that the resource has. */
  readonly has?: Record<string, string>;
  readonly vpc?: string;
}

function judge(policy: unknown) {
  return async ({ action, resource, tags = {}, has = {}, vpc = 'vpc-00000000000000001' }: Call) => {
    const keys = Object.keys(tags);
    const deleting = action === 'ec2:DeleteTags';
    const result = await runSimulation(
      {
        request: {
          principal: `arn:aws:sts::${ACCOUNT}:assumed-role/remediate/headroom`,
          action,
          resource: { resource, accountId: ACCOUNT },
          contextVariables: {
            'aws:RequestedRegion': REGION,
            ...(keys.length === 0 ? {} : { 'aws:TagKeys': keys }),
            ...Object.fromEntries(keys.map((key) => [`aws:RequestTag/${key}`, tags[key] as string])),
            ...Object.fromEntries(Object.entries(has).map(([key, value]) => [`aws:ResourceTag/${key}`, value])),
            ...(deleting || resource === '*' ? {} : { 'ec2:Vpc': `arn:aws:ec2:${REGION}:${ACCOUNT}:vpc/${vpc}` }),
          },
        },
        identityPolicies: [{ name: 'headroom', policy }],
        serviceControlPolicies: [],
        resourceControlPolicies: [],
      },
      {},
    );
    if (result.resultType === 'error') throw new Error(JSON.stringify(result.errors));
    return result.overallResult === 'Allowed';
  };
}

const subnet = `arn:aws:ec2:${REGION}:${ACCOUNT}:subnet/subnet-0123456789abcdef0`;
const sharedSubnet = `arn:aws:ec2:${REGION}:222222222222:subnet/subnet-0123456789abcdef0`;
const eni = `arn:aws:ec2:${REGION}:${ACCOUNT}:network-interface/eni-0123456789abcdef0`;
const instance = `arn:aws:ec2:${REGION}:${ACCOUNT}:instance/i-0123456789abcdef0`;
const standby = { 'headroom:standby-for': 'prod' };
const opening = {
  'karpenter.sh/discovery': 'prod',
  'headroom:activated-for': 'prod',
  'headroom:activated-at': '2026-11-30T12:00:00Z',
};
const leaked = { 'node.k8s.amazonaws.com/instance_id': 'i-0gone' };
const quarantine = { 'headroom:quarantined-at': '2026-11-30T12:00:00Z' };

describe('what the code does is allowed', () => {
  const allowed = judge(policyOf(synthesise(ALL), 'RemediatorRemediateRole'));
  const cni = { 'kubernetes.io/role/cni': '1', 'cni.networking.k8s.aws/cluster/prod': 'shared' };
  test.each<[string, Call]>([
    ['open a standby', { action: 'ec2:CreateTags', resource: subnet, tags: opening, has: standby }],
    [
      'open it to the CNI too',
      { action: 'ec2:CreateTags', resource: subnet, tags: { ...opening, ...cni }, has: standby },
    ],
    [
      'open one whose key has the value already',
      {
        action: 'ec2:CreateTags',
        resource: subnet,
        tags: opening,
        has: { ...standby, 'karpenter.sh/discovery': 'prod' },
      },
    ],
    [
      'open one that another account shares',
      { action: 'ec2:CreateTags', resource: sharedSubnet, tags: opening, has: standby },
    ],
    [
      'open one by a configured selector with a pattern',
      {
        action: 'ec2:CreateTags',
        resource: subnet,
        tags: { tier: 'nodes-a', 'headroom:activated-for': 'dev' },
        has: { 'headroom:standby-for': 'dev' },
      },
    ],
    ['close it again', { action: 'ec2:DeleteTags', resource: subnet, tags: opening, has: { ...standby, ...opening } }],
    ['reserve a range', { action: 'ec2:CreateSubnetCidrReservation', resource: subnet }],
    ['delete a reservation', { action: 'ec2:DeleteSubnetCidrReservation', resource: '*' }],
    [
      'put a leaked interface into quarantine',
      { action: 'ec2:CreateTags', resource: eni, tags: quarantine, has: leaked },
    ],
    [
      '… that names a configured cluster',
      {
        action: 'ec2:CreateTags',
        resource: eni,
        tags: quarantine,
        has: { ...leaked, 'cluster.k8s.amazonaws.com/name': 'prod' },
      },
    ],
    [
      'end a quarantine',
      { action: 'ec2:DeleteTags', resource: eni, tags: quarantine, has: { ...leaked, ...quarantine } },
    ],
    [
      'delete it after quarantine',
      { action: 'ec2:DeleteNetworkInterface', resource: eni, has: { ...leaked, ...quarantine } },
    ],
    ['read', { action: 'ec2:DescribeNetworkInterfaces', resource: '*' }],
  ])('%s', async (_, call) => {
    expect(await allowed(call)).toBe(true);
  });
});

describe('what must never happen is denied', () => {
  const allowed = judge(policyOf(synthesise(ALL), 'RemediatorRemediateRole'));
  test.each<[string, Call]>([
    [
      'write over the value of another cluster',
      {
        action: 'ec2:CreateTags',
        resource: subnet,
        tags: opening,
        has: { ...standby, 'karpenter.sh/discovery': 'other' },
      },
    ],
    ['open a subnet that nobody marked', { action: 'ec2:CreateTags', resource: subnet, tags: opening }],
    [
      'open one that is marked for another cluster',
      { action: 'ec2:CreateTags', resource: subnet, tags: opening, has: { 'headroom:standby-for': 'dev' } },
    ],
    [
      'open one for a cluster that is not configured',
      {
        action: 'ec2:CreateTags',
        resource: subnet,
        tags: { ...opening, 'karpenter.sh/discovery': 'other' },
        has: standby,
      },
    ],
    [
      'open a protected one',
      { action: 'ec2:CreateTags', resource: subnet, tags: opening, has: { ...standby, 'headroom:protected': '' } },
    ],
    [
      'write a key that no selector has',
      { action: 'ec2:CreateTags', resource: subnet, tags: { ...opening, Name: 'x' }, has: standby },
    ],
    [
      'write the opt-out value of the CNI',
      { action: 'ec2:CreateTags', resource: subnet, tags: { ...opening, 'kubernetes.io/role/cni': '0' }, has: standby },
    ],
    [
      'mark a standby',
      {
        action: 'ec2:CreateTags',
        resource: subnet,
        tags: { ...opening, 'headroom:standby-for': 'prod' },
        has: standby,
      },
    ],
    ['protect', { action: 'ec2:CreateTags', resource: subnet, tags: { 'headroom:protected': '' }, has: standby }],
    [
      'take protection away',
      {
        action: 'ec2:DeleteTags',
        resource: subnet,
        tags: { 'headroom:protected': '' },
        has: { ...opening, 'headroom:protected': '' },
      },
    ],
    ['tag with no key said', { action: 'ec2:CreateTags', resource: subnet, has: standby }],
    [
      'take a tag off a subnet that Headroom did not open',
      {
        action: 'ec2:DeleteTags',
        resource: subnet,
        tags: { 'karpenter.sh/discovery': 'prod' },
        has: { 'karpenter.sh/discovery': 'prod' },
      },
    ],
    [
      'take another tag off one it opened',
      { action: 'ec2:DeleteTags', resource: subnet, tags: { Name: 'x' }, has: opening },
    ],
    [
      'reserve in a protected subnet',
      { action: 'ec2:CreateSubnetCidrReservation', resource: subnet, has: { 'headroom:protected': '' } },
    ],
    ['reserve in another account’s subnet', { action: 'ec2:CreateSubnetCidrReservation', resource: sharedSubnet }],
    ['delete an interface before its quarantine', { action: 'ec2:DeleteNetworkInterface', resource: eni, has: leaked }],
    ['delete one that the CNI did not make', { action: 'ec2:DeleteNetworkInterface', resource: eni, has: quarantine }],
    [
      'delete a protected one',
      {
        action: 'ec2:DeleteNetworkInterface',
        resource: eni,
        has: { ...leaked, ...quarantine, 'headroom:protected': '' },
      },
    ],
    [
      'delete one of another cluster',
      {
        action: 'ec2:DeleteNetworkInterface',
        resource: eni,
        has: { ...leaked, ...quarantine, 'cluster.k8s.amazonaws.com/name': 'other' },
      },
    ],
    ['quarantine what the CNI did not make', { action: 'ec2:CreateTags', resource: eni, tags: quarantine }],
    [
      'tag an interface with anything else',
      { action: 'ec2:CreateTags', resource: eni, tags: { ...quarantine, Name: 'x' }, has: leaked },
    ],
    ['tag an instance', { action: 'ec2:CreateTags', resource: instance, tags: quarantine, has: leaked }],
    [
      'take addresses from an interface',
      { action: 'ec2:UnassignPrivateIpAddresses', resource: eni, has: { ...leaked, ...quarantine } },
    ],
    ['delete a subnet', { action: 'ec2:DeleteSubnet', resource: subnet, has: standby }],
  ])('%s', async (_, call) => {
    expect(await allowed(call)).toBe(false);
  });

  test('anything outside the VPCs of the scope', async () => {
    const scoped = judge(
      policyOf(synthesise({ ...ALL, scope: { vpcs: ['vpc-00000000000000001'] } }), 'RemediatorRemediateRole'),
    );
    const open: Call = { action: 'ec2:CreateTags', resource: subnet, tags: opening, has: standby };
    expect(await scoped(open)).toBe(true);
    expect(await scoped({ ...open, vpc: 'vpc-00000000000000002' })).toBe(false);
    const remove: Call = { action: 'ec2:DeleteNetworkInterface', resource: eni, has: { ...leaked, ...quarantine } };
    expect(await scoped({ ...remove, vpc: 'vpc-00000000000000002' })).toBe(false);
  });

  test('anything of an action that its mode leaves alone', async () => {
    const actions = Object.keys({ activateStandby: 1, reservePrefixes: 1, cleanLeakedEnis: 1 }) as (
      | 'activateStandby'
      | 'reservePrefixes'
      | 'cleanLeakedEnis'
    )[];
    const calls: Record<string, Call> = {
      activateStandby: { action: 'ec2:CreateTags', resource: subnet, tags: opening, has: standby },
      reservePrefixes: { action: 'ec2:CreateSubnetCidrReservation', resource: subnet },
      cleanLeakedEnis: { action: 'ec2:DeleteNetworkInterface', resource: eni, has: { ...leaked, ...quarantine } },
    };
    for (const one of actions) {
      const only = judge(policyOf(synthesise({ ...ALL, mode: { [one]: 'propose' } }), 'RemediatorRemediateRole'));
      for (const other of actions)
        expect([one, other, await only(calls[other] as Call)]).toEqual([one, other, one === other]);
    }
  });

  test('by the approve function: anything in EC2', async () => {
    const allowed = judge(policyOf(synthesise(ALL), 'RemediatorApproveRole'));
    for (const { permission } of Object.values(WRITE_CALLS)) {
      const resource = permission.endsWith('DeleteSubnetCidrReservation')
        ? '*'
        : permission.endsWith('NetworkInterface')
          ? eni
          : subnet;
      expect(await allowed({ action: permission, resource, has: { ...standby, ...opening } })).toBe(false);
    }
  });
});

test('every call that the code makes is declared with its permission, and the role has no other that writes', () => {
  expect(Object.values(WRITES).sort()).toEqual(Object.keys(WRITE_CALLS).sort());
  const policy = policyOf(synthesise(ALL), 'RemediatorRemediateRole') as {
    Statement: { Effect: string; Action: string | string[] }[];
  };
  const writes = policy.Statement.filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action }) => [Action].flat())
    .filter((action) => /^ec2:(?!Describe|Get)/.test(action));
  const declared = ['activateStandby', 'reservePrefixes', 'cleanLeakedEnis'].flatMap((action) =>
    writePermissions(action as 'activateStandby'),
  );
  expect([...new Set(writes)].sort()).toEqual([...new Set(declared)].sort());
});
