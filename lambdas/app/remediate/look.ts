/** A fresh look at one VPC: read, assess, decide. */
import type { Config } from '../../contract/config.ts';
import type { Finding } from '../../contract/finding.ts';
import { assessContext, reportOf } from '../../core/assess/assess.ts';
import type { AssessContext } from '../../core/assess/context.ts';
import { settingsFromConfig } from '../../core/assess/settings.ts';
import type { Decision } from '../../core/remediate/plan.ts';
import { decide } from '../../core/remediate/plans.ts';
import { planSettings } from '../../core/remediate/settings.ts';
import { OccupancyBuilder } from '../../core/subnet/occupancy.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';

export interface Look {
  readonly context: AssessContext;
  readonly findings: readonly Finding[];
  readonly decisions: readonly Decision[];
}

/** @param account that Headroom runs in: what is of another is not its own. @param open places with an open plan. */
export async function look(
  world: RemediateWorld,
  { config, account }: { readonly config: Config; readonly account: string },
  vpcId: string,
  open: (place: string) => boolean = () => false,
): Promise<Look> {
  const now = world.clock.now();
  const source = world.open(vpcId, now);
  const [read, inside] = await Promise.all([
    source.facts(),
    world.inside.read(now - config.schedule.factsMaxAge * 1000),
  ]);
  const facts = {
    ...read,
    account,
    now,
    kubernetes: [...read.kubernetes, ...inside.kubernetes],
    failures: [...read.failures, ...inside.failures],
  };
  const builder = new OccupancyBuilder(facts);
  const enis = await source.networkInterfaces(facts, builder);
  const context = assessContext(facts, enis, builder.finish(), settingsFromConfig(config));
  const { findings } = reportOf(context);
  return { context, findings, decisions: decide({ context, findings, settings: planSettings(config), open }) };
}
