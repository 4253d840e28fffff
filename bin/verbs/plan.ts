import type { Measurement } from '../../lambdas/app/measure.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import type { AssessSettings } from '../../lambdas/core/assess/settings.ts';
import type { PlanSettings } from '../../lambdas/core/remediate/settings.ts';
import { requireSubnet } from '../closest.ts';
import { one, outputOptions, scopeOf, scopeOptions, sourceOptions } from '../options.ts';
import { printResult } from '../result.ts';
import { configOf, settingsOption } from '../settings.ts';
import { openFiles } from '../source.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const plan = verb({
  command: 'plan',
  describe: 'What Headroom would do, each decision with its reason and the guards it passed or failed',
  options: (yargs) =>
    settingsOption(outputOptions(scopeOptions(sourceOptions(yargs))))
      .option('untag', {
        type: 'string',
        requiresArg: true,
        coerce: one('untag'),
        describe: "What taking a selector's tag off this subnet would replace (with --from)",
      })
      .example('$0 plan --from snapshot', 'worked out now; nothing is changed')
      .example('$0 plan --from snapshot --untag subnet-0abc', 'which nodes Karpenter would replace')
      .example('$0 plan --region eu-central-1', 'the plans that the deployed service keeps'),
  run: async (args, terminal) => {
    const { from, untag } = args;
    if (from === undefined) {
      if (untag !== undefined) {
        throw new UsageError(
          '--untag works on files: headroom observe --out DIR, then headroom plan --untag SUBNET --from DIR',
        );
      }
      const { storedPlans } = await import('../service/stored-plans.ts');
      const { planText } = await import('../../lambdas/core/report/plan-text.ts');
      return printResult(terminal, await storedPlans(args), args, planText);
    }
    const { config, settings } = await configOf(args);
    const source = await openFiles(from, args, scopeOf(args), terminal.progress);
    const { measure } = await import('../../lambdas/app/measure.ts');
    const measured = await measure(source, settings);
    const { PLAN_DEFAULTS, planSettings } = await import('../../lambdas/core/remediate/settings.ts');
    const drawn = await drawUp(measured, untag, config === undefined ? PLAN_DEFAULTS : planSettings(config), settings);
    const { documentOf } = await import('../../lambdas/core/report/document.ts');
    const { planText } = await import('../../lambdas/core/report/plan-text.ts');
    const document = documentOf({
      ...measured,
      report: { ...measured.report, findings: drawn.findings ?? measured.report.findings },
      plan: drawn.plan,
      description: source.description,
      generatedAt: Date.now(),
    });
    return printResult(terminal, document, args, planText);
  },
});

type Drawn = {
  readonly plan: NonNullable<HeadroomDocument['plan']>;
  /** Where the question was about one action: what follows from it alone. */
  readonly findings?: Measurement['report']['findings'];
};

async function drawUp(
  { facts, enis, occupancy, report }: Measurement,
  untag: string | undefined,
  plans: PlanSettings,
  settings: AssessSettings,
): Promise<Drawn> {
  const { assessContext } = await import('../../lambdas/core/assess/assess.ts');
  const context = assessContext(facts, enis, occupancy, settings);
  if (untag === undefined) {
    const { decide } = await import('../../lambdas/core/remediate/plans.ts');
    return { plan: decide({ context, findings: report.findings, settings: plans }) };
  }
  requireSubnet('--untag', untag, facts.subnets);
  const { untagEffect } = await import('../../lambdas/core/assess/untag.ts');
  const { untagPlan } = await import('../../lambdas/core/remediate/untag-plan.ts');
  const effect = untagEffect(context, untag);
  return effect === undefined
    ? { plan: [], findings: [] }
    : { plan: [untagPlan(context, effect)], findings: effect.findings };
}
