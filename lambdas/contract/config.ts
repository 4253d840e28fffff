/**
 * The one configuration document: what may stand in it, its defaults, and what is said about a mistake in it.
 *
 * The same schema reads the document at synth time and at run time. Every key is optional; an unknown key is an error.
 * Durations are written (`30 seconds`) and read as seconds. docs/schema/config.json is made from it.
 */
import * as z from 'zod/mini';
import * as field from './config-fields.ts';
import { ConfigError, type ConfigProblem, configProblems } from './config-problem.ts';
import { thresholdOverrides, thresholdsSection } from './config-thresholds.ts';
import { ACTIONS, type Action, MODES, type Mode } from './modes.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Longest delivery delay of an SQS queue (SQS `DelaySeconds`). */
const LONGEST_QUEUE_DELAY = 15 * MINUTE;

const modeError = `one of ${MODES.join(', ')}`;
const oneMode = z.enum(MODES, { error: modeError });
const modeByAction = field.section(
  {
    activateStandby: z._default(oneMode, 'observe'),
    reservePrefixes: z._default(oneMode, 'observe'),
    cleanLeakedEnis: z._default(oneMode, 'observe'),
  },
  `${modeError}, or one of them for each of ${ACTIONS.join(', ')}`,
);

const selectorTerm = field.section(
  {
    id: z.exactOptional(field.subnetId),
    tags: z._default(z.record(field.tagKey, field.tagValue, { error: 'tags: key to value, `*` for any value' }), {}),
  },
  'a term of subnetSelectorTerms: `id` or `tags`',
);

const cluster = field.section(
  {
    karpenterSelectors: z.exactOptional(
      z
        .array(selectorTerm, { error: 'a list of subnetSelectorTerms' })
        .check(z.minLength(1, { error: 'a list of at least one term; leave the key out to have the selectors found' })),
    ),
    cniTag: z.exactOptional(field.tagKey),
    thresholds: z.prefault(thresholdOverrides, {}),
    criticalTopicArn: z.exactOptional(field.topicArn),
    warningTopicArn: z.exactOptional(field.topicArn),
  },
  'a mapping with the settings of the cluster, {} for none',
);

const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], {
  error: 'mon, tue, wed, thu, fri, sat or sun',
});
const window = field.section(
  {
    days: z._default(z.array(weekday, { error: 'a list of days' }), ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
    from: field.clockTime,
    to: field.clockTime,
    timeZone: field.timeZone,
  },
  'a window: days, from, to, timeZone',
);

/** The document's schema. Its input is what a person writes, its output what the code reads: defaults filled in, durations in seconds. */
export const configSchema = field.section(
  {
    mode: z._default(
      z.union([oneMode, modeByAction], { error: `${modeError}, or one of them for each of ${ACTIONS.join(', ')}` }),
      'observe',
    ),
    scope: field.optionalSection(
      {
        vpcs: field.listOf(field.vpcId, 'a list of VPC ids'),
        clusters: field.listOf(field.clusterName, 'a list of cluster names'),
        subnets: field.listOf(field.subnetId, 'a list of subnet ids'),
        tags: z._default(z.record(field.tagKey, field.tagValue, { error: 'tags: key to value' }), {}),
        excludeSubnets: field.listOf(field.subnetId, 'a list of subnet ids'),
        excludeTags: z._default(z.record(field.tagKey, field.tagValue, { error: 'tags: key to value' }), {}),
      },
      'what to look at: vpcs, clusters, subnets, tags, excludeSubnets, excludeTags',
    ),
    clusters: z._default(z.record(field.clusterName, cluster, { error: 'settings by cluster name' }), {}),
    thresholds: thresholdsSection,
    schedule: field.optionalSection(
      {
        tick: field.duration({ min: MINUTE, max: HOUR, step: MINUTE }, '1 minute'),
        fullReadAtMost: field.duration({ min: MINUTE, max: DAY }, '15 minutes'),
        settle: field.duration({ min: 0, max: LONGEST_QUEUE_DELAY }, '30 seconds'),
        apiShare: z._default(field.numberBetween(0.01, 1, 'share of the request rate of the account'), 0.25),
        apiRate: z._default(
          field.numberBetween(1, 1000, 'DescribeNetworkInterfaces requests a second that the account is given'),
          20,
        ),
        apiBurst: z._default(
          field.wholeBetween(1, 10_000, 'DescribeNetworkInterfaces requests that the account may make at once'),
          100,
        ),
        factsMaxAge: field.duration({ min: MINUTE, max: 30 * DAY }, '24 hours'),
      },
      'when and how fast to read: tick, fullReadAtMost, settle, apiShare, apiRate, apiBurst, factsMaxAge',
    ),
    metrics: field.optionalSection(
      {
        budget: z._default(field.wholeBetween(9, 10_000, 'custom metrics; nine are those of the service itself'), 350),
        alarmBudget: z._default(field.wholeBetween(0, 5000, 'alarms made at run time'), 120),
        subnetCap: z._default(field.wholeBetween(0, 3000, 'subnets with metrics of their own'), 50),
        expected: field.optionalSection(
          {
            vpcs: z._default(field.wholeBetween(0, 1000, 'VPCs'), 5),
            clusters: z._default(field.wholeBetween(0, 1000, 'clusters'), 10),
            zones: z._default(field.wholeBetween(1, 50, 'zones'), 3),
            subnets: z._default(field.wholeBetween(0, 100_000, 'subnets'), 1000),
            networkInterfaces: z._default(field.wholeBetween(0, 10_000_000, 'network interfaces'), 20_000),
          },
          'what the cost is estimated for: vpcs, clusters, zones, subnets, networkInterfaces',
        ),
        monthlyCeilingUsd: z._default(field.numberBetween(0, 1_000_000, 'US dollars a month'), 150),
      },
      'metrics and money: budget, alarmBudget, subnetCap, expected, monthlyCeilingUsd',
    ),
    notifications: field.optionalSection(
      {
        criticalTopicArn: z.exactOptional(field.topicArn),
        warningTopicArn: z.exactOptional(field.topicArn),
        messagesTopicArn: z.exactOptional(field.topicArn),
        chatTopicArn: z.exactOptional(field.topicArn),
        email: field.listOf(field.email, 'a list of e-mail addresses'),
        slackWebhookSecretArn: z.exactOptional(field.secretArn),
        runbookUrl: z.exactOptional(field.httpsUrl),
        quietHours: z.exactOptional(
          field.section(
            { from: field.clockTime, to: field.clockTime, timeZone: field.timeZone },
            'quiet hours: from, to, timeZone',
          ),
        ),
      },
      'whom to tell: criticalTopicArn, warningTopicArn, messagesTopicArn, chatTopicArn, email, slackWebhookSecretArn, runbookUrl, quietHours',
    ),
    remediation: field.optionalSection(
      {
        approvers: field.listOf(field.approverArn, 'a list of IAM ARNs'),
        iacIgnoresTags: z._default(z.boolean({ error: 'true or false' }), false),
        windows: field.listOf(window, 'a list of windows'),
        limits: field.optionalSection(
          {
            perRun: z._default(field.wholeBetween(0, 100, 'actions in one run'), 1),
            perDay: z._default(field.wholeBetween(0, 1000, 'actions in one day'), 4),
          },
          'limits: perRun, perDay',
        ),
        cooldown: field.duration({ min: MINUTE, max: 30 * DAY }, '30 minutes'),
        planLifetime: field.duration({ min: MINUTE, max: 30 * DAY }, '24 hours'),
        quarantine: field.duration({ min: HOUR, max: 30 * DAY }, '24 hours'),
        stopParameter: z._default(field.parameterName, '/headroom/stop'),
      },
      'how to act: approvers, iacIgnoresTags, windows, limits, cooldown, planLifetime, quarantine, stopParameter',
    ),
    deployment: field.optionalSection(
      {
        permissionsBoundaryArn: z.exactOptional(field.policyArn),
        kmsKeyArn: z.exactOptional(field.keyArn),
        vpc: z.exactOptional(
          field.section(
            {
              subnetIds: z
                .array(field.subnetId, { error: 'a list of subnet ids' })
                .check(z.minLength(1, { error: 'at least one subnet id' })),
              securityGroupIds: z
                .array(field.securityGroupId, { error: 'a list of security group ids' })
                .check(z.minLength(1, { error: 'at least one security group id' })),
            },
            'a VPC for the functions: subnetIds, securityGroupIds',
          ),
        ),
        snapshotRetention: field.duration({ min: DAY, max: 3650 * DAY, step: DAY }, '30 days'),
        logRetention: field.logRetention('30 days'),
      },
      'how to deploy: permissionsBoundaryArn, kmsKeyArn, vpc, snapshotRetention, logRetention',
    ),
  },
  'a mapping (YAML or JSON); {} or an empty file for the defaults',
);

/** What a person writes. */
export type ConfigDocument = z.core.input<typeof configSchema>;

/** What the code reads: every default filled in, durations in seconds, one mode for each action. */
export type Config = Omit<z.core.output<typeof configSchema>, 'mode'> & {
  readonly mode: Readonly<Record<Action, Mode>>;
};

/**
 * Reads a document.
 *
 * @param document - parsed YAML or JSON; `undefined` and `null` (an empty file) stand for the defaults.
 * @param origin - how messages name the document, a file name for instance.
 * @throws {@link ConfigError} naming field, value and remedy of every mistake.
 */
export function parseConfig(document: unknown, origin?: string): Config {
  const given = document ?? {};
  const read = configSchema.safeParse(given);
  if (!read.success) throw new ConfigError(configProblems(given, read.error.issues), origin);
  const { mode } = read.data;
  const config: Config = {
    ...read.data,
    mode: typeof mode === 'string' ? { activateStandby: mode, reservePrefixes: mode, cleanLeakedEnis: mode } : mode,
  };
  const problems = contradictions(config);
  if (problems.length > 0) throw new ConfigError(problems, origin);
  return config;
}

/** Keys that are right by themselves and wrong together. */
function contradictions(config: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const wanted = (mode: Mode) => ACTIONS.filter((action) => config.mode[action] === mode);
  const acting = ACTIONS.filter((action) => config.mode[action] !== 'observe');
  const say = (name: string, value: unknown, remedy: string) =>
    problems.push({ field: name, value: JSON.stringify(value), remedy });
  if (acting.length > 0 && Object.keys(config.clusters).length === 0) {
    say(
      'clusters',
      config.clusters,
      `must name the clusters that ${acting.join(', ')} may serve: the IAM conditions are made from them`,
    );
  }
  if (wanted('propose').length > 0 && config.remediation.approvers.length === 0) {
    say(
      'remediation.approvers',
      [],
      `must name at least one IAM ARN, since nobody could approve what ${wanted('propose').join(', ')} proposes`,
    );
  }
  if (config.mode.activateStandby === 'auto' && !config.remediation.iacIgnoresTags) {
    say(
      'remediation.iacIgnoresTags',
      false,
      'must be true for activateStandby: auto, once the infrastructure code ignores the tags Headroom sets: else its next run takes the tag away and Karpenter replaces the nodes',
    );
  }
  if (config.schedule.fullReadAtMost < config.schedule.tick) {
    say(
      'schedule.fullReadAtMost',
      field.writtenDuration(config.schedule.fullReadAtMost),
      'must not be shorter than schedule.tick',
    );
  }
  for (const [name, settings] of Object.entries(config.clusters)) {
    settings.karpenterSelectors?.forEach((term, index) => {
      if (term.id !== undefined || Object.keys(term.tags).length > 0) return;
      say(
        `clusters.${name}.karpenterSelectors[${index}]`,
        term,
        'must have an id or at least one tag: an empty term selects nothing',
      );
    });
  }
  return problems;
}
