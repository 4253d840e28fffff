import { readInputs } from '../../core/subnet/inputs.ts';
import type { EniReading, RegionFacts } from '../../core/subnet/snapshot.ts';
import { readingDocument } from '../describe/reading.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';

/** Gives the folder its name once everything was read, with word of how: a folder that holds a part must not look whole. */
export async function commitReading(writer: SnapshotWriter, facts: RegionFacts, enis: EniReading): Promise<void> {
  await writer.write('reading', readingDocument(facts, enis));
  await writer.commit(readInputs(facts, enis));
}
