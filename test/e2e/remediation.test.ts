/** The loop, closed: a launch fails, the cause is told, room is made by approval, and taken back only where that is safe. */
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConfigDocument } from '../../lambdas/contract/config.ts';
import { LOOPBACK_WEBHOOK } from '../../lambdas/contract/environment.ts';
import { EVENT_SCHEMA_VERSION } from '../../lambdas/contract/event-names.ts';
import { STACK_OUTPUTS } from '../../lambdas/contract/names.ts';
import { startSimulator } from '../../simulator/index.ts';
import { tapBus } from './bus-tap.ts';
import { deployService } from './deploy.ts';
import type { Standing } from './recorder/judge.ts';
import { judgeFunctions } from './recorder/judge-functions.ts';
import { CLUSTER, DISCOVERY, type StandbyRegion, standbyRegion } from './remediation/region.ts';
import { APPROVER, APPROVER_ROLE, addCluster, addFacts, asApprover } from './remediation/setting.ts';
import { play, type Story } from './remediation/story.ts';
import { startSlackStandIn } from './slack-stand-in.ts';
import { ACCOUNT, REGION, startTestbed, type Testbed } from './testbed.ts';
import { tapTopic } from './topic-tap.ts';

const SCOPE_TAG = `cni.networking.k8s.aws/cluster/${CLUSTER}`;

/** A change is up after a second, so that nobody waits half a minute; else what somebody who proposes would write. */
const config = (slackWebhookSecretArn: string): ConfigDocument => ({
  mode: { activateStandby: 'propose' },
  clusters: { [CLUSTER]: { karpenterSelectors: [{ tags: { [DISCOVERY]: CLUSTER } }] } },
  schedule: { settle: '1 second' },
  notifications: { slackWebhookSecretArn },
  remediation: { approvers: [APPROVER_ROLE] },
});

const stops: (() => Promise<void>)[] = [];
let testbed: Testbed;
let region: StandbyRegion;
let story: Story;

beforeAll(async () => {
  region = standbyRegion();
  const simulator = await startSimulator(region.world);
  stops.unshift(() => simulator.close());
  const slack = await startSlackStandIn();
  stops.unshift(() => slack.stop());
  testbed = await startTestbed({
    ec2Endpoint: simulator.url,
    minuteSeconds: 5,
    functionEnv: { [LOOPBACK_WEBHOOK.variable]: LOOPBACK_WEBHOOK.allowed },
  });
  stops.unshift(() => testbed.stop());
  const { clients, env } = testbed;
  await addCluster(testbed, [region.subnets.full, region.subnets.other]);
  const { ARN = '' } = await clients.secrets.send(
    new CreateSecretCommand({ Name: 'headroom-slack', SecretString: slack.url }),
  );
  const output = await deployService(testbed, 'remediation', config(ARN));
  await addFacts(testbed, output(STACK_OUTPUTS.bucket));
  story = await play({
    region,
    simulator,
    testbed,
    slack,
    bus: await tapBus(clients, output(STACK_OUTPUTS.bus)),
    mail: await tapTopic(clients, output(STACK_OUTPUTS.messagesTopic), 'tap-of-mail'),
    table: output(STACK_OUTPUTS.table),
    stranger: env,
    approver: await asApprover(testbed),
  });
}, 900_000);

afterAll(async () => {
  for (const stop of stops) await stop();
});

const ofType = (type: string) => story.events.filter((event) => event['detail-type'] === type);

test('a fleet that fails in part raises one finding about the subnet, however often it is told', () => {
  expect(story.saidWhileWell).toEqual([]);
  // Many addresses, no whole /28: and half of the fleet's pools could serve, so the call itself succeeded.
  expect(story.before.freeBlocks).toBe(0);
  expect(story.before.availableIps).toBeGreaterThan(100);
  expect(story.before.pick).toBe(region.subnets.full);
  expect(story.fleet.Errors?.map(({ ErrorCode }) => ErrorCode)).toEqual(['InsufficientCidrBlocks']);
  expect(story.fleet.Instances?.[0]?.InstanceIds).toHaveLength(1);
  const raised = ofType('Subnet Finding Raised').filter(
    ({ detail }) => detail.finding?.code === 'PREFIX_EXHAUSTED' && detail.finding.subnetId === region.subnets.full,
  );
  expect(raised.map(({ detail }) => detail)).toEqual([
    expect.objectContaining({
      schemaVersion: EVENT_SCHEMA_VERSION,
      account: ACCOUNT,
      region: REGION,
      origin: 'react',
      count: 1,
      finding: expect.objectContaining({ severity: 'critical' }),
    }),
  ]);
  // Three deliveries, one of them twice the same: two failed launches, with the time of the first and the last.
  expect(story.folded).toMatchObject({ origin: 'react', count: 2, reaction: { count: 2 } });
  expect(story.folded.finding.evidence).toMatchObject({ count: 2, errorCodes: ['InsufficientCidrBlocks'] });
});

test('a message names the true cause within ten seconds of the event', () => {
  expect(story.alert.message).toContain('no whole free /28');
  expect(story.alert.message).toContain(region.subnets.full);
  expect(story.mailAfterMs).toBeLessThan(10_000);
  expect(story.slackAfterMs).toBeLessThan(10_000);
  expect(story.violations).toEqual([]);
});

test('the plan is there for all to see, passes its guards, and says what it would do and how to approve it', () => {
  const { listed, planId, invitation } = story;
  expect(listed.stderr).toBe('');
  expect(listed.plan).toMatchObject({
    id: planId,
    state: 'planned',
    action: 'activateStandby',
    mode: 'propose',
    cluster: CLUSTER,
    subnetId: region.subnets.standby,
    relieves: region.subnets.full,
    effect: { nodesInZone: { before: 0, after: expect.any(Number) } },
    simulation: {
      karpenter: [expect.objectContaining({ before: region.subnets.full, after: region.subnets.standby })],
      cni: expect.objectContaining({ before: region.subnets.full, after: region.subnets.standby }),
      changes: true,
    },
  });
  expect(listed.plan?.guards.filter(({ passed }) => !passed)).toEqual([]);
  expect(invitation.message).toContain(`headroom apply ${planId}`);
  expect(ofType('Remediation Planned')).toHaveLength(1);
});

test('who is no approver is refused, and nothing is written', () => {
  expect(story.strangers.status).toBe(1);
  expect(story.strangers.stderr).toContain('is not in remediation.approvers');
  expect(story.writesBefore).toBe(0);
});

test('approved, the standby is tagged in one write, by the name of who approved, and what stood there before is kept', () => {
  const { applied, after, before, planId } = story;
  expect([applied.status, applied.plan?.state]).toEqual([0, 'applied']);
  expect(applied.plan?.history).toContainEqual(
    expect.objectContaining({ what: 'approved', by: APPROVER, why: 'the zone is full' }),
  );
  const stamp = after.tags['headroom:activated-at'];
  expect(stamp).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  const written = {
    [DISCOVERY]: CLUSTER,
    'kubernetes.io/role/cni': '1',
    [SCOPE_TAG]: 'shared',
    'headroom:activated-for': CLUSTER,
    'headroom:activated-at': stamp,
  };
  expect(after.tags).toEqual({ ...before.tags, ...written });
  expect(after.writes).toBe(1);
  expect(after.ledger).toEqual([
    {
      kind: 'tags',
      resourceId: region.subnets.standby,
      written,
      previous: Object.fromEntries(Object.keys(written).map((key) => [key, null])),
    },
  ]);
  expect(ofType('Remediation Approved').map(({ detail }) => [detail.planId, detail.by])).toEqual([[planId, APPROVER]]);
  expect(ofType('Remediation Applied').map(({ detail }) => detail.planId)).toEqual([planId]);
});

test('Karpenter picks the standby by its own rule, and the next prefixes are had there', () => {
  expect(story.after.pick).toBe(region.subnets.standby);
  expect(story.relieved.Errors).toEqual([]);
  expect(story.next.AssignedIpv4Prefixes).toEqual([{ Ipv4Prefix: expect.stringMatching(/^10\.0\.3\.\d+\/28$/) }]);
});

test('undo is refused with the number of nodes that would drift, and where the zone would lose its last room', () => {
  const { undoWithNode, undoLastRoom, after } = story;
  expect([undoWithNode.status, undoWithNode.plan?.state]).toEqual([1, 'applied']);
  expect(undoWithNode.plan?.history?.at(-1)).toMatchObject({
    what: 'undo refused',
    why: '1 node of prod would drift: Karpenter would replace it',
  });
  expect(undoLastRoom.status).toBe(1);
  expect(undoLastRoom.plan?.history?.at(-1)).toMatchObject({
    what: 'undo refused',
    why: 'us-east-1a would have no subnet left that can take a node of prod',
  });
  expect([story.tagsWithNode, story.tagsLastRoom]).toEqual([after.tags, after.tags]);
  const failed = ofType('Remediation Failed').map(({ detail }) => [detail.errorCode, detail.by]);
  expect(failed[0]).toEqual(['UNDO_REFUSED', APPROVER]);
});

test('undo is done where none would: exactly what was written goes, what the owner wrote stays', () => {
  expect([story.undone.status, story.undone.plan?.state]).toEqual([0, 'undone']);
  expect(story.tagsUndone).toEqual(story.before.tags);
  expect(story.writes).toEqual([`CreateTags ${region.subnets.standby}`, `DeleteTags ${region.subnets.standby}`]);
  expect(ofType('Remediation Undone').map(({ detail }) => [detail.planId, detail.by])).toEqual([
    [story.planId, APPROVER],
  ]);
});

/** Granted, and not called in this story; each with the reason why it is there all the same. */
const UNUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  React: {
    'ec2:DescribeNetworkInterfaces': 'where an event names an interface that no snapshot knows',
    's3:ListBucket': 'S3 asks for it where an object is not there; that is no call of the function',
  },
  Notify: { 'dynamodb:DeleteItem': 'where what quiet hours held is let go' },
  Remediate: { 'eks:DescribeNodegroup': 'the cluster of this story has no node group' },
  Approve: { 'sqs:SendMessage': 'the SDK sends to the queue’s own URL, past the recorder; the plan was carried out' },
};

/** The tags that stood on the subnet before a call, as IAM sees them. */
const standing: Standing = ({ action }) =>
  Object.fromEntries(
    Object.entries(story.standing.get(action) ?? {}).map(([key, value]) => [`aws:ResourceTag/${key}`, value]),
  );

test.each(Object.keys(UNUSED))(
  'every call of %s is one that its deployed role allows, and each unused grant has its reason',
  async (name) => {
    const { calls, ...judgement } = await judgeFunctions(testbed, name, standing);
    expect(calls).toBeGreaterThan(0);
    expect(judgement).toEqual({ denied: [], unused: Object.keys(UNUSED[name] ?? {}).sort() });
  },
);

test.each([
  ['the key serves another cluster', { [`aws:ResourceTag/${DISCOVERY}`]: 'dev' }],
  ['the owner took the mark away', { 'aws:ResourceTag/headroom:standby-for': [] }],
  ['the subnet is protected', { 'aws:ResourceTag/headroom:protected': 'true' }],
])('the deployed role denies the very write that was made, where %s', async (_, otherwise) => {
  const { denied } = await judgeFunctions(testbed, 'Remediate', (call) => ({ ...standing(call), ...otherwise }));
  expect(denied).toContainEqual(expect.stringContaining(`ec2:CreateTags on arn:aws:ec2:${REGION}:${ACCOUNT}:subnet/`));
});
