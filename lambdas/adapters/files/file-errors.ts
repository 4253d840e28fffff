/** What the file system answers, and what the first bytes of a file say, in words of ours. */
import { InputError } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';

const FOUND: Readonly<Record<string, string>> = {
  EACCES: 'may not be read (permission denied)',
  EPERM: 'may not be read (operation not permitted)',
  ELOOP: 'is a loop of symbolic links',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not a folder',
  ENAMETOOLONG: 'is too long a name',
  EMFILE: 'cannot be opened (too many open files)',
  EIO: 'cannot be read (input/output error)',
  ENOSPC: 'has no room left',
  EROFS: 'is on a read-only file system',
};

/** The error for a failed call on a file or folder. Anything but an error of the file system is thrown on as it is. */
export function fileError(cause: unknown, place: Place, expected: string): InputError {
  // Not `instanceof Error`: what Node's own modules throw belongs to another realm where the code runs in a vm context.
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  if (typeof code !== 'string') throw cause;
  if (code === 'ENOENT') {
    return new InputError('NOT_FOUND', place, { found: 'is not there, or is a link to nothing', expected }, { cause });
  }
  if (code === 'ENOTEMPTY' || code === 'EEXIST') {
    return new InputError('EXISTS', place, { found: 'has been filled by somebody else', expected }, { cause });
  }
  const found = FOUND[code] ?? `cannot be used (${code})`;
  return new InputError('UNREADABLE', place, { found, expected }, { cause });
}

function startsWith(bytes: Uint8Array, ...head: readonly number[]): boolean {
  return bytes.length >= head.length && head.every((byte, index) => bytes[index] === byte);
}

/**
 * Looks at the first bytes of a file. @returns how many of them are a byte order mark of UTF-8, to be skipped.
 * Errors: `EMPTY`; `ENCODING` for UTF-16 and UTF-32, which PowerShell writes by default, and for gzip.
 */
export function checkEncoding(head: Uint8Array, place: Place, expected: string): number {
  if (head.length === 0) throw new InputError('EMPTY', place, { found: 'is an empty file', expected });
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return 3;
  // JSON starts with ASCII: a zero among the first bytes is half of a wider character.
  const wide = startsWith(head, 0xff, 0xfe) || startsWith(head, 0xfe, 0xff) || head.subarray(0, 4).includes(0);
  if (wide) {
    throw new InputError('ENCODING', place, {
      found: 'is UTF-16 text or no text at all',
      expected: 'UTF-8 (in PowerShell: pipe into "Out-File -Encoding utf8")',
    });
  }
  if (startsWith(head, 0x1f, 0x8b)) {
    throw new InputError('ENCODING', place, {
      found: 'is compressed by gzip',
      expected: 'the JSON itself (gunzip it)',
    });
  }
  return 0;
}
