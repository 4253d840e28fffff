/** Plays the whole loop once on the deployed service, and keeps what was seen at each step. */
import { setTimeout as pause } from 'node:timers/promises';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { AssignPrivateIpAddressesCommand } from '@aws-sdk/client-ec2';
import { DisableRuleCommand, EnableRuleCommand, ListRulesCommand, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { dynamoStateTable } from '../../../lambdas/adapters/dynamodb/state-table.ts';
import { itemOf } from '../../../lambdas/app/observe/items.ts';
import { undoLedger } from '../../../lambdas/app/remediate/plan-book.ts';
import { clusterAlarmName } from '../../../lambdas/contract/names.ts';
import type { FindingState } from '../../../lambdas/core/publish/finding-state.ts';
import type { Change } from '../../../lambdas/core/remediate/undo.ts';
import type { Simulator } from '../../../simulator/index.ts';
import type { BusTap } from '../bus-tap.ts';
import { fragment, freeBlocks, present } from '../service/region.ts';
import type { SlackStandIn } from '../slack-stand-in.ts';
import type { Testbed } from '../testbed.ts';
import type { Notification, TopicTap } from '../topic-tap.ts';
import { waitFor } from '../wait-for.ts';
import { CLUSTER, karpenterPick, launchNode, type StandbyRegion, ZONE, ZONE_ID } from './region.ts';
import { verb } from './verb.ts';

export interface Stage {
  readonly region: StandbyRegion;
  readonly simulator: Simulator;
  readonly testbed: Testbed;
  readonly bus: BusTap;
  readonly mail: TopicTap;
  readonly slack: SlackStandIn;
  readonly table: string;
  /** Environment of somebody who is an approver, and of somebody who is not. */
  readonly approver: Readonly<Record<string, string>>;
  readonly stranger: Readonly<Record<string, string>>;
}

/** Milliseconds for anything that takes a few ticks, or a few cold functions, on a busy machine. */
const SOON = 150_000;
/** Milliseconds without a call of observe after which no scan is under way. */
const QUIET_MS = 5_000;

const ALARM = clusterAlarmName(CLUSTER, ZONE_ID, 'critical');
const pairs = (tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] = []) =>
  Object.fromEntries(tags.map(({ Key = '', Value = '' }) => [Key, Value]));

export async function play(stage: Stage) {
  const { region, simulator, testbed, bus, mail, slack } = stage;
  const { world, subnets } = region;
  const { ec2, events, cloudwatch } = testbed.clients;
  const state = dynamoStateTable(testbed.clients.dynamodb, stage.table);
  const { Rules = [] } = await events.send(new ListRulesCommand({}));
  const Name = present(Rules.find((rule) => rule.Name?.includes('ObserverTick'))?.Name);
  const scans = () => testbed.recordedCalls().filter((call) => call.action === 'PutMetricData' && isObserve(call));
  const isObserve = ({ functionName }: { readonly functionName: string }) => functionName.includes('Observe');
  const alarm = async () =>
    (await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames: [ALARM] }))).MetricAlarms?.[0]?.StateValue;
  const alarmIs = (state: string) =>
    waitFor(async () => (await alarm()) === state, { what: `${ALARM} to be ${state}`, timeoutMs: SOON });
  const tagsOf = (subnetId: string) => pairs(world.subnet(subnetId).Tags);
  const writes = () => simulator.calls.filter(({ action }) => /^(?:Create|Delete)Tags$/.test(action));
  /** What CloudTrail told of the last call, put on the account's bus as AWS does. */
  const deliver = async () => {
    const event = present(simulator.trail.at(-1));
    const Entries = [{ Source: event.source, DetailType: event['detail-type'], Detail: JSON.stringify(event.detail) }];
    const at = Date.now();
    await events.send(new PutEventsCommand({ Entries }));
    return at;
  };
  /** The tags of what a call changed, as they stood before it: what IAM holds the role's conditions against. */
  const standing = new Map<string, Readonly<Record<string, string>>>();
  testbed.intercept(async ({ action, params }) => {
    const id = params['ResourceId.1'];
    if (/Tags$/.test(action) && typeof id === 'string') standing.set(action, tagsOf(id));
    return undefined;
  });
  const ledger = async (planId: string): Promise<readonly Change[]> => {
    return (await undoLedger(state, planId))?.changes ?? [];
  };

  // A healthy zone, and a node that starts there: nothing is said.
  await waitFor(() => scans().length >= 2, { what: 'two scans', timeoutMs: SOON });
  await alarmIs('OK');
  await launchNode(ec2, [await karpenterPick(ec2, ZONE)]);
  await deliver();
  await waitFor(() => testbed.recordedCalls().some((call) => call.functionName.includes('React')), {
    what: 'react to take up the launch',
    timeoutMs: SOON,
  });
  const saidWhileWell = (await bus.drain()).flatMap(({ detail: { finding } }) =>
    finding?.subnetId === undefined || finding.severity === 'info' ? [] : [finding.id],
  );

  // No scan between the fragmentation and the failed launch: the event alone has to tell.
  await events.send(new DisableRuleCommand({ Name }));
  await waitFor(() => Date.now() - (testbed.recordedCalls().filter(isObserve).at(-1)?.at ?? 0) > QUIET_MS, {
    what: 'no scan',
    timeoutMs: SOON,
  });
  const { recover } = fragment(region, subnets.full, region.nodeEni, 0);
  const before = {
    freeBlocks: freeBlocks(world, subnets.full).length,
    availableIps: world.availableIps(subnets.full),
    pick: await karpenterPick(ec2, ZONE),
    tags: tagsOf(subnets.standby),
  };
  const fleet = await launchNode(ec2, [before.pick, subnets.other]);
  const delivered = await deliver();
  const about = (text: string | undefined) => text?.includes(subnets.full) === true;
  const alert = await mail.waitUntil<Notification>(
    'the message',
    (all) => all.find(({ subject, message }) => subject?.includes('PREFIX_EXHAUSTED') && about(message)),
    SOON,
  );
  const mailAfterMs = Date.now() - delivered;
  const post = await waitFor(() => slack.posts().find(({ message }) => about(JSON.stringify(message))), {
    what: 'the post to Slack',
    timeoutMs: SOON,
  });
  // The same event once more, and the next failed launch.
  await deliver();
  await launchNode(ec2, [before.pick, subnets.other]);
  await deliver();

  const folded = await waitFor(
    async () => {
      const found = await itemOf<FindingState>(state, 'finding', `PREFIX_EXHAUSTED/${subnets.full}`);
      return (found?.value.reaction?.count ?? 0) > 1 && found?.value;
    },
    { what: 'the repeat to be folded', timeoutMs: SOON },
  );
  const planned = await bus.waitUntil(
    'the plan',
    (all) => all.find((event) => event['detail-type'] === 'Remediation Planned'),
    SOON,
  );
  const planId = present(planned.detail.planId);
  const invitation = await mail.waitUntil<Notification>(
    'the invitation to approve',
    (all) => all.find(({ message }) => message.includes(`headroom apply ${planId}`)),
    SOON,
  );
  const listed = await verb(stage.approver, 'plan');
  await events.send(new EnableRuleCommand({ Name }));
  await alarmIs('ALARM');

  const strangers = await verb(stage.stranger, 'apply', planId, '--yes');
  const writesBefore = writes().length;
  const applied = await verb(stage.approver, 'apply', planId, '--yes', '--why', 'the zone is full');
  const after = {
    tags: tagsOf(subnets.standby),
    writes: writes().length - writesBefore,
    ledger: await ledger(planId),
    pick: await karpenterPick(ec2, ZONE),
  };
  const relieved = await launchNode(ec2, [after.pick, subnets.other]);
  const instanceId = present(relieved.Instances?.[0]?.InstanceIds?.[0]);
  const eniId = present(
    world.enisOf(after.pick).find((eni) => eni.Attachment?.InstanceId === instanceId)?.NetworkInterfaceId,
  );
  const next = await ec2.send(new AssignPrivateIpAddressesCommand({ NetworkInterfaceId: eniId, Ipv4PrefixCount: 1 }));
  await alarmIs('OK');

  const undoWithNode = await verb(stage.approver, 'undo', planId, '--yes');
  const tagsWithNode = tagsOf(subnets.standby);
  world.terminate(instanceId);
  const undoLastRoom = await verb(stage.approver, 'undo', planId, '--yes');
  const tagsLastRoom = tagsOf(subnets.standby);
  recover();
  const undone = await verb(stage.approver, 'undo', planId, '--yes');
  await bus.waitUntil('the undo', (all) => all.some((event) => event['detail-type'] === 'Remediation Undone'), SOON);
  // What is sent late would be here by then.
  await pause(QUIET_MS);
  return {
    standing,
    saidWhileWell,
    before,
    fleet,
    alert,
    mailAfterMs,
    folded,
    slackAfterMs: post.at - delivered,
    planId,
    invitation,
    listed,
    strangers,
    writesBefore,
    applied,
    after,
    relieved,
    next,
    undoWithNode,
    tagsWithNode,
    undoLastRoom,
    tagsLastRoom,
    undone,
    tagsUndone: tagsOf(subnets.standby),
    writes: writes().map(({ action, params }) => `${action} ${params['ResourceId.1']}`),
    events: await bus.drain(),
    violations: slack.posts().flatMap(({ violations }) => violations),
  };
}

export type Story = Awaited<ReturnType<typeof play>>;
