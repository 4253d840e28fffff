import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openFolder } from '../../../lambdas/adapters/files/folder-source.ts';
import { inputOfFile } from '../../../lambdas/adapters/files/input-files.ts';
import { openSnapshotWriter } from '../../../lambdas/adapters/files/snapshot-writer.ts';
import { Pseudonyms } from '../../../lambdas/adapters/redaction/pseudonyms.ts';
import { Redaction } from '../../../lambdas/adapters/redaction/redaction.ts';
import { measure } from '../../../lambdas/app/measure.ts';
import { INPUT_NAMES, type InputName } from '../../../lambdas/core/subnet/snapshot.ts';
import { withFolder } from '../../support/temp-folder.ts';
import { type World, world } from './worlds.ts';

const CASES = join(import.meta.dirname, '../../cases');

/** Every text in the documents, and the parts that a key or a description is made of: anything that may have got another name. */
function textsIn(documents: World): ReadonlySet<string> {
  const texts = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        texts.add(key);
        walk(inner);
      }
    }
  };
  for (const [, document] of documents) walk(document);
  for (const text of [...texts]) for (const part of text.split(/[ /()]/)) texts.add(part);
  return texts;
}

const PSEUDONYM =
  /name-[0-9a-f]{12}\*?|key-[a-pA-P]{12}|\b[a-z][a-z0-9]*(?:-[a-z]+)*-(?:[0-9a-f]{17}|[0-9a-f]{8})\b|\b\d{12}\b/g;

/** Puts the true names back, wherever they stand: in ids, keys and sentences too. */
function trueNames(names: Pseudonyms, documents: World): (text: string) => string {
  const originals = new Map<string, string>();
  for (const text of textsIn(documents)) {
    originals.set(names.name(text), text);
    originals.set(names.pattern(text), text);
    originals.set(names.key(text), text);
    originals.set(names.principal(text), text);
    if (/^[a-z-]+-[\w-]+$/.test(text)) originals.set(names.id(text), text);
  }
  return (text) => text.replace(PSEUDONYM, (pseudonym) => originals.get(pseudonym) ?? pseudonym);
}

/** The report with the true names, less the fields to skip. */
function renamed(value: unknown, change: (text: string) => string, skip: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => renamed(item, change, skip));
  if (value instanceof Map) return [...value].map((entry) => renamed(entry, change, skip));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([name]) => !skip.has(name))
    .map(([name, inner]) => [change(name), renamed(inner, change, skip)]);
  return Object.fromEntries(entries) as object;
}

function hasPattern(documents: World): boolean {
  return documents.some(([input, document]) => input === 'nodeclasses' && /[*?]/.test(JSON.stringify(document)));
}

async function writeAll(folder: string, documents: World, redaction?: Redaction): Promise<void> {
  const writer = await openSnapshotWriter(folder, redaction === undefined ? {} : { redaction });
  for (const [input, document] of documents) await writer.write(input, document);
  await writer.commit();
}

async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
}

/** Writes the documents as they are and redacted, assesses both, and expects the same but for names. @returns the redacted text. */
async function expectAlike(documents: World): Promise<string> {
  return withFolder({}, async (plain) =>
    withFolder({}, async (hidden) => {
      const redaction = new Redaction();
      await writeAll(plain, documents);
      await writeAll(hidden, documents, redaction);
      const before = await measure(openFolder(plain));
      const after = await measure(openFolder(hidden));
      const back = trueNames(redaction.names, documents);
      // A pattern is written as one pattern for each value that it matches: what quotes the selector differs, and nothing else.
      const skip = new Set(hasPattern(documents) ? ['selector', 'message', 'remedy'] : []);
      expect(renamed(after.report, back, skip)).toEqual(renamed(before.report, (text) => text, skip));
      return textOf(hidden);
    }),
  );
}

async function documentsOf(folder: string): Promise<World> {
  const documents: (readonly [InputName, object])[] = [];
  for (const file of await readdir(folder)) {
    const input = inputOfFile(file);
    if (input !== undefined) documents.push([input, JSON.parse(await readFile(join(folder, file), 'utf8')) as object]);
  }
  return documents.sort(([a], [b]) => INPUT_NAMES.indexOf(a) - INPUT_NAMES.indexOf(b));
}

describe('a redacted snapshot is assessed alike', () => {
  test('in every case', async () => {
    const cases = (await readdir(CASES)).filter((name) => /^c\d\d/.test(name));
    expect(cases.length).toBeGreaterThan(20);
    for (const name of cases) {
      const text = await expectAlike(await documentsOf(join(CASES, name)));
      expect(text).not.toMatch(/\b(?:111111111111|222222222222)\b|(?<!:)cluster-(?:[ab]|v6)\b/);
    }
  });

  test('in random regions, and gives nobody away', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (documents) => {
        const text = await expectAlike(documents);
        const leaks = text.match(
          /[a-z]*berry[\w.-]*|482910573846|918273645546|54[.-]208|2600:|02:11|-9{7,}[0-9a-f]*\b/gi,
        );
        expect(leaks).toBeNull();
      }),
      { numRuns: 100, endOnFailure: true, interruptAfterTimeLimit: 45_000 },
    );
  }, 120_000);
});

test('of words that anybody may have written only the ids stay', () => {
  const redaction = new Redaction();
  const subnetId = 'subnet-0123456789abcdef0';
  const message = `No addresses left in ${subnetId} of blueberry's team`;
  const health = { issues: [{ code: 'InsufficientFreeAddresses', message, resourceIds: [subnetId] }] };
  const written = redaction.take('clusters', { cluster: { name: 'blueberry', health } });
  const hidden = redaction.names.id(subnetId);
  expect(written).toEqual({
    cluster: {
      name: redaction.names.name('blueberry'),
      health: { issues: [{ code: 'InsufficientFreeAddresses', message: hidden, resourceIds: [hidden] }] },
    },
  });
});

describe('pseudonyms', () => {
  const names = () => new Pseudonyms();

  test('are the same for the same within a run, and others in the next', () => {
    const [one, two] = [names(), names()];
    expect(one.id('eni-0123456789abcdef0')).toBe(one.id('eni-0123456789abcdef0'));
    expect(one.id('eni-0123456789abcdef0')).not.toBe(two.id('eni-0123456789abcdef0'));
    expect(one.principal('123456789012')).not.toBe(two.principal('123456789012'));
    expect(one.name('prod')).not.toBe(two.name('prod'));
  });

  test('keep the form', () => {
    const one = names();
    expect(one.id('eni-0123456789abcdef0')).toMatch(/^eni-[0-9a-f]{17}$/);
    expect(one.id('eni-attach-0123456789abcdef0')).toMatch(/^eni-attach-[0-9a-f]{17}$/);
    expect(one.id('subnet-1a2b3c4d')).toMatch(/^subnet-[0-9a-f]{8}$/);
    expect(one.id('i-odd')).toMatch(/^i-[0-9a-f]{17}$/);
    expect(one.principal('123456789012')).toMatch(/^\d{12}$/);
    expect(one.principal('amazon-elb')).toBe('amazon-elb');
    expect(one.principal('eks.amazonaws.com')).toBe('eks.amazonaws.com');
    expect(one.arn('arn:aws-cn:ec2:cn-north-1:123456789012:subnet/subnet-0123456789abcdef0')).toBe(
      `arn:aws-cn:ec2:cn-north-1:${one.principal('123456789012')}:subnet/${one.id('subnet-0123456789abcdef0')}`,
    );
    expect(one.arn('arn:aws:iam::123456789012:role/team/Node')).toBe(
      `arn:aws:iam::${one.principal('123456789012')}:role/${one.name('team')}/${one.name('Node')}`,
    );
  });

  test('once settled sort as what they stand for, whatever their length, and are others for each', () => {
    const hex = fc.oneof(fc.stringMatching(/^[0-9a-f]{17}$/), fc.stringMatching(/^[0-9a-f]{8}$/));
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.tuple(fc.constantFrom('i', 'eni', 'subnet'), hex).map(([kind, digits]) => `${kind}-${digits}`),
        ),
        fc.uniqueArray(fc.string({ minLength: 1 })),
        (ids, given) => {
          const one = names();
          const first = [...ids.map((id) => one.id(id)), ...given.map((name) => one.name(name))];
          const settled = one.settle();
          const last = [...ids.map((id) => one.id(id)), ...given.map((name) => one.name(name))];
          expect(Pseudonyms.replace(first.join(' of-'), settled)).toBe(last.join(' of-'));
          const sorted = (words: readonly string[], change: (word: string) => string) =>
            expect([...words].sort().map(change)).toEqual(words.map(change).sort());
          sorted(ids, (id) => one.id(id));
          sorted(given, (name) => one.name(name));
          expect(new Set(last).size).toBe(ids.length + given.length);
        },
      ),
    );
  });

  test('of short ids never fall together', () => {
    const one = names();
    const seen = new Set<string>();
    for (let n = 0; n < 120_000; n++) seen.add(one.id(`sg-${n.toString(16).padStart(8, '0')}`));
    expect(seen.size).toBe(120_000);
  });
});
