/** Valid folders spoiled at random: every outcome is a reading or one InputError, never another exception. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import { INPUT_NAMES, type InputName } from '../../../lambdas/core/subnet/snapshot.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { allFiles, DOCUMENTS } from './documents.ts';

type Outcome = 'read' | InputError;

async function outcomeOf(files: { readonly [name: string]: unknown }): Promise<Outcome> {
  return withFolder(files, async (folder) => {
    const source = openFolder(folder);
    try {
      await source.networkInterfaces(await source.facts(), { add: () => {} });
      return 'read';
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  });
}

/** The small folder that this input can be judged in. */
const folderWith = (input: InputName, content: unknown) => ({
  'subnets.json': DOCUMENTS.subnets,
  [`${input}.json`]: content,
});

/** Paths to every value in a document. */
function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...entries.flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === key ? replaced(item, rest, by) : item));
  const fields = value as { readonly [key: string]: unknown };
  return { ...fields, [key]: replaced(fields[key], rest, by) };
}

const spoiledValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, true, [], {}, [null], 'x', '10.0.0.1', '10.0.0.0/24'),
  fc.jsonValue({ depthSize: 'small' }),
);
const spoiled = fc
  .constantFrom(...INPUT_NAMES)
  .chain((input) =>
    fc.record({ input: fc.constant(input), path: fc.constantFrom(...pathsIn(DOCUMENTS[input])), value: spoiledValue }),
  );

describe('a valid folder that is spoiled', () => {
  test('with another value anywhere is read or refused, and the error names the file', async () => {
    await fc.assert(
      fc.asyncProperty(spoiled, async ({ input, path, value }) => {
        const outcome = await outcomeOf(folderWith(input, replaced(DOCUMENTS[input], path, value)));
        if (outcome !== 'read') expect(outcome.message.startsWith(`${input}.json`)).toBe(true);
      }),
      { numRuns: 1500, interruptAfterTimeLimit: 40_000, endOnFailure: true },
    );
  }, 60_000);

  test('with null for anything in a list is refused', async () => {
    for (const input of INPUT_NAMES) {
      const inLists = pathsIn(DOCUMENTS[input]).filter(
        // Security groups are not looked at, whatever they hold.
        (path) => typeof path.at(-1) === 'number' && !path.includes('Groups'),
      );
      for (const path of inLists) {
        const outcome = await outcomeOf(folderWith(input, replaced(DOCUMENTS[input], path, null)));
        expect([input, path, outcome === 'read' ? outcome : outcome.found]).toEqual([input, path, 'is null']);
      }
    }
  });

  test('by cutting a file at any byte is refused', async () => {
    const names = Object.keys(allFiles()) as `${InputName}.json`[];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.nat(), async (name, at) => {
        const input = name.replace('.json', '') as InputName;
        const bytes = Buffer.from(JSON.stringify(DOCUMENTS[input]));
        const outcome = await outcomeOf(folderWith(input, bytes.subarray(0, at % bytes.length)));
        expect(outcome).toBeInstanceOf(InputError);
      }),
      { numRuns: 600, interruptAfterTimeLimit: 40_000, endOnFailure: true },
    );
  }, 60_000);
});
