/**
 * The document that `--json` prints, as a schema. Public: docs/schema/document.json is made of it, and scripts depend on its names.
 *
 * Every count is of IPv4 addresses or of aligned /28 blocks. A number that does not apply or is not known is absent or `null`, never 0.
 */
import { z } from 'zod';
import { EVENT_CLASSES } from './event-class.ts';
import { FINDING_CODES, SEVERITIES } from './finding.ts';
import { ACTIONS, MODES } from './modes.ts';
import { GUARD_NAMES, PLAN_STATES, PROPOSALS } from './plan.ts';

/** Raised when a field is removed or changes its meaning; new fields do not raise it. */
export const DOCUMENT_SCHEMA_VERSION = 1;

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const time = z.iso.datetime();

const share = { enis: count, ips: count, prefixes: count };

const identity = {
  subnetId: z.string(),
  vpcId: z.string(),
  cidr: z.string().nullable().describe('null for a subnet without IPv4'),
  availabilityZone: z.string(),
  availabilityZoneId: z.string(),
  name: z.string().optional().describe('value of the Name tag'),
  enis: count.nullable().describe('network interfaces; null where they could not be read'),
  clusters: z.array(z.string()).describe('clusters that may use the subnet; where any may, it serves nodes or pods'),
  byCluster: z.array(z.strictObject({ cluster: z.string(), ...share })).describe('what each cluster holds here'),
};

const notApplicable = z.strictObject({ ...identity, applicable: z.literal(false) });

const countsOnly = z.strictObject({
  ...identity,
  applicable: z.literal(true),
  confidence: z.literal('counts-only'),
  usableIps: count,
  availableIps: count,
});

const full = z.strictObject({
  ...identity,
  applicable: z.literal(true),
  confidence: z.enum(['exact', 'partial', 'skewed']),
  usableIps: count.describe('2^(32-length) - 5'),
  usedIps: count,
  freeIps: count,
  availableIps: count.describe("EC2's own AvailableIpAddressCount"),
  reservedFreeIps: z.strictObject({ prefix: count, explicit: count }).nullable(),
  unaccountedIps: count.describe('addresses that EC2 counts as taken and no visible interface explains'),
  skewIps: count.describe('addresses released between the two reads'),
  blocks: z.strictObject({
    total: count,
    edge: count,
    delegated: count,
    occupied: count,
    free: count,
    freeInPrefixReservation: count.nullable(),
    freeInExplicitReservation: count.nullable(),
  }),
  freePrefixes: count.describe('what prefix delegation can still be given, at most'),
  freePrefixesRange: z.strictObject({ min: count, max: count }),
  strandedIps: z.int().describe('free, but of no use to prefix delegation'),
  bestCaseFreePrefixes: count.describe('free prefixes if the same holders were packed as densely as possible'),
  eligibleBlocks: count,
  fragmentation: ratio.nullable(),
  freeBlocksByLength: z.record(z.string().regex(/^(1[6-9]|2[0-8])$/), count),
  largestFreeBlockLength: z.int().min(16).max(28).nullable(),
  holders: z.array(z.strictObject({ class: z.string(), ...share })),
  strays: z.array(z.strictObject({ eniId: z.string(), address: z.string() })),
});

const statistic = z.strictObject({ count, sum: z.number(), min: z.number(), max: z.number() }).nullable();

const place = { vpcId: z.string(), zone: z.string(), zoneId: z.string(), subnetIds: z.array(z.string()) };

const zone = z.strictObject({
  ...place,
  availableIps: statistic,
  freePrefixes: statistic,
  fragmentationPercent: statistic,
  enis: statistic,
});

const clusterZone = z.strictObject({
  ...place,
  availableIps: count,
  freePrefixes: count.nullable(),
  nodeHeadroom: count.nullable().describe('how many more nodes of the most used instance type fit'),
  severity: z.enum([...SEVERITIES, 'fine']),
});

const cluster = z.strictObject({
  cluster: z.string(),
  vpcId: z.string().optional(),
  version: z.string().optional(),
  mode: z.enum(['prefix', 'secondary-ip', 'auto', 'unknown']),
  modeEvidence: z.string(),
  cniVersion: z.string().optional(),
  instanceType: z.string().optional(),
  subnets: z.array(z.strictObject({ subnetId: z.string(), evidence: z.array(z.string()) })),
  zones: z.array(clusterZone),
});

const evidence = z.json();

export const findingSchema = z.strictObject({
  id: z.string().describe('stable for the same fact'),
  code: z.enum(FINDING_CODES),
  severity: z.enum(SEVERITIES),
  subnetId: z.string().optional(),
  zone: z.string().optional(),
  zoneId: z.string().optional(),
  cluster: z.string().optional(),
  vpcId: z.string().optional(),
  eniIds: z.array(z.string()).optional(),
  observed: evidence,
  threshold: evidence.optional(),
  message: z.string(),
  evidence: z.record(z.string(), evidence),
  remedy: z.string().optional(),
});

const failure = z.strictObject({
  input: z.string(),
  call: z.string().describe('as CloudTrail names it: ec2:DescribeNetworkInterfaces'),
  code: z.string().describe('AWS error code'),
  permission: z.string().optional().describe('the IAM action that is missing, when the call was denied'),
  subnetIds: z.array(z.string()).optional().describe('what it leaves unknown; without it, every subnet in scope'),
  cluster: z.string().optional(),
  message: z.string(),
});

export const sourceSchema = z.strictObject({
  kind: z.enum(['live', 'files', 'snapshot', 'none']).describe('none: diagnose with nothing to look subnets up in'),
  path: z.string().optional(),
  region: z.string().optional(),
  account: z.string().optional(),
  scope: z
    .strictObject({ vpcIds: z.array(z.string()), subnetIds: z.array(z.string()) })
    .optional()
    .describe('what the reading was limited to; where subnets are named, nothing is said that needs all of a VPC'),
  now: time.nullable().describe('the time that ages are reckoned from; null where none was given'),
  absent: z.array(z.string()).describe('inputs that nobody gave; each counts as empty'),
  unknown: z.array(failure).describe('reads that failed'),
});

const breaker = z.strictObject({
  address: z.string(),
  primary: z.boolean().describe('the first address of its interface: goes only with it'),
  eniId: z.string(),
  class: z.string(),
  instanceId: z.string().optional(),
  cluster: z.string().optional(),
});

const block = z.strictObject({
  cidr: z.string(),
  state: z.enum(['free', 'occupied', 'delegated', 'edge']),
  usedIps: z.int().min(0).max(16),
  reservation: z.enum(['prefix', 'explicit']).nullable(),
  breakers: z.array(breaker).describe('single addresses that keep an occupied block from being a prefix'),
});

const reservation = z.strictObject({
  reservationId: z.string(),
  cidr: z.string(),
  type: z.enum(['prefix', 'explicit']),
  description: z.string().optional(),
});

const eventItem = z.strictObject({
  class: z.enum(EVENT_CLASSES),
  code: z.string().optional().describe('error code as AWS wrote it'),
  subnets: z.array(z.string()),
  eniIds: z.array(z.string()).optional().describe('interfaces that the event names in place of a subnet'),
  suspects: z.array(z.string()).optional().describe('subnets of which one is meant; none is known for sure'),
  message: z.string().describe('what AWS said, without encoded authorisation messages'),
});

const event = z.strictObject({
  file: z.string().describe('as it was named; - for standard input'),
  index: z.int().min(0).describe('place of the event in the file, from 0'),
  eventId: z.string().nullable(),
  eventName: z.string().nullable().describe('name of the call; of an event that is none, its detail type'),
  class: z.enum(EVENT_CLASSES).describe('the first of its items, in the order of the classes'),
  subnets: z.array(z.string()).describe('what the class speaks of; empty for a class that is not about subnets'),
  message: z.string(),
  time: time.optional(),
  items: z.array(eventItem).optional().describe('every failure inside the event'),
  partial: z.boolean().optional().describe('whether instances came up although items failed'),
  ignored: z.array(z.string()).optional().describe('codes of items that have nothing to do with room in a subnet'),
  needsEniLookup: z.literal(true).optional().describe('the subnet was found through a network interface'),
  omitted: z.literal(true).optional().describe('CloudTrail left parts out'),
  understood: z.literal(false).optional().describe('a shape that nobody knows: parts may have been missed'),
});

const write = z.union([
  z.strictObject({
    kind: z.literal('setTags'),
    resourceId: z.string(),
    tags: z.record(z.string(), z.string()),
    stamp: z.string().optional().describe('key whose value is the time of the writing'),
  }),
  z.strictObject({ kind: z.literal('createReservation'), subnetId: z.string(), cidr: z.string() }),
  z.strictObject({ kind: z.literal('deleteInterface'), eniId: z.string() }),
]);

const pick = { before: z.string().nullable(), after: z.string().nullable() };

const simulation = z.strictObject({
  zone: z.string(),
  karpenter: z.array(z.strictObject({ nodeClass: z.string(), ...pick })).optional(),
  cni: z.strictObject({ version: z.string().optional(), nodeSubnet: z.string(), ...pick }).optional(),
  changes: z.boolean().describe('whether the next pick becomes the subnet that the plan is about'),
});

const plan = z.strictObject({
  id: z.string().optional().describe('of a stored plan: what apply, refuse and undo take'),
  state: z.enum(PLAN_STATES).optional(),
  createdAt: time.optional(),
  expiresAt: time.optional(),
  history: z
    .array(z.strictObject({ at: time, what: z.string(), by: z.string().optional(), why: z.string().optional() }))
    .optional()
    .describe('who did what to a stored plan, and when'),
  subject: z.string().describe('stable for the same decision'),
  action: z.enum([...ACTIONS, ...PROPOSALS, 'untag']),
  mode: z.enum(MODES).describe('what the mode lets Headroom do with it'),
  findingIds: z.array(z.string()),
  vpcId: z.string(),
  zone: z.string().optional(),
  zoneId: z.string().optional(),
  cluster: z.string().optional(),
  subnetId: z.string().optional().describe('the subnet that is acted on'),
  relieves: z.string().optional().describe('the subnet in trouble'),
  summary: z.string(),
  reason: z.string(),
  effect: z.record(z.string(), z.strictObject({ before: z.number().nullable(), after: z.number().nullable() })),
  cost: z.string(),
  risk: z.string(),
  undo: z.string(),
  guards: z.array(z.strictObject({ name: z.enum(GUARD_NAMES), passed: z.boolean(), detail: z.string() })),
  writes: z.array(write),
  simulation: simulation.optional(),
  rejected: z.array(z.strictObject({ subnetId: z.string(), reason: z.string() })),
  infrastructureCode: z.array(z.string()),
  commands: z.array(z.string()),
});

export const documentSchema = z
  .strictObject({
    schemaVersion: z.literal(DOCUMENT_SCHEMA_VERSION),
    generatedAt: time.describe('real clock, unlike source.now'),
    source: sourceSchema,
    subnets: z.array(z.union([full, countsOnly, notApplicable])).describe('by subnet id'),
    zones: z.array(zone).optional(),
    clusters: z.array(cluster).optional(),
    findings: z.array(findingSchema).optional().describe('worst first, then by code, subnet and cluster'),
    events: z.array(event).optional().describe('diagnose: every event, in the order given'),
    plan: z.array(plan).optional().describe('plan: what would be done, the most urgent first; it changes nothing'),
    reservations: z.array(reservation).nullable().optional().describe('explain: null where they could not be read'),
    blocks: z.array(block).optional().describe('explain: every /28 of the subnet, by address'),
  })
  .describe('What a verb of headroom prints with --json; each verb fills as much of it as it speaks of.');

/** The same type, readonly all the way down. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export type HeadroomDocument = Frozen<z.infer<typeof documentSchema>>;
export type DocumentSource = HeadroomDocument['source'];
export type DocumentSubnet = HeadroomDocument['subnets'][number];
export type DocumentPlan = NonNullable<HeadroomDocument['plan']>[number];
export type DocumentBlock = Frozen<z.infer<typeof block>>;

/** The document's JSON Schema (draft 2020-12), as docs/schema/document.json has it. */
export function documentJsonSchema(): object {
  return schemaText(documentSchema);
}

/** A schema as JSON Schema, for readers. */
export function schemaText(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      // `format` says it; the pattern that zod adds is a screenful that no reader and no other validator needs.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
