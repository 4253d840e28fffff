import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from '../../../../lambdas/core/report/html/bytes.ts';
import { packFrames, unpackFrames } from '../../../../lambdas/core/report/html/cell-frames.ts';
import { packHolders, unpackHolders } from '../../../../lambdas/core/report/html/holders.ts';

test('integers read back as they were written, and a cut text is an error', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 })), (values) => {
      const writer = new ByteWriter();
      for (const value of values) writer.integer(value);
      const reader = new ByteReader(writer.done());
      expect(values.map(() => reader.integer())).toEqual(values);
      expect(() => reader.byte()).toThrow(RangeError);
    }),
  );
});

describe('maps over time', () => {
  const frames = fc
    .integer({ min: 0, max: 300 })
    .chain((length) =>
      fc.array(fc.uint8Array({ minLength: length, maxLength: length }), { minLength: 1, maxLength: 6 }),
    );

  test('read back as they were', () => {
    fc.assert(fc.property(frames, (given) => expect(unpackFrames(packFrames(given))).toEqual(given)));
  });

  test('a frame in which nothing changed costs one byte', () => {
    const frame = Uint8Array.from({ length: 1000 }, (_, at) => at & 0xff);
    expect(packFrames([frame, frame]).length - packFrames([frame]).length).toBe(1);
  });

  test('none', () => {
    expect(unpackFrames(packFrames([]))).toEqual([]);
  });
});

test('holders read back as they were', () => {
  const holder = fc.record({
    eniClass: fc.integer({ min: 0, max: 40 }),
    cluster: fc.integer({ min: -1, max: 500 }),
    instance: fc.integer({ min: -1, max: 500 }),
    primary: fc.integer({ min: -1, max: 65535 }),
  });
  const instance = fc.record({ pods: fc.integer({ min: -1, max: 250 }), held: fc.integer({ min: 0, max: 800 }) });
  const owners = fc
    .integer({ min: 0, max: 8 })
    .chain((blocks) => fc.array(fc.integer({ min: 0, max: 900 }), { minLength: blocks * 16, maxLength: blocks * 16 }));
  fc.assert(
    fc.property(fc.array(holder), fc.array(instance), owners, (holders, instances, of) => {
      const given = { holders, instances, owners: Uint32Array.from(of) };
      expect(unpackHolders(packHolders(given))).toEqual(given);
    }),
  );
});
