import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  blockOf,
  cidrContains,
  cidrCovers,
  formatCidr,
  formatIpv4,
  parseCidr,
  parseIpv4,
} from '../../../lambdas/core/ip/ipv4.ts';

const address = fc.nat(0xffffffff);

describe('addresses', () => {
  test.each([
    ['0.0.0.0', 0],
    ['10.0.0.1', 0x0a000001],
    ['255.255.255.255', 0xffffffff],
    ['192.168.100.9', 0xc0a86409],
  ])('%s', (text, value) => expect(parseIpv4(text)).toBe(value));

  test.each([
    '',
    '10.0.0',
    '10.0.0.0.1',
    '10.0.0.256',
    '10.0.0.01',
    ' 10.0.0.1',
    '10.0.0.1 ',
    '10..0.1',
    '.10.0.0.1',
    '10.0.0.',
    'a.b.c.d',
    '1e1.0.0.1',
    '10.0.0.-1',
    '::1',
    '٣.0.0.1',
    '0000000010.0.0.1',
  ])('%j is none', (text) => expect(parseIpv4(text)).toBeUndefined());

  test('what is written is read again', () => {
    fc.assert(fc.property(address, (value) => parseIpv4(formatIpv4(value)) === value));
  });

  test('never accepts what the standard regular expression refuses, nor the other way round', () => {
    const part = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
    const standard = new RegExp(`^${part}\\.${part}\\.${part}\\.${part}$`);
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'0123456789.') }),
      fc.array(fc.nat(300), { minLength: 3, maxLength: 5 }).map((parts) => parts.join('.')),
    );
    fc.assert(fc.property(text, (t) => (parseIpv4(t) !== undefined) === standard.test(t)));
  });
});

describe('blocks', () => {
  test.each([
    '10.0.0.5/24',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0/24',
    '10.0.0.0/2 4',
    '0.0.0.1/0',
  ])('%j is none', (text) => expect(parseCidr(text)).toBeUndefined());

  test.each(['0.0.0.0/0', '10.0.0.0/8', '255.255.255.255/32', '10.1.2.0/23'])('%s is read and written', (text) =>
    expect(formatCidr(parseCidr(text)!)).toBe(text),
  );

  test('the block of an address holds it, and is covered by every shorter one', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 32 }), (value, a, b) => {
        const inner = blockOf(value, Math.max(a, b));
        const outer = blockOf(value, Math.min(a, b));
        expect(cidrContains(inner, value)).toBe(true);
        expect(cidrCovers(outer, inner)).toBe(true);
        expect(cidrCovers(inner, outer)).toBe(a === b);
        expect(parseCidr(formatCidr(inner))).toEqual(inner);
      }),
    );
  });
});
