/** `apply`, `refuse` and `undo`: show the plan, ask, call the approve function, and wait for what comes of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PlanAnswer, PlanState } from '../../lambdas/contract/plan.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { one } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { type Verb, verb } from '../verb.ts';

interface AnswerWords {
  readonly verb: 'apply' | 'refuse' | 'undo';
  readonly answer: PlanAnswer;
  readonly describe: string;
  readonly question: string;
  /** The state that is wanted. */
  readonly wanted: PlanState;
  /** Other states in which it is over; all the rest are waited through. */
  readonly over: readonly PlanState[];
}

/** How long is waited for what comes of an answer, milliseconds: a run writes and looks whether it works within a minute or two. */
const WAIT_MS = 180_000;
const LOOK_EVERY_MS = 3_000;

interface AnswerArgs {
  readonly PLAN_ID?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  readonly yes: boolean;
  readonly why?: string | undefined;
  readonly json: boolean;
}

export function answerVerb(words: AnswerWords): Verb {
  return verb<AnswerArgs>({
    command: `${words.verb} [PLAN_ID]`,
    describe: words.describe,
    options: (yargs) =>
      yargs
        .positional('PLAN_ID', { type: 'string', describe: 'Id of a plan, as headroom plan lists it' })
        .option('region', {
          type: 'string',
          requiresArg: true,
          coerce: one('region'),
          describe: 'AWS region of the service',
        })
        .option('profile', {
          type: 'string',
          requiresArg: true,
          coerce: one('profile'),
          describe: 'Profile of the AWS configuration',
        })
        .option('yes', { type: 'boolean', default: false, describe: 'Do not ask; needed where there is no terminal' })
        .option('why', { type: 'string', requiresArg: true, coerce: one('why'), describe: 'Kept with the answer' })
        .option('json', { type: 'boolean', default: false, describe: 'One JSON document (docs/schema/document.json)' }),
    run: (args, terminal) => answer(words, args, terminal),
  });
}

async function answer(words: AnswerWords, args: AnswerArgs, terminal: Terminal): Promise<ExitStatus> {
  const id = args.PLAN_ID;
  if (id === undefined || id === '')
    throw new UsageError(`${words.verb} needs the id of a plan: headroom ${words.verb} PLAN_ID`);
  const { openService, requirePlan, documentOfPlans } = await import('./stored-plans.ts');
  const service = await openService(args);
  const plan = await requirePlan(service, id);
  const { asDocument } = await import('../../lambdas/core/remediate/stored-plan.ts');
  const { decisionLines } = await import('../../lambdas/core/report/plan-text.ts');
  const shown = decisionLines(terminal.pen, asDocument(plan), true);
  if (args.json) for (const line of shown) terminal.remark(line);
  else terminal.print(shown.join('\n'));
  if (!args.yes) {
    if (terminal.confirm === undefined)
      throw new UsageError(`${words.verb} asks before it does anything: without a terminal, say --yes`);
    if (!(await terminal.confirm(`${words.question} [y/N] `))) {
      terminal.remark('headroom: declined; nothing was changed');
      return EXIT.declined;
    }
  }
  const { requiredOutput } = await import('../../lambdas/adapters/deployment/find-deployment.ts');
  const { sendAnswer } = await import('../../lambdas/adapters/approving/send-answer.ts');
  const { deployment, options } = service;
  const call = { ...options, url: requiredOutput(deployment, 'approvalUrl'), region: deployment.region };
  const said = await sendAnswer(call, {
    answer: words.answer,
    planId: id,
    ...(args.why === undefined ? {} : { why: args.why }),
  });
  if (said.status !== 202)
    throw new UsageError(`${words.verb} was not taken (${said.status}): ${said.message ?? 'no reason given'}`);
  const after = await settled(words, () => requirePlan(service, id), terminal);
  const last = after.history.at(-1);
  if (args.json) {
    const { jsonText } = await import('../result.ts');
    terminal.print(jsonText(documentOfPlans(deployment, [after])));
  } else {
    terminal.print(`${id}: ${after.state}${last?.why === undefined ? '' : `: ${last.why}`}`);
  }
  return words.over.includes(after.state) ? EXIT.error : EXIT.done;
}

async function settled(
  { wanted, over }: AnswerWords,
  read: () => ReturnType<typeof import('./stored-plans.ts').requirePlan>,
  { remark }: Terminal,
) {
  const until = Date.now() + WAIT_MS;
  let plan = await read();
  // The answer was noted before it was confirmed, and the table is read as it is: a plan that is in such a state now got there since.
  const done = () => plan.state === wanted || over.includes(plan.state);
  while (!done() && Date.now() < until) {
    await delay(LOOK_EVERY_MS);
    plan = await read();
  }
  if (!done()) remark(`headroom: noted, and not done yet (${plan.state}): headroom plan shows what comes of it`);
  return plan;
}
