import { openRegion } from '../../lambdas/adapters/live/open-region.ts';
import type { RegionOptions } from '../../lambdas/adapters/live/options.ts';
import type { RegionSource } from '../../lambdas/ports/region-source.ts';
import type { Simulator } from '../../simulator/index.ts';

/** 2026-11-30T12:00:00Z, for tests in which the time does not matter. */
const NOON = Date.UTC(2026, 10, 30, 12);

/** The real adapter, with the real SDK clients, reading a simulator over HTTP. */
export function liveRegion(simulator: Simulator, options: Partial<RegionOptions> = {}): RegionSource {
  return openRegion({
    region: simulator.world.region,
    endpoint: simulator.url,
    credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
    now: NOON,
    // The simulator has no neighbours that a share would have to be left to.
    apiShare: 1,
    ...options,
  });
}
