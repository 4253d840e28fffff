/** Names that synth time, run time and the CLI share: stack outputs, alarms, table keys, bucket keys. */

/** The stack's name, by which the CLI finds a deployed service. */
export const STACK_NAME = 'Headroom';

/**
 * Outputs of the stack; the CLI reads them to find the deployed service. `approvalUrl` is there only where the mode asks for approvals, `slackSecret`
 * only where messages go to Slack.
 */
export const STACK_OUTPUTS = {
  table: 'TableName',
  bucket: 'BucketName',
  bus: 'EventBusName',
  criticalTopic: 'CriticalTopicArn',
  warningTopic: 'WarningTopicArn',
  messagesTopic: 'MessagesTopicArn',
  chatTopic: 'ChatTopicArn',
  observeFunction: 'ObserveFunctionName',
  dashboard: 'DashboardName',
  approvalUrl: 'ApprovalUrl',
  key: 'KeyArn',
  slackSecret: 'SlackWebhookSecretArn',
} as const;

/** The functions of the service, by the name of their handler file. */
export const FUNCTION_NAMES = ['observe', 'react', 'remediate', 'approve', 'notify', 'widget', 'cleanup'] as const;
export type FunctionName = (typeof FUNCTION_NAMES)[number];

// ── Alarms ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export const ALARM_PREFIX = 'headroom/';

export type AlarmLevel = 'critical' | 'warning';

/** The alarm of a cluster in a zone: `headroom/<cluster>/<zone id>/critical`. */
export function clusterAlarmName(cluster: string, zoneId: string, level: AlarmLevel): string {
  return `${ALARM_PREFIX}${cluster}/${zoneId}/${level}`;
}

/** The composite alarm where clusters share a zone's subnets. `@` is in no cluster's name, so none can be taken for it. */
export function sharedAlarmName(vpcId: string, zoneId: string, level: AlarmLevel): string {
  return `${ALARM_PREFIX}@${vpcId}/${zoneId}/${level}`;
}

/** The alarm that `test-alert` makes for a moment. One that is left behind counts as made at run time, and goes as those do. */
export function testAlarmName(level: AlarmLevel): string {
  return `${ALARM_PREFIX}@test/none/${level}`;
}

/** Whether an alarm is one that observe makes; the service's own ({@link SERVICE_ALARMS}) belong to the stack. */
export function isRunTimeAlarm(name: string): boolean {
  return /^headroom\/[^/]+\/[^/]+\/(?:critical|warning)$/.test(name);
}

/** IAM patterns for exactly the alarms that observe makes: `headroom/service/...` ends in neither word. */
export const RUN_TIME_ALARM_PATTERNS = [`${ALARM_PREFIX}*/*/critical`, `${ALARM_PREFIX}*/*/warning`] as const;

/** The alarms of the service itself, which the stack makes. docs/runbook.md has a section for each. */
export const SERVICE_ALARMS = {
  heartbeat: 'headroom/service/heartbeat',
  snapshotAge: 'headroom/service/snapshot-age',
  failedSubnets: 'headroom/service/failed-subnets',
  deadLetters: (name: FunctionName) => `headroom/service/dead-letters-${name}`,
  errors: (name: FunctionName) => `headroom/service/errors-${name}`,
  throttles: (name: FunctionName) => `headroom/service/throttles-${name}`,
} as const;

/** Anchor of docs/runbook.md for a name: GitHub's own rule for headings (lower case, spaces to hyphens, punctuation dropped). */
export function runbookAnchor(heading: string): string {
  return `docs/runbook.md#${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')}`;
}

// ── Table ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Attribute names of the table: partition key, sort key, and the epoch second after which DynamoDB may drop the item. */
export const TABLE_KEYS = { partition: 'pk', sort: 'sk', expires: 'expiresAt' } as const;

/**
 * Kinds of item; the kind is the partition key and the subject's id the sort key, so that all of a kind are one query.
 *
 * - `vpc`: lock, dirty mark and time of the last whole read, by VPC id
 * - `finding`: open findings with first and last time, by finding id
 * - `mute`: mutes of people, by finding id
 * - `message`: what notify has told already, by event detail id
 * - `told`: how notify last spoke of a finding, by finding id
 * - `held`: what notify holds back until a time (first scan, quiet hours, mutes), by event detail id
 * - `subnet`: hysteresis of subnet metrics, by subnet id
 * - `alarm`: complete reads in which a cluster's zone was gone, by alarm name
 * - `plan`, `intent`, `undo`, `cooldown`, `day`: plans by plan id; writes about to be made; previous values; cooldowns by subject; actions of a day by date
 * - `service`: facts about the deployment itself, by the names of {@link SERVICE_ITEMS}
 */
export const ITEM_KINDS = [
  'vpc',
  'finding',
  'mute',
  'message',
  'told',
  'held',
  'subnet',
  'alarm',
  'plan',
  'intent',
  'undo',
  'cooldown',
  'day',
  'service',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Items of the kind `service`: the lock of the scan with what waits for it, the first scan, and the daily check of trail and topics. */
export const SERVICE_ITEMS = { scan: 'scan', firstScan: 'first-scan', check: 'daily-check' } as const;

export interface ItemKey {
  readonly pk: ItemKind;
  readonly sk: string;
}

export function itemKey(kind: ItemKind, subject: string): ItemKey {
  return { pk: kind, sk: subject };
}

// ── Bucket ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Prefixes of the bucket. Only `snapshots/` has a life cycle; `cache/` is overwritten in place; `facts/` belongs to the user. */
export const BUCKET_PREFIXES = { snapshots: 'snapshots/', cache: 'cache/', facts: 'facts/' } as const;

/** `snapshots/<account>/<region>/2026/11/30/`: every snapshot of a day (UTC), so that a listing never walks more than one day. */
export function snapshotDayPrefix(account: string, region: string, time: Date): string {
  const [year, month, day] = time.toISOString().slice(0, 10).split('-');
  return `${BUCKET_PREFIXES.snapshots}${account}/${region}/${year}/${month}/${day}/`;
}

/** The snapshot whose reads began at `time`: keys of a day sort by time. */
export function snapshotKey(account: string, region: string, time: Date): string {
  return `${snapshotDayPrefix(account, region, time)}${time.toISOString().slice(11, 23).replaceAll(':', '')}Z.json.gz`;
}

/** The newest snapshot once more, under one key, for those who must not list. */
export function latestSnapshotKey(account: string, region: string): string {
  return `${BUCKET_PREFIXES.cache}${account}/${region}/latest.json.gz`;
}

/** What the last whole read of a VPC's interfaces gave, for the ticks that need not read them again. */
export function vpcCacheKey(account: string, region: string, vpcId: string): string {
  return `${BUCKET_PREFIXES.cache}${account}/${region}/${vpcId}.json.gz`;
}

/** What the slow reads gave (clusters, instances, reservations, routes), each with its time. No VPC's id reads `region`. */
export function regionCacheKey(account: string, region: string): string {
  return `${BUCKET_PREFIXES.cache}${account}/${region}/region.json.gz`;
}

/** Where the `kubectl get -o json` files of a cluster are put, named as in a `--from` folder (`nodes.json`, `pods.json`, ...). */
export function factsPrefix(cluster: string): string {
  return `${BUCKET_PREFIXES.facts}${cluster}/`;
}

/** Name of Headroom's own event bus, which rules of other teams name too. */
export const BUS_NAME = 'headroom';

/** The configuration document inside a function's code, beside the bundle. */
export const CONFIG_FILE_NAME = 'config.json';

/** Headings of docs/runbook.md about the alarms that observe makes, by level. */
export const CLUSTER_ALARM_HEADINGS: Readonly<Record<AlarmLevel, string>> = {
  critical: 'Critical alarm of a cluster and zone',
  warning: 'Warning alarm of a cluster and zone',
};
