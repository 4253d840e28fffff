import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ElementSplitter } from '../../../lambdas/adapters/files/element-splitter.ts';
import { findSyntaxProblem } from '../../../lambdas/adapters/files/json-syntax.ts';
import { InputError } from '../../../lambdas/core/input/input-error.ts';
import { Place } from '../../../lambdas/core/input/place.ts';
import { DOCUMENTS, eni } from './documents.ts';

const EXPECTED = 'the output of describe-network-interfaces';

/** The elements, or the message of the error, of the bytes in these pieces. */
function split(pieces: readonly Buffer[]): unknown[] | string {
  const elements: unknown[] = [];
  const element = (value: unknown) => void elements.push(value);
  try {
    const splitter = new ElementSplitter(Place.of('x.json'), { key: 'NetworkInterfaces', expected: EXPECTED, element });
    for (const piece of pieces) splitter.push(piece);
    splitter.end();
    return elements;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at].sort((a, b) => a - b);
  // Copies: a piece that is used again must not be looked at.
  return [0, ...ends].map((from, index) => Buffer.from(bytes.subarray(from, ends[index] ?? bytes.length)));
}

const value = fc.jsonValue({ depthSize: 'small' });
const document = fc
  .record({ list: fc.array(value, { maxLength: 5 }), before: value, after: value, indent: fc.constantFrom(0, 1, 4) })
  .map(({ list, before, after, indent }) => ({
    list,
    text: JSON.stringify({ NextToken: before, NetworkInterfaces: list, ResponseMetadata: after }, undefined, indent),
  }));

describe('a list split out of a document', () => {
  test('is the same at every boundary of two pieces', () => {
    const documents = [
      { NetworkInterfaces: [eni(1), eni(2)], NextToken: 'é"\\' },
      [{ NetworkInterfaces: [] }, { NetworkInterfaces: [eni(3)] }],
    ];
    const expected = [[eni(1), eni(2)], [eni(3)]];
    for (const [index, one] of documents.entries()) {
      const bytes = Buffer.from(JSON.stringify(one, undefined, index));
      for (let at = 0; at <= bytes.length; at++) expect(split(cut(bytes, [at]))).toEqual(expected[index]);
      expect(split(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(expected[index]);
    }
  });

  test('is what JSON.parse gives, whatever stands around and inside it', () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat()), ({ list, text }, cuts) => {
        const bytes = Buffer.from(text);
        expect(
          split(
            cut(
              bytes,
              cuts.map((n) => n % (bytes.length + 1)),
            ),
          ),
        ).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  test('of a document that is cut off is an error, at every byte and every boundary alike', () => {
    const bytes = Buffer.from(JSON.stringify({ NetworkInterfaces: [{ a: ['é', -1.5e3, true] }, 2], NextToken: null }));
    for (let end = 0; end < bytes.length; end++) {
      const short = bytes.subarray(0, end);
      const whole = split([short]);
      expect(typeof whole).toBe('string');
      for (let at = 0; at <= end; at++) expect(split(cut(short, [at]))).toBe(whole);
    }
  });

  test('of bytes that are changed at random is an error exactly where JSON.parse has one, or another document', () => {
    const original = Buffer.from(JSON.stringify(DOCUMENTS['network-interfaces']));
    fc.assert(
      fc.property(fc.nat(original.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(original);
        bytes[at] = byte;
        const got = split([bytes]);
        let parsed: unknown;
        try {
          parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
        } catch {
          expect(typeof got).toBe('string');
          return;
        }
        const list = (parsed as { NetworkInterfaces?: unknown }).NetworkInterfaces;
        if (Array.isArray(list)) expect(got).toEqual(list);
        else expect(typeof got).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the finder of syntax errors', () => {
  test('finds one exactly where JSON.parse does', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n\te-+.0123truefalsn'), maxLength: 12 }),
      document.chain(({ text: whole }) => fc.nat(whole.length).map((end) => whole.slice(0, end))),
    );
    fc.assert(
      fc.property(text, (given) => {
        let parses = true;
        try {
          JSON.parse(given);
        } catch {
          parses = false;
        }
        expect(findSyntaxProblem(given) === undefined).toBe(parses);
      }),
      { numRuns: 3000 },
    );
  });

  test('is not stopped by depth', () => {
    expect(findSyntaxProblem('['.repeat(1_000_000))).toEqual({ offset: 1_000_000, expected: 'a value or "]"' });
  });
});
