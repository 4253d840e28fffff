/** Bytes cut into chunks, or broken, at random. */
import type { Pick } from './eni-pages.ts';

/** Cuts bytes at random places; up to `most` chunks. */
export function cut(bytes: Uint8Array, pick: Pick, most: number): Uint8Array[] {
  const places = Array.from({ length: pick(most) }, () => pick(bytes.length + 1)).sort((a, b) => a - b);
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const to of [...places, bytes.length]) {
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}

/** Breaks a page: bytes changed, removed, doubled or moved. */
export function mutate(bytes: Buffer, pick: Pick): Buffer {
  const at = pick(bytes.length);
  const length = 1 + pick(pick(4) === 0 ? 400 : 6);
  const piece = bytes.subarray(at, at + length);
  switch (pick(5)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    case 2: {
      const marks = [
        '<',
        '>',
        '/',
        '&',
        '"',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '?>',
        '&#38;',
        '\r',
        '\u0000',
        '\ufeff',
        '<item>',
        '</item>',
        '<x a=b>',
        ' ',
        '\n',
      ];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(marks[pick(marks.length)] as string),
        bytes.subarray(at),
      ]);
    }
    case 3: {
      const to = pick(bytes.length);
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
    }
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = pick(256);
      return copy;
    }
  }
}
