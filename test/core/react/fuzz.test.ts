/** Whatever AWS, a broken pipe or a person makes of an event: nothing throws, and nothing is lost without a word. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_CLASSES } from '../../../lambdas/contract/event-class.ts';
import { classify } from '../../../lambdas/core/react/classify.ts';
import { eventFindings } from '../../../lambdas/core/react/event-findings.ts';
import { fold } from '../../../lambdas/core/react/fold.ts';
import { cleanMessage } from '../../../lambdas/core/react/message.ts';
import { resolve } from '../../../lambdas/core/react/resolve.ts';
import { roomsOf } from '../../../lambdas/core/react/rooms.ts';
import { documentEvent } from '../../../lambdas/core/report/event-document.ts';
import { eventFilesOf, room } from '../../support/events.ts';

const REAL = [
  'c35-cloudtrail-events',
  'c03-create-eni-invalidparameter-650-free',
  'c08-one-az-exhausted',
  'c18-elb-needs-8-in-28',
].flatMap((name) => [...eventFilesOf(name).values()]);
const ROOMS = roomsOf([room({ subnetId: 'subnet-00350000000000001' })], new Map());

/** Everything that is made of a document; throws what it throws. */
function everything(document: unknown) {
  const events = classify(document).map((event) => resolve(event, ROOMS));
  const findings = eventFindings(fold(events, ROOMS));
  return { events, findings, documents: events.map((event, index) => documentEvent('f', index, event)) };
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function changedAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...(value as unknown[])]
    : { ...(value as object) };
  const holder = copy as Record<string | number, unknown>;
  holder[step] = changedAt(holder[step], rest, change);
  return copy;
}

/** A real event with some of its parts cut, swapped for another type, or wrapped. */
const mutated = fc
  .tuple(
    fc.constantFrom(...REAL),
    fc.array(
      fc.tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>('', null, [], {}, '__proto__', undefined))),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([event, changes]) =>
    changes.reduce<unknown>((now, [at, value]) => {
      const paths = pathsOf(now);
      return changedAt(now, paths[at % paths.length] as Path, () => value);
    }, event),
  );

function isSound(document: unknown): void {
  const { events, documents, findings } = everything(document);
  for (const event of events) {
    expect(EVENT_CLASSES).toContain(event.class);
    // No failure is silent: an event of which nothing is said was understood as a success.
    if (event.class === 'NONE') expect(event.items).toEqual([]);
  }
  for (const one of [...documents, ...findings]) expect(JSON.parse(JSON.stringify(one))).toEqual(one);
  expect(documents.map(({ message }) => message).join(' ')).not.toMatch(/undefined|NaN|\[object/);
}

describe('any document', () => {
  test('any JSON is classified, or said not to be understood', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (document) => isSound(document)),
      { numRuns: 300 },
    );
  });

  test('a real event with parts cut or swapped is classified', () => {
    fc.assert(
      fc.property(mutated, (document) => isSound(document)),
      { numRuns: 500 },
    );
  });

  test('a real event cut off as text, where it is still JSON, is classified', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REAL), fc.double({ min: 0, max: 1, noNaN: true }), (event, share) => {
        const text = JSON.stringify(event);
        // As a log line that was cut: the rest is a text inside a list.
        isSound([event, text.slice(0, Math.floor(text.length * share))]);
      }),
      { numRuns: 100 },
    );
  });

  test('one broken event beside others loses none of them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...REAL),
            mutated.filter((m) => !Array.isArray(m)),
          ),
          { minLength: 1, maxLength: 6 },
        ),
        (list) => {
          const flat = list.filter(
            (one) => typeof one === 'object' && one !== null && !['Records', 'Events', 'items'].some((k) => k in one),
          );
          fc.pre(flat.length > 0);
          expect(classify({ Records: flat })).toHaveLength(flat.length);
          expect(classify(flat)).toHaveLength(flat.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('what is nested deeper than any stack is still looked at', () => {
    let deep: unknown = { errorCode: 'InsufficientFreeAddressesInSubnet' };
    for (let i = 0; i < 50_000; i++) deep = { inner: deep };
    const [event] = classify({ eventName: 'CreateFleet', eventSource: 'ec2.amazonaws.com', responseElements: deep });
    expect(event?.items).toHaveLength(1);
  });

  test('lists in lists without end come to an end', () => {
    let deep: unknown = [];
    for (let i = 0; i < 20; i++) deep = [deep];
    expect(classify(deep)).toHaveLength(1);
  });
});

test('the same events in another order make the same findings', () => {
  const events = REAL.flatMap(classify).map((event) => resolve(event, ROOMS));
  const subjects = (list: typeof events) =>
    eventFindings(fold(list, ROOMS)).map(({ id, evidence }) => [id, evidence.count, evidence.firstTime]);
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
      expect(subjects(shuffled)).toEqual(subjects(events));
    }),
    { numRuns: 50 },
  );
});

test('no run of encoded text survives in a message, wherever it stands', () => {
  const base64 = fc
    .array(fc.constantFrom(...'ABCXYZabcxyz0189+/_-'), { minLength: 80, maxLength: 400 })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), base64, fc.string({ maxLength: 40 }), (before, blob, after) => {
      expect(cleanMessage(`${before} ${blob} ${after}`)).not.toContain(blob.slice(0, 80));
      expect(
        cleanMessage(`${before} Encoded authorization failure message: ${blob.slice(0, 20)} ${after}`),
      ).not.toContain(blob.slice(0, 20));
    }),
    { numRuns: 100 },
  );
});
