/** What `doctor --json` and `test-alert --json` print. Public: docs/schema/checks.json is made of it. */
import { z } from 'zod';

export const CHECKS_SCHEMA_VERSION = 1;

/** `unknown`: could not be looked at; says which permission is missing, or what failed. */
export const CHECK_STATES = ['ok', 'problem', 'unknown'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

const check = z.strictObject({
  id: z.string().describe('stable name of the check'),
  title: z.string(),
  state: z.enum(CHECK_STATES),
  detail: z.string().describe('what was seen'),
  code: z.string().optional().describe('the finding that says the same, where there is one'),
  remedy: z.string().optional(),
  permission: z.string().optional().describe('the IAM action without which it could not be looked at'),
});

export const checksSchema = z
  .strictObject({
    schemaVersion: z.literal(CHECKS_SCHEMA_VERSION),
    generatedAt: z.iso.datetime(),
    account: z.string(),
    region: z.string(),
    stack: z.string(),
    checks: z.array(check),
  })
  .describe('What doctor and test-alert print with --json.');

export type Check = Readonly<z.infer<typeof check>>;
export type ChecksDocument = Readonly<z.infer<typeof checksSchema>>;

export function checksJsonSchema(): object {
  return z.toJSONSchema(checksSchema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
