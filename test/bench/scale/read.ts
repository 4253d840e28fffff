/** Reads the served region as the observe function does, subnets and interfaces alone: `node read.ts URL API_SHARE` prints time and memory as JSON. */
import '../../../lambdas/adapters/small-young-generation.ts';
import { liveSource } from '../../../lambdas/adapters/live/live-source.ts';
import { subnetLedgers } from '../../../lambdas/core/assess/context.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';

const [endpoint, apiShare] = process.argv.slice(2) as [string, string];
const start = performance.now();
const before = process.cpuUsage();
let throttled = 0;
const source = liveSource({
  region: 'us-east-1',
  endpoint,
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  now: 0,
  apiShare: Number(apiShare),
  inputs: new Set(['network-interfaces']),
  onThrottled: () => throttled++,
});
const facts = await source.facts();
const builder = new OccupancyBuilder(facts);
const enis = await source.networkInterfaces(facts, builder);
if (enis.state !== 'read' || enis.failures.length > 0)
  throw new Error(
    `not read whole: ${JSON.stringify(enis.state === 'read' ? enis.failures.slice(0, 2) : enis).slice(0, 600)}`,
  );
const occupancy = builder.finish();
const ledgers = subnetLedgers(facts, enis, occupancy);
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  `${JSON.stringify({
    ms: performance.now() - start,
    cpuMs: (user + system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
    interfaces: occupancy.enis,
    subnets: ledgers.size,
    vpcs: new Set(facts.subnets.map(({ vpcId }) => vpcId)).size,
    decodedBySdk: enis.decodedBySdk ?? 0,
    throttled,
  })}\n`,
);
