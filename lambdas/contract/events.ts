/** Events that Headroom sends on its own bus, as schemas. Their names: event-names.ts. */
import * as z from 'zod/mini';
import { DETAIL_TYPES, EVENT_SCHEMA_VERSION, MAP_CHARACTERS, MAP_LINES } from './event-names.ts';
import { FINDING_CODES, SEVERITIES } from './finding.ts';

const evidence: z.ZodMiniType<unknown> = z.unknown();

/** A finding as it travels: {@link Finding} of finding.ts. */
export const findingSchema = z.object({
  id: z.string(),
  code: z.enum(FINDING_CODES),
  severity: z.enum(SEVERITIES),
  subnetId: z.exactOptional(z.string()),
  zone: z.exactOptional(z.string()),
  zoneId: z.exactOptional(z.string()),
  cluster: z.exactOptional(z.string()),
  vpcId: z.exactOptional(z.string()),
  eniIds: z.exactOptional(z.array(z.string())),
  observed: evidence,
  threshold: z.exactOptional(evidence),
  message: z.string(),
  evidence: z.record(z.string(), evidence),
  remedy: z.exactOptional(z.string()),
});

/** What every detail has. `id` is stable for the same fact and change, so that a receiver can drop repeats. Times are ISO 8601 in UTC. */
const common = {
  schemaVersion: z.literal(EVENT_SCHEMA_VERSION),
  id: z.string(),
  account: z.string(),
  region: z.string(),
  at: z.string(),
};

/** Detail of {@link DETAIL_TYPES.findingRaised} and {@link DETAIL_TYPES.findingCleared}. */
export const findingDetailSchema = z.object({
  ...common,
  finding: findingSchema,
  /** When the fact was first seen. */
  firstSeen: z.string(),
  /** When it was last seen; for a cleared finding, the last scan that still saw it. */
  lastSeen: z.string(),
  /** How many observations or events were folded into it. */
  count: z.int(),
  /** True in the first scan of a deployment: receivers fold these into one digest. */
  firstScan: z.boolean(),
  /** What found it. */
  origin: z.enum(['observe', 'react']),
  /** The subnet's /28s drawn in plain text, as they were when it was raised; foreign text in it is made safe to show. */
  map: z.exactOptional(
    z.array(z.string()).check(
      z.maxLength(MAP_LINES),
      z.refine((lines) => lines.join('\n').length <= MAP_CHARACTERS, `more than ${MAP_CHARACTERS} characters`),
    ),
  ),
});
export type FindingDetail = z.infer<typeof findingDetailSchema>;

/** Detail of the remediation events. */
export const remediationDetailSchema = z.object({
  ...common,
  planId: z.string(),
  findingId: z.string(),
  action: z.enum(['activateStandby', 'reservePrefixes', 'cleanLeakedEnis']),
  cluster: z.exactOptional(z.string()),
  subnetId: z.exactOptional(z.string()),
  /** What is done or was done, in one or two sentences with the numbers. */
  summary: z.string(),
  /** Why: the reason of the plan, or of the refusal or failure. */
  reason: z.string(),
  /** Who approved, refused or undid, as IAM knows them. */
  by: z.exactOptional(z.string()),
  /** Error code of a failure. */
  errorCode: z.exactOptional(z.string()),
});
export type RemediationDetail = z.infer<typeof remediationDetailSchema>;

/** Detail of {@link DETAIL_TYPES.testAlert}: `headroom test-alert` sends it to see that messages arrive. */
export const testDetailSchema = z.object({
  ...common,
  /** Who sent it, as IAM knows them. */
  by: z.string(),
});
export type TestDetail = z.infer<typeof testDetailSchema>;
