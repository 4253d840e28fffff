import { requireSubnet } from '../closest.ts';
import { outputOptions, sourceOptions } from '../options.ts';
import { printResult } from '../result.ts';
import { settingsOf, settingsOption } from '../settings.ts';
import { openLive, openSource, type SourceArgs, WHOLE_REGION } from '../source.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const explain = verb({
  command: 'explain [SUBNET]',
  describe: "One subnet's /28 map, and who breaks which block",
  options: (yargs) =>
    settingsOption(outputOptions(sourceOptions(yargs)))
      .positional('SUBNET', { type: 'string', describe: 'Subnet id' })
      .example('$0 explain subnet-0abc --from snapshot', 'draws the subnet as the snapshot has it'),
  run: async (args, terminal) => {
    const { SUBNET: subnetId } = args;
    if (subnetId === undefined || subnetId === '') {
      throw new UsageError('explain needs the id of a subnet: headroom explain SUBNET');
    }
    const settings = await settingsOf(args);
    const source = await openSource(args, await scopeOf(args, subnetId, terminal), terminal.progress);
    const { measure } = await import('../../lambdas/app/measure.ts');
    const facts = await source.facts();
    requireSubnet('explain', subnetId, facts.subnets);
    const measured = await measure({ ...source, facts: async () => facts }, settings, {
      keep: new Set([subnetId]),
    });
    const { explainedDocument } = await import('../../lambdas/core/report/explained.ts');
    const { explainText } = await import('../../lambdas/core/report/explain-text.ts');
    const document = explainedDocument({
      ...measured,
      subnetId,
      occupancy: measured.occupancy.subnets.get(subnetId),
      description: source.description,
      generatedAt: Date.now(),
    });
    return printResult(terminal, document, args, explainText);
  },
});

/** Of a live region only the subnet's own VPC is read: what is found on a subnet depends on its neighbours and on no other VPC. */
async function scopeOf(args: SourceArgs, subnetId: string, { progress }: Terminal) {
  if (args.from !== undefined) return WHOLE_REGION;
  const outline = await openLive(args, WHOLE_REGION, progress, { inputs: new Set(['subnets']) });
  const { subnets } = await outline.facts();
  return { vpcIds: [requireSubnet('explain', subnetId, subnets).vpcId], subnetIds: [] };
}
