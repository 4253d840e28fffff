import { expect, test } from '@jest/globals';
import {
  blockCidr,
  blockState,
  cellSign,
  shownKind,
  UNKNOWN_CELL,
} from '../../../../lambdas/core/report/html/block-words.ts';
import { escapeHtml } from '../../../../lambdas/core/report/html/escape.ts';
import { type Cell, cellByte } from '../../../../lambdas/core/report/map/cell.ts';
import { ip } from '../../../support/builders.ts';

test.each<[Cell, string, string]>([
  [{ state: 'free', reservation: null, used: 0 }, '', 'free, can be given as a prefix'],
  [{ state: 'free', reservation: 'prefix', used: 0 }, 'R', 'free, in a prefix reservation'],
  [{ state: 'free', reservation: 'explicit', used: 0 }, 'X', 'free, in an explicit reservation, never given'],
  [{ state: 'delegated', reservation: 'prefix', used: 16 }, 'P', 'delegated prefix'],
  [{ state: 'occupied', reservation: null, used: 11 }, 'b', 'occupied by 11 of 16 addresses, no prefix here'],
  [
    { state: 'occupied', reservation: 'prefix', used: 16 },
    'g',
    'occupied by 16 of 16 addresses, in a prefix reservation, no prefix here',
  ],
  [
    { state: 'edge', reservation: null, used: 2 },
    'E',
    'edge, AWS keeps addresses in it, 2 used, never given as a prefix',
  ],
])('%j is %s: %s', (cell, sign, words) => {
  expect([cellSign(cellByte(cell)), blockState(cellByte(cell))]).toEqual([sign, words]);
});

test('a map that is not known says so', () => {
  expect([shownKind(UNKNOWN_CELL), cellSign(UNKNOWN_CELL)]).toEqual(['unknown', '?']);
});

test('a block by its place', () => {
  expect(blockCidr(ip('10.0.254.0'), 33)).toBe('10.1.0.16/28');
});

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`"'&`, '&quot;&#39;&amp;'],
  ['a\u202eb\u0000c', 'a\\u202eb\\u0000c'],
  ['🔥', '🔥'],
])('%j as HTML is text', (text, html) => {
  expect(escapeHtml(text)).toBe(html);
});
