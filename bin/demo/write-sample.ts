/** Writes examples/sample-region: what `observe` makes of the demo's region. `npm run sample`; a test holds the committed folder to it. */
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openSnapshotWriter } from '../../lambdas/adapters/files/snapshot-writer.ts';
import { measure } from '../../lambdas/app/measure.ts';
import { readInputs } from '../../lambdas/core/subnet/inputs.ts';
import { SAMPLE_FOLDER } from './demo-text.ts';
import { withSampleRegion } from './read-sample.ts';

/** @param folder new or empty. */
export async function writeSample(folder: string): Promise<void> {
  const writer = await openSnapshotWriter(folder);
  await withSampleRegion(
    async (source) => {
      const { facts, enis } = await measure(source);
      await writer.commit(readInputs(facts, enis));
    },
    { raw: writer },
  );
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL(`../../${SAMPLE_FOLDER}`, import.meta.url));
  await rm(folder, { recursive: true, force: true });
  await writeSample(folder);
}
