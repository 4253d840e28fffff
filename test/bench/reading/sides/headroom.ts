/** The product as the observe function has it, on the subnets and interfaces alone: scanner, address maps, ledgers. */
import '../../../../lambdas/adapters/small-young-generation.ts';
import { liveSource } from '../../../../lambdas/adapters/live/live-source.ts';
import { subnetLedgers } from '../../../../lambdas/core/assess/context.ts';
import { isFull } from '../../../../lambdas/core/subnet/ledger.ts';
import { OccupancyBuilder } from '../../../../lambdas/core/subnet/occupancy.ts';
import { concurrency, config, measureRegion } from './side.ts';

await measureRegion(async () => {
  const source = liveSource({ ...config, now: 0, apiShare: 1, concurrency, inputs: new Set(['network-interfaces']) });
  const facts = await source.facts();
  const builder = new OccupancyBuilder(facts);
  const enis = await source.networkInterfaces(facts, builder);
  if (enis.state !== 'read' || enis.failures.length > 0 || (enis.decodedBySdk ?? 0) > 0)
    throw new Error(`not read whole by the scanner: ${JSON.stringify(enis)}`);
  return [...subnetLedgers(facts, enis, builder.finish()).values()].map(({ ledger }) => {
    if (!isFull(ledger)) throw new Error('no ledger');
    return { used: ledger.usedIps, freePrefixes: ledger.freePrefixes, largest: ledger.largestFreeBlockLength ?? 0 };
  });
});
