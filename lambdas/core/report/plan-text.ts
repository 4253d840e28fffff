/** What `plan` prints: each decision as one paragraph that a person can approve or refuse by. */
import type { DocumentPlan, HeadroomDocument } from '../../contract/document.ts';
import { findingCounts } from './finding-text.ts';
import { counted, cut, wrap } from './layout.ts';
import type { Pen } from './pen.ts';
import { absentLines, sourceLines, unreadLines } from './source-text.ts';

const DECISIONS = 20;
const REJECTED = 5;

/** The text of `plan`, from files or of the plans that a service keeps. */
export function planText(pen: Pen, document: HeadroomDocument, { all }: { readonly all: boolean }): string[] {
  const { plan = [], findings = [], source } = document;
  const { shown, more } = cut(plan, all ? Number.POSITIVE_INFINITY : DECISIONS);
  return [
    ...sourceLines(pen, document),
    ...wrap(
      pen,
      `${findingCounts(findings)}: ${plan.length === 0 ? 'nothing to do' : counted(plan.length, 'plan')}. Nothing was changed.`,
    ),
    '',
    ...unreadLines(pen, source),
    ...shown.flatMap((one) => [...decisionLines(pen, one, all), '']),
    ...(more > 0 ? [`... ${counted(more, 'more plan')}: --all shows them`, ''] : []),
    ...absentLines(pen, source),
  ];
}

const ITEM = { first: '    ', indent: '      ' };

/** One decision; also what `apply` shows before it asks. */
export function decisionLines(pen: Pen, plan: DocumentPlan, all = false): string[] {
  const line = (label: string, text: string) => (text === '' ? [] : wrap(pen, `${label}: ${text}`, ITEM));
  const failed = plan.guards.filter(({ passed }) => !passed);
  const rejected = cut(plan.rejected, all ? Number.POSITIVE_INFINITY : REJECTED);
  const others = rejected.shown.map(({ subnetId, reason }) => `${subnetId} ${reason}`);
  if (rejected.more > 0) others.push(`${rejected.more} more`);
  return [
    ...heading(pen, plan, failed.length),
    ...wrap(pen, plan.summary, { indent: '    ' }),
    ...line('why', plan.reason),
    ...line('effect', effectWords(plan.effect)),
    ...line('cost', plan.cost),
    ...line('risk', plan.risk),
    ...line('undo', plan.undo),
    ...plan.guards.flatMap(({ name, passed, detail }) =>
      wrap(pen, `${passed ? 'ok  ' : 'FAIL'} ${name}: ${detail}`, ITEM).map((text) =>
        passed ? text : pen.paint('warning', text),
      ),
    ),
    ...line('not taken', others.join(', ')),
    ...line('answers', plan.findingIds.join(', ')),
    ...plan.infrastructureCode.flatMap((text) => wrap(pen, text, { first: '    | ', indent: '    |   ' })),
    ...plan.commands.flatMap((text) => wrap(pen, text, { first: '    $ ', indent: '        ' })),
    ...(plan.history ?? []).flatMap(({ at, what, by, why }) =>
      wrap(pen, `${at} ${what}${by === undefined ? '' : ` by ${by}`}${why === undefined ? '' : `: ${why}`}`, ITEM),
    ),
  ];
}

function heading(pen: Pen, plan: DocumentPlan, failed: number): string[] {
  const { id, action, cluster, zone, subnetId, state, expiresAt } = plan;
  const place = [subnetId, zone, cluster === undefined ? undefined : `cluster ${cluster}`].filter(
    (part) => part !== undefined,
  );
  const standing =
    state === undefined
      ? plan.writes.length === 0
        ? 'for a person to do'
        : failed > 0
          ? `proposed only: ${counted(failed, 'guard')} failed`
          : `ready; mode ${plan.mode}`
      : `${state}${state === 'planned' && expiresAt !== undefined ? ` until ${expiresAt}` : ''}; mode ${plan.mode}`;
  const [head = '', ...rest] = wrap(
    pen,
    `${[id, action, ...place].filter((part) => part !== undefined).join('  ')}  [${standing}]`,
    {
      first: '',
      indent: '    ',
    },
  );
  return [pen.paint('bold', head), ...rest];
}

function effectWords(effect: DocumentPlan['effect']): string {
  const number = (value: number | null) => (value === null ? '?' : String(value));
  return Object.entries(effect)
    .map(([name, { before, after }]) => `${name} ${number(before)} -> ${number(after)}`)
    .join(', ');
}
