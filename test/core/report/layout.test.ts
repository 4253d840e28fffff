import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clip, count, counted, cut, table, wrap } from '../../../lambdas/core/report/layout.ts';
import { markedPen, plainPen } from '../../support/plain-pen.ts';

describe('clip', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly-10', 10, 'exactly-10'],
    ['eleven-long', 10, 'eleven-lo…'],
    ['子网子网', 5, '子网…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%j to %i columns is %j', (text, columns, shown) => expect(clip(plainPen, text, columns)).toBe(shown));
});

describe('wrap', () => {
  test('breaks at spaces, and goes on under the indent', () => {
    expect(wrap(plainPen, 'one two three four', { first: '-> ', indent: '   ', columns: 12 })).toEqual([
      '-> one two',
      '   three',
      '   four',
    ]);
  });

  test('breaks inside a word only where it alone is too wide', () => {
    expect(wrap(plainPen, 'a abcdefghij b', { columns: 4 })).toEqual(['a', 'abcd', 'efgh', 'ij b']);
  });

  test('no line is wider than asked, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 12, max: 100 }), (text, columns) => {
        for (const line of wrap(plainPen, text, { indent: '    ', columns })) {
          expect(plainPen.width(line)).toBeLessThanOrEqual(columns);
        }
      }),
    );
  });
});

describe('table', () => {
  const columns = [
    { title: 'NAME', text: ({ name }: { name: string; ips: number }) => name, min: 4 },
    { title: 'IPS', text: ({ ips }: { name: string; ips: number }) => count(ips), right: true },
  ];

  test('text stands left, numbers right', () => {
    const rows = [
      { name: 'a', ips: 5 },
      { name: 'longer', ips: 1234 },
    ];
    expect(table(plainPen, columns, rows)).toEqual(['NAME      IPS', 'a           5', 'longer  1,234']);
  });

  test('a column that may shrink does, so that the page holds the table', () => {
    const [, row] = table(plainPen, columns, [{ name: 'x'.repeat(200), ips: 7 }], '  ');
    expect(row).toBe(`  ${'x'.repeat(92)}…    7`);
    expect(plainPen.width(row as string)).toBe(100);
  });

  test('padding is reckoned without colour', () => {
    const painted = [{ ...columns[0], title: 'N', text: () => 'ab', paint: () => '<red>ab' }, columns[1]];
    const [, row] = table(markedPen, painted as typeof columns, [{ name: '', ips: 1 }]);
    expect(row).toBe('<red>ab    1');
  });
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [65531, '65,531'],
  [1048576, '1,048,576'],
])('%i is written %s', (value, text) => expect(count(value)).toBe(text));

test('one subnet, two subnets', () => {
  expect([counted(1, 'subnet'), counted(2, 'subnet'), counted(2, 'address', 'addresses')]).toEqual([
    '1 subnet',
    '2 subnets',
    '2 addresses',
  ]);
});

test('a list is cut and the rest counted', () => {
  expect(cut([1, 2, 3], 2)).toEqual({ shown: [1, 2], more: 1 });
  expect(cut([1, 2], 2)).toEqual({ shown: [1, 2], more: 0 });
});
