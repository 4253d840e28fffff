import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  CLOSES,
  LearntMarkup,
  NOT_LEARNT,
  opening,
} from '../../../../lambdas/adapters/ec2/eni-reader/learnt-markup.ts';
import { TextCache } from '../../../../lambdas/adapters/ec2/eni-reader/text.ts';
import { indexOfLt, sameWords } from '../../../../lambdas/adapters/ec2/eni-reader/words.ts';

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Bytes that differ from `<` by a bit or by one, and those at the ends of the range, more often than others. */
const byte = fc.oneof(fc.constantFrom(0x3c, 0x3b, 0x3d, 0xbc, 0x1c, 0, 0x80, 0xff), fc.integer({ min: 0, max: 255 }));
const bytes = fc.array(byte, { maxLength: 40 }).map((list) => Buffer.from(list));

describe('bytes by words', () => {
  test('the next < is where one byte after the other finds it', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), (buffer, from) => {
        const at = buffer.indexOf('<', from);
        const start = Math.min(from, buffer.length);
        expect(indexOfLt(viewOf(buffer), start, buffer.length)).toBe(at < 0 ? buffer.length : at);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a change of any one byte is seen', () => {
    fc.assert(
      fc.property(
        fc.array(byte, { minLength: 4, maxLength: 40 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (list, at, by) => {
          const one = Buffer.from(list);
          const other = Buffer.from(list);
          expect(sameWords(viewOf(one), 0, viewOf(other), 0, list.length)).toBe(true);
          const changed = at % list.length;
          other[changed] = (one[changed] as number) ^ by;
          expect(sameWords(viewOf(one), 0, viewOf(other), 0, list.length)).toBe(false);
        },
      ),
    );
  });
});

describe('learnt markup', () => {
  const learnt = (text: string, meaning: number) => {
    const markup = new LearntMarkup(1);
    const buffer = Buffer.from(text);
    markup.learn(0, viewOf(buffer), 0, buffer.length, meaning);
    return markup;
  };

  test('is found again where the very same bytes stand, whatever a changed byte is', () => {
    const text = '</value>\n                </item>';
    const markup = learnt(text, CLOSES);
    const page = Buffer.from(`x${text}y`);
    const match = (at: number, length = page.length) => markup.match(0, viewOf(page), at, length);
    expect(match(1)).toBe(CLOSES);
    expect(markup.end).toBe(1 + text.length);
    expect(match(0)).toBe(NOT_LEARNT);
    for (let at = 1; at <= text.length; at++) {
      const right = page[at] as number;
      for (let wrong = 0; wrong < 256; wrong++) {
        page[at] = wrong;
        if (match(1) !== (wrong === right ? CLOSES : NOT_LEARNT)) throw new Error(`byte ${at} as ${wrong}`);
      }
      page[at] = right;
    }
  });

  test('is not found in bytes that end too early', () => {
    const text = '</key>\n    <value>';
    const markup = learnt(text, opening(7, false));
    for (let length = 0; length < text.length; length++) {
      const page = Buffer.from(text.slice(0, length));
      expect(markup.match(0, viewOf(page), 0, length)).toBe(NOT_LEARNT);
    }
  });

  test.each(['<a><b>', '</a>\u0000<b></b>', '</a>\u007f<b></b>', `</a>${' '.repeat(200)}<b>`])(
    '%j is not learnt',
    (text) => {
      const buffer = Buffer.from(text);
      expect(learnt(text, CLOSES).match(0, viewOf(buffer), 0, buffer.length)).toBe(NOT_LEARNT);
    },
  );

  test('what was not found last is forgotten first', () => {
    const markup = new LearntMarkup(1);
    const [one, two, three] = ['<aaaaaaa>', '<bbbbbbb>', '<ccccccc>'].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const known = (buffer: Buffer) => markup.match(0, viewOf(buffer), 0, buffer.length) !== NOT_LEARNT;
    const learn = (buffer: Buffer) => markup.learn(0, viewOf(buffer), 0, buffer.length, 2);
    learn(one);
    learn(two);
    expect([known(two), known(one)]).toEqual([true, true]);
    learn(three);
    expect([known(one), known(two), known(three)]).toEqual([true, false, true]);
  });
});

test('texts are those of their bytes, however many share a place in the cache', () => {
  const cache = new TextCache();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 20_000; i++) {
      const text = `${i % 3 === 0 ? 'i-' : 'naïve '}${i * 7919}`;
      const buffer = Buffer.from(text);
      if (cache.text(buffer, viewOf(buffer), 0, buffer.length) !== text) throw new Error(`${text} read otherwise`);
    }
  }
});
