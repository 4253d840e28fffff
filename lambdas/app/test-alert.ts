/** One marked message through every real path: alarms from CloudWatch to their topics, an event from the bus through notify to every channel. */
import type { Check } from '../contract/checks-document.ts';
import type { TestDetail } from '../contract/events.ts';
import type { MessageItem } from '../contract/notify-items.ts';
import { ProbeFailure } from '../ports/service-probes.ts';
import type { ActionOutcome, TestPaths, TestTime } from '../ports/test-paths.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 2_000;
/** CloudWatch carries out an action, and tells of it, within seconds. */
const ALARM_MS = 60_000;
/** Rule, queue (a batch is gathered for 5 s), function, Slack. */
const MESSAGE_MS = 90_000;

export interface TestAlertOptions {
  readonly detail: TestDetail;
  /** Channels that the deployment has. */
  readonly channels: readonly string[];
}

const LEVELS = ['critical', 'warning'] as const;

export async function testAlert(
  paths: TestPaths,
  time: TestTime,
  options: TestAlertOptions,
): Promise<readonly Check[]> {
  const alarms = LEVELS.map((level) => alarmPath(paths, time, level, options.detail));
  const checks = await Promise.all([...alarms, messagePaths(paths, time, options)]);
  return checks.flat();
}

async function alarmPath(
  paths: TestPaths,
  time: TestTime,
  level: (typeof LEVELS)[number],
  { by, region }: TestDetail,
): Promise<readonly Check[]> {
  const check = { id: `alarm-${level}`, title: `Alarm to the ${level} topic` };
  const tried = await tryAlarm(paths, time, level, by)
    .then((outcome) => alarmWords(outcome, region))
    .catch(notTried);
  const left = await paths.removeTestAlarm(level).then(() => undefined, notTried);
  if (left === undefined || tried.state === 'unknown') return [{ ...check, ...tried }];
  const remedy = 'Delete the alarm by hand: it is marked TEST.';
  return [
    { ...check, ...tried },
    { id: `alarm-${level}-left`, title: `The alarm of the ${level} test is left`, ...left, state: 'problem', remedy },
  ];
}

async function tryAlarm(
  paths: TestPaths,
  time: TestTime,
  level: (typeof LEVELS)[number],
  by: string,
): Promise<ActionOutcome> {
  await paths.raiseTestAlarm(level, `TEST by ${by}: nothing is wrong. What Headroom pages about reaches you here too.`);
  return until<ActionOutcome>(
    time,
    ALARM_MS,
    () => paths.testAlarmAction(level),
    ({ state }) => state !== 'pending',
  );
}

function alarmWords(outcome: ActionOutcome, region: string): Pick<Check, 'state' | 'detail' | 'remedy'> {
  switch (outcome.state) {
    case 'delivered':
      return { state: 'ok', detail: 'CloudWatch handed it to the topic' };
    case 'failed':
      return {
        state: 'problem',
        detail: outcome.why,
        remedy: `Let cloudwatch.amazonaws.com publish to the topic and use its key: headroom doctor --region ${region} says which.`,
      };
    default:
      return {
        state: 'unknown',
        detail: `sent; CloudWatch has not said within ${ALARM_MS / 1000} s what became of it`,
      };
  }
}

async function messagePaths(
  paths: TestPaths,
  time: TestTime,
  { detail, channels }: TestAlertOptions,
): Promise<readonly Check[]> {
  const check = (channel: string) => ({ id: `message-${channel}`, title: `Message by ${channel}` });
  try {
    await paths.sendTestEvent(detail);
    const settled = (item: MessageItem | undefined) =>
      item !== undefined &&
      channels.every((name) => item.told[name] !== undefined || item.failed?.[name] !== undefined);
    const item = await until(time, MESSAGE_MS, () => paths.testMessage(detail.id), settled);
    return channels.map((channel) => ({ ...check(channel), ...messageWords(item, channel, detail.region) }));
  } catch (error) {
    return channels.map((channel) => ({ ...check(channel), ...notTried(error) }));
  }
}

function messageWords(
  item: MessageItem | undefined,
  channel: string,
  region: string,
): Pick<Check, 'state' | 'detail' | 'remedy'> {
  if (item?.told[channel] !== undefined) return { state: 'ok', detail: `taken at ${item.told[channel]}` };
  const failed = item?.failed?.[channel];
  if (failed !== undefined) {
    return {
      state: 'problem',
      detail: failed,
      remedy: 'docs/runbook.md#headroomservicedead-letters-notify',
    };
  }
  return {
    state: 'problem',
    detail: `notify has not told it within ${MESSAGE_MS / 1000} s`,
    remedy: `Look at the log of notify and its dead letters; headroom doctor --region ${region} looks at the rest.`,
  };
}

function notTried(error: unknown): Pick<Check, 'state' | 'detail' | 'permission'> {
  if (!(error instanceof ProbeFailure)) throw error;
  const { message, permission } = error;
  return { state: 'unknown', detail: message, ...(permission === undefined ? {} : { permission }) };
}

async function until<T>(
  time: TestTime,
  most: number,
  look: () => Promise<T>,
  enough: (seen: T) => boolean,
): Promise<T> {
  const deadline = time.now() + most;
  for (;;) {
    const seen = await look();
    if (enough(seen) || time.now() + LOOK_MS > deadline) return seen;
    await time.wait(LOOK_MS);
  }
}
