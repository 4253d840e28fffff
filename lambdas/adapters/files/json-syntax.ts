/**
 * Finds where a text stops being JSON. `JSON.parse` says that it does, but its message differs between Node versions, often names no place, and quotes the
 * input. Run only on the way to an error; a loop with a stack of its own, so that depth is no danger.
 */

export interface SyntaxProblem {
  /** Index in the text, in UTF-16 units; the text's length where it ends too early. */
  readonly offset: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** End of the string that starts with the quote at `at`, or what is wrong with it. */
function stringEnd(text: string, at: number): number | SyntaxProblem {
  let i = at + 1;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i + 1;
    if (code < 0x20) return { offset: i, expected: 'the end of the string that began before it' };
    if (code === 0x5c) {
      const end = matchAt(ESCAPE, text, i + 1);
      if (end < 0) return { offset: Math.min(i + 1, text.length), expected: 'an escape such as \\n or \\u00e9' };
      i = end;
    } else i++;
  }
  return { offset: text.length, expected: 'the end of a string' };
}

/** What may come next. */
type Next = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

const EXPECTED: Readonly<Record<Next, string>> = {
  value: 'a value',
  'value-or-end': 'a value or "]"',
  key: 'a key in double quotes',
  'key-or-end': 'a key in double quotes, or "}"',
  colon: '":"',
  'comma-or-end': '',
  nothing: 'nothing more after the document',
};

/** The first place where the text is no JSON, or `undefined` where it is. */
export function findSyntaxProblem(text: string): SyntaxProblem | undefined {
  const closers: ('}' | ']')[] = [];
  let next: Next = 'value';
  let i = 0;
  const afterValue = (): Next => (closers.length === 0 ? 'nothing' : 'comma-or-end');
  for (;;) {
    i = matchAt(SPACE, text, i);
    const problem = { offset: i, expected: EXPECTED[next] || `"," or "${closers.at(-1)}"` };
    if (i >= text.length) return next === 'nothing' ? undefined : problem;
    const char = text[i];
    if (next === 'nothing') return problem;
    if (next === 'colon') {
      if (char !== ':') return problem;
      next = 'value';
      i++;
    } else if (next === 'comma-or-end' && char === ',') {
      next = closers.at(-1) === '}' ? 'key' : 'value';
      i++;
    } else if (next === 'comma-or-end' || (next.endsWith('-or-end') && (char === '}' || char === ']'))) {
      if (char !== closers.at(-1)) return problem;
      closers.pop();
      next = afterValue();
      i++;
    } else if (char === '"') {
      const end = stringEnd(text, i);
      if (typeof end !== 'number') return end;
      i = end;
      next = next.startsWith('key') ? 'colon' : afterValue();
    } else if (next.startsWith('key')) return problem;
    else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']');
      next = char === '{' ? 'key-or-end' : 'value-or-end';
      i++;
    } else {
      const end = Math.max(matchAt(NUMBER, text, i), matchAt(WORD, text, i));
      if (end < 0) return problem;
      i = end;
      next = afterValue();
    }
  }
}

/** What stands at an offset, as it is named in a message. */
export function foundAt(text: string, offset: number): string {
  const code = text.codePointAt(offset);
  if (code === undefined) return 'the text ends';
  if (code < 0x20) return code === 0x0a || code === 0x0d ? 'the line ends' : `a control character (code ${code})`;
  return JSON.stringify(String.fromCodePoint(code));
}

/** Line and column of an offset, both from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}
