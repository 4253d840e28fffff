/**
 * The document that `diff --json` prints, as a schema. Public: docs/schema/diff.json is made of it.
 *
 * A number that is not known on one side is `null` there, never 0.
 */
import { z } from 'zod';
import { DOCUMENT_SCHEMA_VERSION, type Frozen, findingSchema, schemaText, sourceSchema } from './document.ts';

const count = z.int().min(0);

function sides<Value extends z.ZodType>(value: Value) {
  return z.strictObject({ before: value.nullable(), after: value.nullable() });
}

const held = z.strictObject({
  eniId: z.string(),
  class: z.string(),
  cluster: z.string().optional(),
  ips: count.describe('single addresses'),
  prefixes: count.describe('delegated /28'),
});

const changedInterface = z.strictObject({
  eniId: z.string(),
  class: z.string(),
  cluster: z.string().optional(),
  ips: z.strictObject({ before: count, after: count }),
  prefixes: z.strictObject({ before: count, after: count }),
});

const holder = z.strictObject({
  class: z.string(),
  cluster: z.string().optional(),
  enis: z.strictObject({ before: count, after: count }),
  ips: z.strictObject({ before: count, after: count }),
  prefixes: z.strictObject({ before: count, after: count }),
});

const block = z.strictObject({
  cidr: z.string(),
  before: z.string().describe('free, occupied 3, delegated, edge 1; with the reservation that it lies in'),
  after: z.string(),
});

const subnet = z.strictObject({
  subnetId: z.string(),
  name: z.string().optional(),
  vpcId: z.string(),
  availabilityZone: z.string(),
  cidr: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
  availableIps: sides(count),
  usedIps: sides(count),
  freePrefixes: sides(count).describe('the upper end of freePrefixesRange'),
  fragmentation: sides(z.number().min(0).max(1)),
  confidence: sides(z.string()),
  holders: z
    .array(holder)
    .nullable()
    .describe('by class and cluster, those that changed; null where one side is not known'),
  interfaces: z
    .strictObject({ added: z.array(held), removed: z.array(held), changed: z.array(changedInterface) })
    .nullable()
    .describe('null where one side is not known'),
  blocks: z.array(block).nullable().describe('/28 blocks that changed; null where one side is not known'),
});

export const diffSchema = z
  .strictObject({
    schemaVersion: z.literal(DOCUMENT_SCHEMA_VERSION),
    generatedAt: z.iso.datetime(),
    before: sourceSchema,
    after: sourceSchema,
    subnets: z.array(subnet).describe('those that changed, by subnet id'),
    unchanged: count.describe('subnets in which nothing changed'),
    findings: z.strictObject({
      raised: z.array(findingSchema),
      cleared: z.array(findingSchema),
      standing: z
        .array(findingSchema)
        .describe('on both sides, as they are now; they decide the exit status with the raised ones'),
    }),
  })
  .describe('What changed between two snapshot folders.');

export type DiffDocument = Frozen<z.infer<typeof diffSchema>>;
export type DiffSubnet = DiffDocument['subnets'][number];
export type DiffHolder = NonNullable<DiffSubnet['holders']>[number];

/** The document's JSON Schema (draft 2020-12), as docs/schema/diff.json has it. */
export function diffJsonSchema(): object {
  return schemaText(diffSchema);
}
