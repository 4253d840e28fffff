/**
 * The kinds of value that the configuration document knows, each with one sentence that says what would be right.
 *
 * That sentence is the remedy of every message about the field, so it names the range and the unit.
 */
import * as z from 'zod/mini';
import { KEY_SEPARATOR } from './config-problem.ts';

/** A number within `[min, max]`. */
export function numberBetween(min: number, max: number, unit: string) {
  const error = `a number from ${min} to ${max} (${unit})`;
  return z.number({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

/** A whole number within `[min, max]`; 0, where it is allowed, means zero and not "no limit". */
export function wholeBetween(min: number, max: number, unit: string) {
  const error = `a whole number from ${min} to ${max} (${unit})`;
  return z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error }));
}

export function text(pattern: RegExp, wanted: string) {
  return z.string({ error: wanted }).check(z.regex(pattern, { error: wanted }));
}

/** A mapping with these keys and no others. */
export function section<T extends z.core.$ZodLooseShape>(fields: T, wanted: string) {
  const keys = Object.keys(fields).join(KEY_SEPARATOR);
  return z.strictObject(fields, { error: ({ code }) => (code === 'unrecognized_keys' ? keys : wanted) });
}

/** A mapping that may be left out, with every key of it. */
export function optionalSection<T extends z.core.$ZodLooseShape>(fields: T, wanted: string) {
  const whole = section(fields, wanted);
  return z.prefault(whole, {} as z.core.input<typeof whole>);
}

export function listOf<T extends z.core.SomeType>(item: T, wanted: string) {
  return z._default(z.array(item, { error: wanted }), []);
}

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };
const DURATION = /^(\d{1,6}) (second|minute|hour|day)s?$/;

/** Seconds in `30 seconds`, `1 minute`, `24 hours` or `30 days`; `undefined` where the text is none of these. */
export function durationSeconds(written: string): number | undefined {
  const [, count, unit] = DURATION.exec(written) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * SECONDS[unit]!;
}

/** `90` -> `90 seconds`, `3600` -> `1 hour`: the form in which the document writes a duration. */
export function writtenDuration(seconds: number): string {
  const units = ['day', 'hour', 'minute'] as const;
  const unit = units.find((name) => seconds > 0 && seconds % SECONDS[name]! === 0) ?? 'second';
  const count = seconds / SECONDS[unit]!;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * A duration as text, read as seconds.
 *
 * @param step - the value must be a multiple of this many seconds.
 */
export function duration(
  range: { readonly min: number; readonly max: number; readonly step?: number },
  standard: string,
) {
  const whole = range.step === undefined ? '' : ` in steps of ${writtenDuration(range.step)}`;
  const error = `a duration like "${standard}", from ${writtenDuration(range.min)} to ${writtenDuration(range.max)}${whole}`;
  const fits = (written: string) => {
    const seconds = durationSeconds(written);
    if (seconds === undefined || seconds < range.min || seconds > range.max) return false;
    return range.step === undefined || seconds % range.step === 0;
  };
  // The pattern stands for JSON Schema, which knows no ranges of durations; the refinement for us.
  const written = z.string({ error }).check(z.regex(DURATION, { error }), z.refine(fits, { error }));
  return z.prefault(
    z.pipe(
      written,
      z.transform((value) => durationSeconds(value) ?? Number.NaN),
    ),
    standard,
  );
}

/** Days that CloudWatch Logs can keep logs (`PutRetentionPolicy`). */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** How long logs are kept, in seconds: one of the times that CloudWatch Logs knows. */
export function logRetention(standard: string) {
  const seconds = LOG_RETENTION_DAYS.map((days) => days * SECONDS.day!);
  const error = `one of ${seconds.map(writtenDuration).join(', ')}`;
  const known = (written: string) => seconds.includes(durationSeconds(written) ?? Number.NaN);
  const written = z.string({ error }).check(z.regex(DURATION, { error }), z.refine(known, { error }));
  return z.prefault(
    z.pipe(
      written,
      z.transform((value) => durationSeconds(value) ?? Number.NaN),
    ),
    standard,
  );
}

const PARTITION = 'arn:aws(?:-cn|-us-gov)?';

export const topicArn = text(
  new RegExp(`^${PARTITION}:sns:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_-]{1,256}$`),
  'the ARN of a standard SNS topic, like arn:aws:sns:eu-central-1:111122223333:on-call',
);
export const secretArn = text(
  new RegExp(`^${PARTITION}:secretsmanager:[a-z0-9-]+:\\d{12}:secret:[A-Za-z0-9/_+=.@-]+$`),
  'the full ARN of a Secrets Manager secret, like arn:aws:secretsmanager:eu-central-1:111122223333:secret:headroom-slack-AbCdEf',
);
export const keyArn = text(
  new RegExp(`^${PARTITION}:kms:[a-z0-9-]+:\\d{12}:key/[A-Za-z0-9-]+$`),
  'the ARN of a KMS key, like arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
);
export const policyArn = text(
  new RegExp(`^${PARTITION}:iam::(?:\\d{12}|aws):policy/[A-Za-z0-9+=,.@_/-]+$`),
  'the ARN of an IAM policy, like arn:aws:iam::111122223333:policy/boundary',
);
/** An IAM principal that may approve: user or role (path allowed), or a whole assumed-role session with `*`. */
export const approverArn = text(
  new RegExp(
    `^${PARTITION}:(?:iam::\\d{12}:(?:user|role)/[A-Za-z0-9+=,.@_/-]+|sts::\\d{12}:assumed-role/[A-Za-z0-9+=,.@_-]+/(?:\\*|[A-Za-z0-9+=,.@_-]+))$`,
  ),
  'the ARN of an IAM user, an IAM role, or a role session, like arn:aws:iam::111122223333:role/on-call',
);

export const vpcId = text(/^vpc-[0-9a-f]{8,17}$/, 'a VPC id, like vpc-0123456789abcdef0');
export const subnetId = text(/^subnet-[0-9a-f]{8,17}$/, 'a subnet id, like subnet-0123456789abcdef0');
export const securityGroupId = text(/^sg-[0-9a-f]{8,17}$/, 'a security group id, like sg-0123456789abcdef0');
/** EKS `CreateCluster`: up to 100 letters, digits, hyphens and underscores, a letter or digit first. */
export const clusterName = text(/^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/, 'the name of an EKS cluster');
/** EC2: a tag key of up to 128 characters (domain.md 9.1). */
export const tagKey = text(/^.{1,128}$/, 'a tag key of 1 to 128 characters');
export const tagValue = z
  .string({ error: 'a tag value of up to 256 characters' })
  .check(z.maxLength(256, { error: 'a tag value of up to 256 characters' }));
export const zoneName = text(
  /^[a-z]{2,}[a-z0-9-]*\d[a-z]?$/,
  'a zone id like use1-az1 (the same in every account), or a zone name like us-east-1a',
);
/** Nothing that a link would need escaped, and no fragment: messages add the section. */
export const httpsUrl = text(
  /^https:\/\/[A-Za-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9._~%/-]*)?$/,
  'an https URL without query or fragment',
);
export const email = text(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address');
/** SSM parameter name, with its leading slash (`/headroom/stop`). */
export const parameterName = text(
  /^\/[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+){0,14}$/,
  'the name of an SSM parameter, with a leading slash, like /headroom/stop',
);
export const clockTime = text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'a time of day from "00:00" to "23:59", in quotes');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
const timeZoneError = 'an IANA time zone, like Europe/Berlin or UTC';
export const timeZone = z.string({ error: timeZoneError }).check(z.refine(isTimeZone, { error: timeZoneError }));
