/** Checks as a reader at night needs them: what is wrong first seen, then what to do. */
import type { Check, CheckState, ChecksDocument } from '../../contract/checks-document.ts';
import { wrap } from './layout.ts';
import type { Ink, Pen } from './pen.ts';

const WORDS: Readonly<Record<CheckState, string>> = { ok: 'ok', problem: 'PROBLEM', unknown: 'unknown' };
const INKS: Readonly<Record<CheckState, Ink>> = { ok: 'free', problem: 'critical', unknown: 'warning' };
const WIDTH = 9;

export function checksText(pen: Pen, { stack, account, region, checks }: ChecksDocument): string[] {
  const number = (state: CheckState) => checks.filter((check) => check.state === state).length;
  const counts = [
    `${number('ok')} ok`,
    ...(number('problem') > 0 ? [`${number('problem')} with a problem`] : []),
    ...(number('unknown') > 0 ? [`${number('unknown')} could not be looked at`] : []),
  ];
  return [
    ...wrap(pen, `${stack} in account ${account}, ${region}`),
    '',
    ...checks.flatMap((check) => lines(pen, check)),
    '',
    counts.join(', '),
  ];
}

function lines(pen: Pen, { state, title, detail, remedy, permission, code }: Check): string[] {
  const word = WORDS[state];
  const [head = '', ...rest] = wrap(pen, `${title}: ${detail}${code === undefined ? '' : ` [${code}]`}`, {
    first: word.padEnd(WIDTH),
    indent: ' '.repeat(WIDTH),
  });
  const way = remedy ?? (permission === undefined ? undefined : `Allow ${permission} to whoever runs this.`);
  return [
    pen.paint(INKS[state], head.slice(0, word.length)) + head.slice(word.length),
    ...rest,
    ...(way === undefined ? [] : wrap(pen, way, { first: `${' '.repeat(WIDTH)}-> `, indent: ' '.repeat(WIDTH + 3) })),
  ];
}
