import type { RegionSource } from '../../ports/region-source.ts';
import { LiveRegion } from './live-region.ts';
import type { RegionOptions } from './options.ts';

/**
 * A live region as a source of facts, with the SDK loaded at once: for functions, whose bundler can leave out of the SDK only what is imported at the top of a file. Errors as
 * in open-region.ts, which is for a command that may not need the SDK at all.
 */
export function liveSource(options: RegionOptions): RegionSource {
  const region = new LiveRegion(options);
  return {
    description: { kind: 'live', name: options.region ?? '' },
    facts: () => region.facts(),
    networkInterfaces: (facts, sink) => region.networkInterfaces(facts, sink),
  };
}
