import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IdSet } from '../../../lambdas/core/subnet/id-set.ts';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });

/** Real ids, old short ids, odd ones: few distinct values, so that repeats are common. */
const id = fc.oneof(
  fc.nat(40).map((n) => `eni-0${n.toString(16).padStart(16, '0')}`),
  hex(17).map((digits) => `eni-${digits}`),
  hex(16).map((digits) => `eni-0${digits}`),
  fc.nat(40).map((n) => `eni-${n.toString(16).padStart(8, '0')}`),
  fc.constantFrom('', 'eni-', 'eni-0', 'eni-0000000000000000g', 'ENI-00000000000000001', 'eni-0ffffffffffffffff'),
);

test('behaves as a set of strings', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 300 }), (ids) => {
      const set = new IdSet('eni-');
      const oracle = new Set<string>();
      for (const one of ids) {
        expect(set.add(one)).toBe(!oracle.has(one));
        oracle.add(one);
      }
      expect(set.size).toBe(oracle.size);
      for (const one of ids) expect(set.has(one)).toBe(true);
      expect(set.has('eni-0abcdefabcdefabcd')).toBe(oracle.has('eni-0abcdefabcdefabcd'));
    }),
  );
});

test('holds 200,000 sequential ids apart', () => {
  const set = new IdSet('eni-');
  for (let i = 0; i < 200_000; i++) set.add(`eni-0${i.toString(16).padStart(16, '0')}`);
  expect(set.size).toBe(200_000);
  let found = 0;
  for (let i = 0; i < 200_000; i++) if (!set.add(`eni-0${i.toString(16).padStart(16, '0')}`)) found++;
  expect(found).toBe(200_000);
});
