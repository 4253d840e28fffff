/** The maps of every subnet over time, as one run of bytes: the first frame whole, each later one by what changed. */
import { ByteReader, ByteWriter } from './bytes.ts';

/** @param frames equally long, one byte a block, all subnets one after the other. */
export function packFrames(frames: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter();
  const [first = new Uint8Array()] = frames;
  writer.integer(frames.length);
  writer.integer(first.length);
  writer.bytes(first);
  for (let frame = 1; frame < frames.length; frame++) {
    const before = frames[frame - 1] as Uint8Array;
    const after = frames[frame] as Uint8Array;
    const changed: number[] = [];
    for (let block = 0; block < after.length; block++) if (before[block] !== after[block]) changed.push(block);
    writer.integer(changed.length);
    let last = 0;
    for (const block of changed) {
      writer.integer(block - last);
      writer.byte(after[block] as number);
      last = block;
    }
  }
  return writer.done();
}

/** @returns the frames that were packed; frames in which nothing changed are the same array. */
export function unpackFrames(packed: Uint8Array): readonly Uint8Array[] {
  const reader = new ByteReader(packed);
  const count = reader.integer();
  const length = reader.integer();
  if (count === 0) return [];
  const frames = [reader.bytes(length)];
  for (let frame = 1; frame < count; frame++) {
    const before = frames[frame - 1] as Uint8Array;
    const changes = reader.integer();
    if (changes === 0) {
      frames.push(before);
      continue;
    }
    const after = before.slice();
    let block = 0;
    for (let change = 0; change < changes; change++) {
      block += reader.integer();
      after[block] = reader.byte();
    }
    frames.push(after);
  }
  return frames;
}
