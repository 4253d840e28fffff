/** JSON that keeps maps and typed arrays: facts and occupancies as text, and back, exactly. */

/** Marks what JSON has no form for; no fact has a key that begins so. */
const MAP = '$map';
const WORDS = '$u16';
const BYTES = '$u8';

export function toText(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => {
    if (field instanceof Map) return { [MAP]: [...field] };
    if (field instanceof Uint16Array) return { [WORDS]: encodeWords(field) };
    if (field instanceof Uint8Array) return { [BYTES]: Buffer.from(field).toString('base64') };
    return field;
  });
}

/** @throws SyntaxError for text that is no JSON. */
export function fromText(text: string): unknown {
  return JSON.parse(text, (_, field: unknown) => {
    if (typeof field !== 'object' || field === null) return field;
    const marked = field as { readonly [MAP]?: unknown; readonly [WORDS]?: unknown; readonly [BYTES]?: unknown };
    if (Array.isArray(marked[MAP])) return new Map(marked[MAP] as readonly (readonly [unknown, unknown])[]);
    if (typeof marked[WORDS] === 'string') return decodeWords(marked[WORDS]);
    if (typeof marked[BYTES] === 'string') return new Uint8Array(Buffer.from(marked[BYTES], 'base64'));
    return field;
  });
}

/** Low byte first, whatever the machine. */
function encodeWords(words: Uint16Array): string {
  const bytes = Buffer.alloc(words.length * 2);
  for (let at = 0; at < words.length; at++) bytes.writeUInt16LE(words[at] as number, at * 2);
  return bytes.toString('base64');
}

function decodeWords(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'base64');
  const words = new Uint16Array(bytes.length / 2);
  for (let at = 0; at < words.length; at++) words[at] = bytes.readUInt16LE(at * 2);
  return words;
}
