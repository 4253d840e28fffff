import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { printable, printableJson } from '../../../lambdas/core/report/printable.ts';

describe('printable', () => {
  test.each([
    ['plain text ~ !', 'plain text ~ !'],
    ['größe 子网 ✓', 'größe 子网 ✓'],
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['a\nb\tc\rd', 'a\\u000ab\\u0009c\\u000dd'],
    ['bell\u0007', 'bell\\u0007'],
    ['\u009b31m', '\\u009b31m'],
    ['\u007f', '\\u007f'],
    ['admin\u202etxt', 'admin\\u202etxt'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['line\u2028paragraph\u2029', 'line\\u2028paragraph\\u2029'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['lone \ud800 half', 'lone \\ud800 half'],
    ['', ''],
  ])('%j is shown as %j', (text, shown) => expect(printable(text)).toBe(shown));

  test('nothing but visible characters is left of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('what is printable already stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
  });
});

describe('JSON', () => {
  test('means the same, and holds no raw character that a terminal would obey', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string({ unit: 'binary' }), (value, text) => {
        const document = { value, text };
        const json = printableJson(JSON.stringify(document, null, 2));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(document)));
        expect(json.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test('characters beyond the basic plane are escaped in pairs', () => {
    expect(printableJson(JSON.stringify('\u{e0041}'))).toBe('"\\udb40\\udc41"');
  });
});
