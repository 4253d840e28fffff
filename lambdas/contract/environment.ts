/**
 * Environment variables of each function: the stack sets exactly these, and {@link readEnvironment} is the one place that reads them.
 */
import { HeadroomError } from './headroom-error.ts';
import type { FunctionName } from './names.ts';

interface Variable {
  /** Name in the process environment. */
  readonly variable: string;
  readonly meaning: string;
}

const VARIABLES = {
  table: { variable: 'HEADROOM_TABLE', meaning: 'name of the DynamoDB table' },
  bucket: { variable: 'HEADROOM_BUCKET', meaning: 'name of the S3 bucket' },
  bus: { variable: 'HEADROOM_BUS', meaning: 'name of Headroom’s own event bus' },
  criticalTopicArn: { variable: 'HEADROOM_CRITICAL_TOPIC_ARN', meaning: 'SNS topic of critical alarms' },
  warningTopicArn: { variable: 'HEADROOM_WARNING_TOPIC_ARN', meaning: 'SNS topic of warning alarms' },
  messagesTopicArn: { variable: 'HEADROOM_MESSAGES_TOPIC_ARN', meaning: 'SNS topic of plain-text messages' },
  chatTopicArn: {
    variable: 'HEADROOM_CHAT_TOPIC_ARN',
    meaning: 'SNS topic of messages in the Amazon Q Developer schema, which drops any other text',
  },
  queueUrl: { variable: 'HEADROOM_QUEUE_URL', meaning: 'SQS queue of the remediate function' },
  scheduleRule: { variable: 'HEADROOM_SCHEDULE_RULE', meaning: 'name of the EventBridge rule that ticks' },
  observeFunction: { variable: 'HEADROOM_OBSERVE_FUNCTION', meaning: 'name of the observe function' },
  account: { variable: 'HEADROOM_ACCOUNT', meaning: 'account id that the service watches' },
  partition: { variable: 'HEADROOM_PARTITION', meaning: 'AWS partition, for ARNs' },
  configFile: {
    variable: 'HEADROOM_CONFIG_FILE',
    meaning: 'the validated configuration document, beside the bundle; relative to it',
  },
  region: { variable: 'AWS_REGION', meaning: 'region that the service watches; set by Lambda itself' },
} as const satisfies Record<string, Variable>;

export type EnvironmentKey = keyof typeof VARIABLES;

/** What Lambda sets by itself and the stack therefore must not. */
const SET_BY_LAMBDA: ReadonlySet<EnvironmentKey> = new Set(['region']);

/** The variables each function reads. */
export const ENVIRONMENT = {
  observe: [
    'account',
    'region',
    'partition',
    'configFile',
    'table',
    'bucket',
    'bus',
    'criticalTopicArn',
    'warningTopicArn',
  ],
  react: ['account', 'region', 'configFile', 'table', 'bucket', 'bus'],
  remediate: ['account', 'region', 'partition', 'configFile', 'table', 'bucket', 'bus'],
  approve: ['account', 'region', 'configFile', 'table', 'bus', 'queueUrl'],
  notify: [
    'account',
    'region',
    'configFile',
    'table',
    'messagesTopicArn',
    'chatTopicArn',
    'criticalTopicArn',
    'warningTopicArn',
  ],
  widget: ['account', 'region', 'configFile', 'bucket'],
  cleanup: ['bucket', 'scheduleRule', 'observeFunction'],
} as const satisfies Record<FunctionName, readonly EnvironmentKey[]>;

export type Environment<F extends FunctionName> = Readonly<Record<(typeof ENVIRONMENT)[F][number], string>>;

/** Names of the variables that the stack sets for a function, by key. */
export function variablesToSet(name: FunctionName): ReadonlyMap<EnvironmentKey, string> {
  const keys: readonly EnvironmentKey[] = ENVIRONMENT[name];
  return new Map(keys.filter((key) => !SET_BY_LAMBDA.has(key)).map((key) => [key, VARIABLES[key].variable]));
}

/** Thrown where a function's environment is not what the stack sets: the deployment is broken, and no retry mends it. */
export class EnvironmentError extends HeadroomError {
  override readonly name = 'EnvironmentError';
  readonly code = 'ENVIRONMENT_INVALID';
  readonly retryable = false;
}

/**
 * The environment of a function.
 *
 * @param values - `process.env`.
 * @throws {@link EnvironmentError} naming every variable that is missing or empty.
 */
export function readEnvironment<F extends FunctionName>(
  name: F,
  values: Readonly<Record<string, string | undefined>>,
): Environment<F> {
  const keys: readonly (typeof ENVIRONMENT)[F][number][] = ENVIRONMENT[name];
  const found = Object.fromEntries(keys.map((key) => [key, values[VARIABLES[key].variable] ?? '']));
  const missing = keys
    .filter((key) => found[key] === '')
    .map((key) => `${VARIABLES[key].variable} (${VARIABLES[key].meaning})`);
  if (missing.length > 0) throw new EnvironmentError(`${name} lacks ${missing.join(', ')}`);
  return found as Environment<F>;
}

/** Set to `allowed` by tests alone, never by the stack: the Slack webhook may then be plain HTTP to the machine that the function runs on. */
export const LOOPBACK_WEBHOOK = { variable: 'HEADROOM_LOOPBACK_WEBHOOK', allowed: 'allowed' } as const;

/** @param values - `process.env`. */
export function loopbackWebhook(values: Readonly<Record<string, string | undefined>>): boolean {
  return values[LOOPBACK_WEBHOOK.variable] === LOOPBACK_WEBHOOK.allowed;
}
