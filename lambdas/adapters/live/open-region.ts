import type { EniReading, EniSink, RegionFacts } from '../../core/subnet/snapshot.ts';
import type { RegionSource } from '../../ports/region-source.ts';
import type { LiveRegion } from './live-region.ts';
import type { RegionOptions } from './options.ts';

/**
 * A live region as a source of facts.
 *
 * Opening costs nothing and asks nobody: the SDK, which takes longer to load than a folder takes to assess, is loaded by the first read (docs/adr/0020).
 *
 * A call that is denied or fails leaves a `ReadFailure` beside what could be read. `facts` rejects with a ReadError only where no subnet could be read:
 * `NO_REGION`, `NO_CREDENTIALS`, `CREDENTIALS_EXPIRED`, `CREDENTIALS_REJECTED`, `UNREACHABLE`, `DENIED`, `THROTTLED`, `NOT_FOUND` (a subnet or VPC of
 * the scope does not exist), `CANCELLED`, `AWS_FAILED`; `BAD_OPTION` for options out of range.
 */
export function openRegion(options: RegionOptions): RegionSource {
  let opened: Promise<LiveRegion> | undefined;
  let name = options.region ?? '';
  const region = () => {
    opened ??= import('./live-region.ts').then(({ LiveRegion }) => new LiveRegion(options));
    return opened;
  };
  return {
    // Without an option it is the SDK that finds the region, when something is read.
    get description() {
      return { kind: 'live', name } as const;
    },
    facts: async (): Promise<RegionFacts> => {
      const live = await region();
      name = await live.region();
      return live.facts();
    },
    networkInterfaces: async (facts: RegionFacts, sink: EniSink): Promise<EniReading> =>
      (await region()).networkInterfaces(facts, sink),
  };
}
