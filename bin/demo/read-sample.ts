/** Reads the sample region as any region is read: over HTTP, with the AWS SDK. */
import { openRegion } from '../../lambdas/adapters/live/open-region.ts';
import { type Measurement, measure } from '../../lambdas/app/measure.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { documentOf } from '../../lambdas/core/report/document.ts';
import { explainedDocument } from '../../lambdas/core/report/explained.ts';
import type { RegionSource } from '../../lambdas/ports/region-source.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { SAMPLE_NOW, SAMPLE_REGION, sampleRegion } from './sample-region.ts';

/** Signs requests and opens nothing. */
const CREDENTIALS = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };

export interface ReadSample {
  /** Of the whole region. */
  readonly region: HeadroomDocument;
  /** Of the fragmented subnet. */
  readonly subnet: HeadroomDocument;
  readonly url: string;
  /** Calls that the simulator answered. */
  readonly calls: number;
}

/** Starts the simulator with the sample region and hands over its source; stops it in any case. */
export async function withSampleRegion<T>(
  use: (source: RegionSource, simulator: Simulator, fragmented: string) => Promise<T>,
  options: Partial<Parameters<typeof openRegion>[0]> = {},
): Promise<T> {
  const { world, fragmented } = sampleRegion();
  const simulator = await startSimulator(world);
  try {
    const source = openRegion({
      region: SAMPLE_REGION,
      endpoint: simulator.url,
      credentials: CREDENTIALS,
      now: SAMPLE_NOW,
      ...options,
    });
    return await use(source, simulator, fragmented);
  } finally {
    await simulator.close();
  }
}

export function readSampleRegion(): Promise<ReadSample> {
  return withSampleRegion(async (source, simulator, subnetId) => {
    const measured: Measurement = await measure(source, {}, { keep: new Set([subnetId]) });
    const input = { ...measured, description: source.description, generatedAt: Date.now() };
    return {
      region: documentOf(input),
      subnet: explainedDocument({ ...input, subnetId, occupancy: measured.occupancy.subnets.get(subnetId) }),
      url: simulator.url,
      calls: simulator.calls.length,
    };
  });
}
