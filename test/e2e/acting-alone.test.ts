/** Mode `auto`: the deployed service does each of its actions by itself, not while it is stopped, and nothing to what only looks alike. */
import { setTimeout as pause } from 'node:timers/promises';
import { ListQueuesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { DeleteParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConfigDocument } from '../../lambdas/contract/config.ts';
import { DETAIL_TYPES } from '../../lambdas/contract/event-names.ts';
import { STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { type BusEvent, type BusTap, tapBus } from './bus-tap.ts';
import { deployService } from './deploy.ts';
import type { Standing } from './recorder/judge.ts';
import { judgeFunctions } from './recorder/judge-functions.ts';
import { type AutoRegion, autoRegion } from './remediation/auto-region.ts';
import { CLUSTER, DISCOVERY } from './remediation/region.ts';
import { APPROVER_ROLE, addCluster, addFacts, asApprover } from './remediation/setting.ts';
import { verb } from './remediation/verb.ts';
import { present } from './service/region.ts';
import { startTestbed, type Testbed } from './testbed.ts';
import { waitFor } from './wait-for.ts';

const STOP = '/headroom/stop';
const CONFIG: ConfigDocument = {
  mode: 'auto',
  clusters: { [CLUSTER]: { karpenterSelectors: [{ tags: { [DISCOVERY]: CLUSTER } }] } },
  schedule: { settle: '1 second' },
  remediation: {
    approvers: [APPROVER_ROLE],
    iacIgnoresTags: true,
    quarantine: '1 hour',
    limits: { perRun: 10, perDay: 10 },
  },
};
/** Milliseconds for anything that takes a few ticks, or a few cold functions, on a busy machine. */
const SOON = 150_000;
/** Milliseconds after which what a look does is done. */
const QUIET_MS = 8_000;

const stops: (() => Promise<void>)[] = [];
let region: AutoRegion;
let simulator: Simulator;
let testbed: Testbed;
let seen: Awaited<ReturnType<typeof play>>;
/** The tags that stood on a subnet or an interface before the last call on it, as IAM sees them. */
const standing = new Map<string, Tags>();

type Tags = Readonly<Record<string, string>>;

const tagsOf = (id: string): Tags => {
  const tags = id.startsWith('subnet-') ? region.world.subnet(id).Tags : region.world.interfaces.get(id)?.TagSet;
  return Object.fromEntries((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
};
const targetOf = (params: Readonly<Record<string, unknown>>): string =>
  String(params['ResourceId.1'] ?? params.SubnetId ?? params.NetworkInterfaceId ?? '');
/** Calls that change EC2, in the order of their names. */
const writes = (): readonly string[] =>
  simulator.calls
    .filter(({ action }) => /^(?:Create|Delete)/.test(action))
    .map(({ action, params }) => `${action} ${targetOf(params)}`.trim())
    .sort();
const interfaceIds = () => [...region.world.interfaces.values()].map((eni) => present(eni.NetworkInterfaceId));
const reservations = () => [...region.world.reservations.values()];
const sparedTags = () => Object.fromEntries(Object.values(region.spared).map((id) => [id, tagsOf(id)]));

/** What the hourly rule sends. */
async function lookAgain(): Promise<void> {
  const { sqs } = testbed.clients;
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const [looks, ...others] = QueueUrls.filter((url) => /RemediatorLooks(?!DeadLetters)/.test(url));
  if (looks === undefined || others.length > 0) throw new Error(`one queue of looks was expected: ${QueueUrls}`);
  await sqs.send(new SendMessageCommand({ QueueUrl: looks, MessageBody: JSON.stringify({ look: [] }) }));
}

/** The decisions that the region asks for, as action and subnet. */
const decisions = () => {
  const { subnets, places } = region;
  return {
    activation: `activateStandby ${subnets.standby}`,
    reservation: `reservePrefixes ${subnets.light}`,
    quarantine: `cleanLeakedEnis ${places.fresh}`,
    deletion: `cleanLeakedEnis ${places.ripe}`,
  };
};

/** Events of a type by the decision they are about. */
const ofType = (all: readonly BusEvent[], type: string): ReadonlyMap<string, BusEvent> =>
  new Map(
    all
      .filter((event) => event['detail-type'] === type)
      .map((event) => [`${event.detail.action} ${event.detail.subnetId}`, event]),
  );

/** Ids of the plans that the service's log says were held by the stop parameter. */
const heldByStop = (): ReadonlySet<string | undefined> =>
  new Set(
    testbed
      .log()
      .split('\n')
      .filter((line) => line.includes('"message":"stopped"'))
      .map((line) => /"planId":"([^"]+)"/.exec(line)?.[1]),
  );

/** First it is stopped, then it acts, then what can be taken back is. */
async function play(bus: BusTap, approver: Readonly<Record<string, string>>) {
  const wanted = decisions();
  const allOf = (type: string) => (events: readonly BusEvent[]) => {
    const told = ofType(events, type);
    return Object.values(wanted).every((one) => told.has(one)) && told;
  };
  const before = { interfaces: interfaceIds(), spared: sparedTags() };
  const planned = await bus.waitUntil('the plans', allOf(DETAIL_TYPES.remediationPlanned), SOON);
  await lookAgain();
  const planIds = Object.values(wanted).map((one) => present(planned.get(one)?.detail.planId));
  await waitFor(() => planIds.every((id) => heldByStop().has(id)), {
    what: 'each plan to be held by the stop parameter',
    timeoutMs: SOON,
  });
  const whileStopped = writes();

  await testbed.clients.ssm.send(new DeleteParameterCommand({ Name: STOP }));
  await lookAgain();
  const applied = await bus.waitUntil('what was done', allOf(DETAIL_TYPES.remediationApplied), SOON);
  await lookAgain();
  await pause(QUIET_MS);
  const after = {
    writes: writes(),
    interfaces: interfaceIds(),
    spared: sparedTags(),
    standby: tagsOf(region.subnets.standby),
    fresh: region.leaked.fresh.map(tagsOf),
    reservations: reservations(),
  };

  const undo = (decision: string) => verb(approver, 'undo', present(applied.get(decision)?.detail.planId), '--yes');
  const undone = {
    reservation: await undo(wanted.reservation),
    quarantine: await undo(wanted.quarantine),
    deletion: await undo(wanted.deletion),
    writes: writes().filter((write) => !after.writes.includes(write)),
    reservations: reservations(),
    fresh: region.leaked.fresh.map(tagsOf),
  };
  return { before, whileStopped, applied, after, undone };
}

beforeAll(async () => {
  region = autoRegion();
  simulator = await startSimulator(region.world);
  stops.unshift(() => simulator.close());
  testbed = await startTestbed({ ec2Endpoint: simulator.url, minuteSeconds: 5 });
  stops.unshift(() => testbed.stop());
  const { clients } = testbed;
  testbed.intercept(async ({ params }) => {
    const id = targetOf(params);
    if (/^(?:subnet|eni)-/.test(id)) standing.set(id, tagsOf(id));
    return undefined;
  });
  await addCluster(testbed, [region.subnets.full, region.subnets.scattered]);
  await clients.ssm.send(new PutParameterCommand({ Name: STOP, Value: 'incident', Type: 'String' }));
  const output = await deployService(testbed, 'acting-alone', CONFIG);
  const bus = await tapBus(clients, output(STACK_OUTPUTS.bus));
  await addFacts(testbed, output(STACK_OUTPUTS.bucket));
  seen = await play(bus, await asApprover(testbed));
}, 900_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

test('while the stop parameter stands, it plans and writes nothing', () => {
  expect(seen.whileStopped).toEqual([]);
});

test('each action is done by one call for each thing, and nothing else is written', () => {
  const { subnets, leaked } = region;
  expect([...seen.applied.keys()].sort()).toEqual(Object.values(decisions()).sort());
  expect(seen.after.writes).toEqual(
    [
      `CreateTags ${subnets.standby}`,
      `CreateSubnetCidrReservation ${subnets.light}`,
      `DeleteNetworkInterface ${leaked.ripe}`,
      ...leaked.fresh.map((id) => `CreateTags ${id}`),
    ].sort(),
  );
});

test('the standby is found by the cluster', () => {
  expect(seen.after.standby).toMatchObject({ [DISCOVERY]: CLUSTER, 'headroom:activated-for': CLUSTER });
});

test('half of the lightly used subnet is kept for prefixes', () => {
  expect(seen.after.reservations).toEqual([
    expect.objectContaining({ SubnetId: region.subnets.light, Cidr: '10.0.4.0/23', ReservationType: 'prefix' }),
  ]);
});

test('what leaked goes after its quarantine, and what only looks so stays as it was', () => {
  const { before, after } = seen;
  expect(before.interfaces.filter((id) => !after.interfaces.includes(id))).toEqual([region.leaked.ripe]);
  for (const tags of after.fresh) expect(Date.parse(tags['headroom:quarantined-at'] ?? '')).not.toBeNaN();
  expect(after.spared).toEqual(before.spared);
});

test('reservation and quarantine are taken back; what is deleted is gone, and undo says so', () => {
  const { undone } = seen;
  expect([undone.reservation.plan?.state, undone.quarantine.plan?.state]).toEqual(['undone', 'undone']);
  expect(undone.reservations).toEqual([]);
  for (const tags of undone.fresh) expect(tags).not.toHaveProperty('headroom:quarantined-at');
  expect([undone.deletion.status, undone.deletion.plan?.state]).toEqual([1, 'applied']);
  expect(undone.deletion.plan?.history?.at(-1)).toMatchObject({
    what: 'undo refused',
    why: 'deleted interfaces are gone: there is nothing to take back',
  });
});

/** Granted, and not called in this story; each with the reason why it is there all the same. */
const UNUSED: Readonly<Record<string, string>> = {
  'eks:DescribeNodegroup': 'the cluster of this story has no node group',
};

/** @param otherwise tags that stood there with another value, or not at all. */
const asItStood =
  (otherwise: Readonly<Record<string, string | undefined>> = {}): Standing =>
  ({ params }) =>
    Object.fromEntries(
      Object.entries({ ...standing.get(targetOf(params)), ...otherwise }).flatMap(([key, value]) =>
        value === undefined ? [] : [[`aws:ResourceTag/${key}`, value]],
      ),
    );

test('every call of remediate is one that its deployed role allows, and each unused grant has its reason', async () => {
  const { calls, ...judgement } = await judgeFunctions(testbed, 'Remediate', asItStood());
  expect(calls).toBeGreaterThan(0);
  expect(judgement).toEqual({ denied: [], unused: Object.keys(UNUSED) });
});

test.each([
  ['it is protected', { 'headroom:protected': 'true' }],
  ['it is not in quarantine', { 'headroom:quarantined-at': undefined }],
  ['it is another cluster’s', { 'cluster.k8s.amazonaws.com/name': 'dev' }],
  ['the CNI did not make it', { 'node.k8s.amazonaws.com/instance_id': undefined }],
])('the deployed role denies the very deletion that was made, where %s', async (_, otherwise) => {
  const { denied } = await judgeFunctions(testbed, 'Remediate', asItStood(otherwise));
  expect(denied).toContainEqual(expect.stringContaining('ec2:DeleteNetworkInterface on '));
});
