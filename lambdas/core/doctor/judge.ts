/** What would keep the service from seeing or being heard? Pure judgements over what AWS says. */
import type { Check } from '../../contract/checks-document.ts';
import { runbookAnchor } from '../../contract/names.ts';
import { nobodyIsPaged, reactBlind, type TopicFacts, type TrailFacts } from '../publish/service-findings.ts';
import type { RegionFacts } from '../subnet/snapshot.ts';

type Seen = Omit<Check, 'id' | 'title'>;

const ok = (detail: string): Seen => ({ state: 'ok', detail });
const problem = (detail: string, remedy: string, code?: string): Seen => ({
  state: 'problem',
  detail,
  remedy,
  ...(code === undefined ? {} : { code }),
});

/** Statuses in which CloudFormation leaves a stack whole. */
export function judgeStack(status: string): Seen {
  if (/^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return ok(status);
  if (status.endsWith('_IN_PROGRESS'))
    return problem(`${status}: it is being changed`, 'Wait until it is done, then look again.');
  return problem(status, 'Look at the events of the stack, mend the cause, and deploy again: npx cdk deploy.');
}

export function judgeTrails(trails: readonly TrailFacts[]): Seen {
  const [blind] = reactBlind(trails);
  if (blind !== undefined) return problem(blind.message, blind.remedy ?? '', blind.code);
  const delivering = trails.filter(({ logging, writesSelected }) => logging && writesSelected !== false);
  const unsure = delivering.every(({ writesSelected }) => writesSelected === undefined);
  return unsure
    ? {
        state: 'unknown',
        detail: `selectors of ${delivering[0]?.arn ?? 'the trail'} could not be read`,
        permission: 'cloudtrail:GetEventSelectors',
      }
    : ok(`${delivering.map(({ arn }) => arn).join(', ')} logs calls that write`);
}

export function judgeTopics(topics: readonly TopicFacts[]): Seen {
  const findings = nobodyIsPaged(topics);
  const [first] = findings;
  if (first !== undefined)
    return problem(findings.map(({ message }) => message).join(' '), first.remedy ?? '', first.code);
  return ok(topics.map(({ level, confirmed }) => `${level}: ${confirmed} confirmed`).join(', '));
}

/** Whether messages reach a person at all: by mail, by chat, or by Slack. */
export function judgeMessages(
  topics: readonly Pick<TopicFacts, 'arn' | 'confirmed' | 'pending'>[],
  slack: boolean,
): Seen {
  const confirmed = topics.reduce((sum, topic) => sum + topic.confirmed, 0);
  const pending = topics.reduce((sum, topic) => sum + topic.pending, 0);
  const seen = `${confirmed} confirmed${pending > 0 ? `, ${pending} not yet` : ''}${slack ? ', and Slack' : ''}`;
  return confirmed > 0 || slack
    ? ok(seen)
    : problem(
        `no subscriber (${seen})`,
        'Subscribe to the messages topic, connect Amazon Q Developer to the chat topic, or set notifications.slackWebhookSecretArn.',
      );
}

/** Services that must use the key, each with what is lost without it. */
const KEY_USERS: Readonly<Record<string, string>> = {
  'cloudwatch.amazonaws.com': 'alarms reach no topic',
  'events.amazonaws.com': 'events reach no queue',
  'sns.amazonaws.com': 'topics reach no encrypted queue',
};
const KEY_ACTIONS = ['kms:Decrypt', 'kms:GenerateDataKey'] as const;

interface Statement {
  readonly Effect?: unknown;
  readonly Principal?: unknown;
  readonly Action?: unknown;
}

/** @param policy - the key policy, as KMS gives it. */
export function judgeKey(policy: string): Seen {
  const { Statement: given } = JSON.parse(policy) as { readonly Statement?: Statement | readonly Statement[] };
  const statements =
    given === undefined ? [] : Array.isArray(given) ? (given as readonly Statement[]) : [given as Statement];
  const shutOut = Object.entries(KEY_USERS).filter(
    ([service]) => !KEY_ACTIONS.every((action) => statements.some((statement) => allows(statement, service, action))),
  );
  if (shutOut.length === 0) return ok('CloudWatch, EventBridge and SNS may use it');
  return problem(
    `the key policy does not let ${shutOut.map(([service, loss]) => `${service} in (${loss})`).join(', ')}`,
    `Allow ${KEY_ACTIONS.join(' and ')}* to ${shutOut.map(([service]) => service).join(', ')} in the policy of the key.`,
  );
}

function allows({ Effect, Principal, Action }: Statement, service: string, action: string): boolean {
  if (Effect !== 'Allow' || typeof Principal !== 'object' || Principal === null) return false;
  const services = listOf((Principal as { readonly Service?: unknown }).Service);
  return services.includes(service) && listOf(Action).some((pattern) => matches(pattern, action));
}

function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

function matches(pattern: string, action: string): boolean {
  const expression = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
  return new RegExp(`^${expression}$`, 'i').test(action);
}

export interface FunctionFacts {
  readonly name: string;
  /** Lambda's `State` and `LastUpdateStatus`. */
  readonly state: string;
  readonly lastUpdate: string;
  readonly reason?: string | undefined;
  /** Runs that failed in the last hour. */
  readonly errors: number;
  /** Most runs that may go at once; 0: none. */
  readonly reservedConcurrency?: number | undefined;
  readonly roleExists: boolean;
}

export function judgeFunctions(functions: readonly FunctionFacts[]): Seen {
  const wrong = functions.flatMap(({ name, state, lastUpdate, reason, errors, reservedConcurrency, roleExists }) => [
    ...(roleExists ? [] : [`${name}: its role is gone`]),
    ...(state === 'Active' ? [] : [`${name} is ${state}${reason === undefined ? '' : ` (${reason})`}`]),
    ...(lastUpdate === 'Failed' ? [`the last change of ${name} failed`] : []),
    ...(reservedConcurrency === 0 ? [`${name} may not run: its reserved concurrency is 0`] : []),
    ...(errors > 0 ? [`${name} failed ${errors === 1 ? 'once' : `${errors} times`} in the last hour`] : []),
  ]);
  if (functions.length === 0) return problem('the stack has none', 'Deploy again: npx cdk deploy.');
  return wrong.length === 0
    ? ok(`${functions.length} ready, no failed run in the last hour`)
    : problem(
        wrong.join('; '),
        `Look at the log of the function; ${runbookAnchor('headroom/service/errors-observe')}.`,
      );
}

export interface RuleFacts {
  readonly name: string;
  readonly enabled: boolean;
  readonly schedule?: string | undefined;
}

export function judgeRules(rules: readonly RuleFacts[]): Seen {
  const off = rules.filter(({ enabled }) => !enabled);
  if (off.length > 0) {
    return problem(
      `disabled: ${off.map(({ name }) => name).join(', ')}`,
      'Enable them (aws events enable-rule). A deletion of the stack that failed half way disables the schedule.',
    );
  }
  const scheduled = rules.flatMap(({ schedule }) => (schedule === undefined ? [] : [schedule]));
  return scheduled.length === 0
    ? problem('no rule has a schedule', 'Deploy again: npx cdk deploy.')
    : ok(`${rules.length} enabled, ${scheduled.join(' and ')} among them`);
}

export interface AlarmFacts {
  readonly name: string;
  readonly state: string;
  /** Whether its last action could not be carried out. */
  readonly failedAction?: string | undefined;
}

/** The alarms of the service itself know its own limits: what is late, failing or waiting among the dead letters. */
export function judgeAlarms(alarms: readonly AlarmFacts[]): Seen {
  const failed = alarms.filter(({ failedAction }) => failedAction !== undefined);
  const on = alarms.filter(({ state }) => state === 'ALARM');
  const [first] = [...failed, ...on];
  if (first === undefined)
    return alarms.length === 0
      ? problem('the stack has none', 'Deploy again: npx cdk deploy.')
      : ok(`${alarms.length}, none on`);
  const words = [
    ...on.map(({ name }) => `${name} is on`),
    ...failed.map(({ name, failedAction }) => `${name} could not tell its topic: ${failedAction}`),
  ];
  return problem(words.join('; '), runbookAnchor(first.name));
}

/** Oldest that the newest snapshot may be, in milliseconds: four whole reads at the default of 15 minutes. */
const OLDEST_SNAPSHOT_MS = 3_600_000;

/** @param at - epoch milliseconds of the newest snapshot; `undefined`: there is none. */
export function judgeSnapshot(at: number | undefined, now: number): Seen {
  if (at === undefined)
    return problem('there is none yet', `${runbookAnchor('headroom/service/heartbeat')}: no scan has finished.`);
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const age = seconds < 120 ? `${seconds} s old` : `${Math.round(seconds / 60)} min old`;
  return now - at > OLDEST_SNAPSHOT_MS ? problem(age, runbookAnchor('headroom/service/snapshot-age')) : ok(age);
}

/** Clusters that the newest snapshot knows too little of. */
export function judgeClusters({
  clusters,
  kubernetes,
  failures,
}: Pick<RegionFacts, 'clusters' | 'kubernetes' | 'failures'>): Seen {
  const listing = failures.find(({ call }) => call === 'eks:ListClusters');
  if (listing !== undefined) {
    return problem(
      `the service cannot list clusters: ${listing.code}`,
      `Allow ${listing.permission ?? 'eks:ListClusters'} to observe; docs/permissions.md has its role.`,
    );
  }
  const dark = failures.filter(({ cluster }) => cluster !== undefined);
  if (dark.length > 0) {
    const words = dark.map(({ cluster, call, code }) => `${cluster}: ${call} (${code})`);
    return problem(
      `cannot see into ${[...new Set(words)].join(', ')}`,
      'Allow the call to observe; docs/permissions.md has its role.',
    );
  }
  const names = clusters.state === 'absent' ? [] : clusters.value.map(({ name }) => name);
  const inside = new Set(kubernetes.map(({ cluster }) => cluster));
  const outside = names.filter((name) => !inside.has(name));
  // Without facts from inside everything is still measured; some findings rest on AWS alone.
  return ok(
    `${names.length} seen${outside.length === 0 ? '' : `; no facts from inside ${outside.join(', ')} (docs/ has the CronJob that brings them)`}`,
  );
}

/** @param wrong - what is wrong with the webhook in the secret; says nothing of the text itself. */
export function judgeWebhook(wrong: string | undefined): Seen {
  return wrong === undefined
    ? ok('the secret holds a webhook')
    : problem(
        `the secret holds no webhook: ${wrong}`,
        'Put the URL of an incoming webhook into the secret: aws secretsmanager put-secret-value.',
      );
}
