/**
 * Writes what a region answered as a folder that {@link openFolder} reads: the folder of `observe --out`.
 *
 * Everything goes to a place of its own first and gets its name at the end, so that a run that was cut off leaves no folder that looks whole.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../../core/input/input-error.ts';
import { Place } from '../../core/input/place.ts';
import type { InputName } from '../../core/subnet/snapshot.ts';
import type { RawAnswers } from '../../ports/raw-answers.ts';
import type { Redaction } from '../redaction/redaction.ts';
import { fileError } from './file-errors.ts';
import { rewriteFile } from './rewrite-file.ts';

export interface SnapshotWriterOptions {
  /** Takes out whose the answers are before anything is written. */
  readonly redaction?: Redaction;
}

export interface SnapshotWriter extends RawAnswers {
  /** Appends one document, or one page, to the input's file. Times may be Dates. */
  write(input: InputName, document: object): Promise<void>;
  /** Appends a page of network interfaces, in the shape of the list's items. */
  networkInterfacesPage(items: readonly unknown[]): Promise<void>;
  /**
   * Gives the folder its name. @param read inputs that were read to the end: one of which no document came is written as empty, so that it does not count
   * as one that nobody gave.
   */
  commit(read?: Iterable<InputName>): Promise<void>;
  /** Leaves nothing behind. Harmless after `commit` or a second time. */
  abort(): Promise<void>;
}

/** What the inputs that can be empty print when they are. The others hold one thing, or cannot be told apart from not being there. */
const EMPTY_DOCUMENTS: Partial<Readonly<Record<InputName, object>>> = {
  'network-interfaces': { NetworkInterfaces: [] },
  'cidr-reservations': { SubnetIpv4CidrReservations: [], SubnetIpv6CidrReservations: [] },
  vpcs: { Vpcs: [] },
  'route-tables': { RouteTables: [] },
  'network-acls': { NetworkAcls: [] },
  'availability-zones': { AvailabilityZones: [] },
  instances: { Reservations: [] },
  'instance-types': { InstanceTypes: [] },
  clusters: { clusters: [] },
  nodegroups: { nodegroups: [] },
  addons: { addons: [] },
};

const WANTED = 'the name of a folder that is new or empty';

/**
 * Opens a snapshot folder for writing.
 * Errors: `EXISTS` where the folder holds anything; `UNREADABLE`, `NOT_FOUND` where it cannot be made.
 */
export async function openSnapshotWriter(folder: string, options: SnapshotWriterOptions = {}): Promise<SnapshotWriter> {
  const place = Place.of(folder === '' ? '""' : folder);
  if (folder === '') throw new InputError('NOT_FOUND', place, { found: 'is no name', expected: WANTED });
  const target = resolve(folder);
  const exists = await isEmptyFolder(target, place);
  const hidden = `.${basename(target)}.partial-${randomBytes(6).toString('hex')}`;
  // A folder that is there may be a mount point or somebody's working directory: it is filled, never replaced.
  const partial = join(exists ? target : dirname(target), hidden);
  await mkdir(partial).catch((cause: unknown) => {
    const inside = Place.of(exists ? folder : dirname(folder));
    throw fileError(cause, inside, 'a folder to write the snapshot into');
  });
  return new FolderWriter({ target, exists, partial, place }, options.redaction);
}

/** Whether there is an empty folder. Errors: `EXISTS` where there is anything else. */
async function isEmptyFolder(target: string, place: Place): Promise<boolean> {
  try {
    const names = await readdir(target);
    if (names.length === 0) return true;
    const found = `holds ${names.length === 1 ? '1 file' : `${names.length} files`} already`;
    throw new InputError('EXISTS', place, { found, expected: WANTED });
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const error = fileError(cause, place, WANTED);
    if (error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

interface Location {
  readonly target: string;
  readonly exists: boolean;
  readonly partial: string;
  readonly place: Place;
}

/** A file with one document, or a list of them: which it is, the second one tells. */
class DocumentFile {
  readonly #handle: FileHandle;
  #first: string | undefined;
  #several = false;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async append(text: string): Promise<void> {
    if (this.#several) await this.#handle.appendFile(`,\n${text}`);
    else if (this.#first === undefined) this.#first = text;
    else {
      this.#several = true;
      const first = this.#first;
      this.#first = '';
      await this.#handle.appendFile(`[\n${first},\n${text}`);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#handle.appendFile(this.#several ? '\n]\n' : `${this.#first ?? ''}\n`);
    } finally {
      await this.#handle.close();
    }
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
  }
}

class FolderWriter implements SnapshotWriter {
  readonly #location: Location;
  readonly #redaction: Redaction | undefined;
  readonly #files = new Map<InputName, Promise<DocumentFile>>();
  /** Writes happen one after the other, whoever calls: pages of several shards come at once. */
  #queue: Promise<void> = Promise.resolve();
  #over = false;

  constructor(location: Location, redaction: Redaction | undefined) {
    this.#location = location;
    this.#redaction = redaction;
  }

  write(input: InputName, document: object): Promise<void> {
    const written = this.#queue.then(() => {
      this.#mustBeOpen();
      return this.#append(input, this.#redaction?.take(input, document) ?? document);
    });
    // A failed write is told to its caller; it must not fail those behind it in place of their own outcome.
    this.#queue = written.catch(() => {});
    return written;
  }

  networkInterfacesPage(items: readonly unknown[]): Promise<void> {
    return this.write('network-interfaces', { NetworkInterfaces: items });
  }

  async commit(read: Iterable<InputName> = []): Promise<void> {
    for (const input of read) {
      const empty = EMPTY_DOCUMENTS[input];
      if (empty !== undefined && !this.#files.has(input)) await this.write(input, empty);
    }
    await this.#queue;
    this.#mustBeOpen();
    for (const file of this.#files.values()) await (await file).close();
    const inputs = [...this.#files.keys()];
    this.#files.clear();
    await this.#settle(inputs).catch((cause: unknown) => {
      throw fileError(cause, this.#location.place, 'a folder that can be written to, with room left');
    });
    await this.#publish().catch((cause: unknown) => {
      throw fileError(cause, this.#location.place, WANTED);
    });
    this.#over = true;
  }

  async abort(): Promise<void> {
    await this.#queue;
    if (this.#over) return;
    this.#over = true;
    for (const file of this.#files.values()) await file.then((opened) => opened.abandon()).catch(() => {});
    await rm(this.#location.partial, { recursive: true, force: true });
  }

  /** Names that were written before all of them were known get those that sort as the true ones do. */
  async #settle(inputs: readonly InputName[]): Promise<void> {
    const change = this.#redaction?.settle();
    if (change === undefined) return;
    for (const input of inputs) await rewriteFile(this.#pathOf(input), change);
  }

  #pathOf(input: InputName): string {
    return join(this.#location.partial, `${input}.json`);
  }

  async #append(input: InputName, document: object): Promise<void> {
    let file = this.#files.get(input);
    if (file === undefined) {
      file = open(this.#pathOf(input), 'wx').then((handle) => new DocumentFile(handle));
      this.#files.set(input, file);
    }
    try {
      await (await file).append(JSON.stringify(document, undefined, 1));
    } catch (cause) {
      throw fileError(cause, this.#location.place, 'a folder that can be written to, with room left');
    }
  }

  #mustBeOpen(): void {
    if (this.#over) throw new Error('the snapshot has been committed or aborted');
  }

  /** `subnets.json` comes last: without it a folder is no snapshot to anybody. */
  async #publish(): Promise<void> {
    const { target, exists, partial } = this.#location;
    if (!exists) return rename(partial, target);
    const names = await readdir(partial);
    names.sort((a, b) => Number(a === 'subnets.json') - Number(b === 'subnets.json'));
    for (const name of names) await rename(join(partial, name), join(target, name));
    return rmdir(partial);
  }
}
