/**
 * Scale, on the EC2 simulator: a region ten times the size of S2, and how reading behaves where EC2's rate is enforced and somebody else uses it (goal G9 of docs/performance.md).
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { compile } from '../../../lib/function/compile.ts';

const here = (name: string) => join(import.meta.dirname, name);

/** A child that speaks JSON by lines. */
class Child {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, args);
    this.child.stderr.pipe(process.stderr);
    const lines: Interface = createInterface({ input: this.child.stdout });
    this.lines = lines[Symbol.asyncIterator]();
  }

  async next<T>(): Promise<T> {
    const line = await this.lines.next();
    if (line.done === true) throw new Error('the process ended without an answer');
    return JSON.parse(line.value) as T;
  }

  /** Ends its input, and takes what it says at the end. */
  finish<T>(): Promise<T> {
    this.child.stdin.end();
    return this.next<T>();
  }
}

export interface ReadFigures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly interfaces: number;
  readonly subnets: number;
  readonly vpcs: number;
  readonly throttled: number;
}

interface Asked {
  readonly calls: number;
  readonly throttled: number;
}

async function read(reader: string, oldSpaceMb: number, args: readonly string[], apiShare: number, compete: boolean) {
  const server = new Child([here('server.ts'), ...args]);
  const { url } = await server.next<{ url: string }>();
  const other = compete ? new Child([here('compete.ts'), url]) : undefined;
  const figures = await new Child([...flags(oldSpaceMb), reader, url, String(apiShare)]).next<ReadFigures>();
  const others = await other?.finish<{ asked: number; refused: number }>();
  const asked = await server.finish<Asked>();
  return { figures, asked, others };
}

/** An old space of so many megabytes. */
const flags = (oldSpaceMb: number) => [`--max-old-space-size=${oldSpaceMb}`];
/** Enough for S2; ten thousand subnets alone, without an interface, take more. */
const SMALL = 64;
const LARGE = 256;

export async function benchScale() {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'));
  try {
    // Compiled as the functions are: what the command loads of the SDK is half of what its process holds.
    await compile('test/bench/scale/read.ts', folder, (file) => console.error(`${file} could not be pruned`));
    return await readAll(join(folder, 'index.mjs'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readAll(reader: string) {
  const s2 = await read(reader, SMALL, ['1000', '100000', '9'], 1, false);
  const large = await read(reader, LARGE, ['10000', '1000000', '9'], 1, false);
  const contended = await read(reader, SMALL, ['1000', '100000', '9', 'throttled'], 0.25, true);
  const { figures, asked, others } = contended;
  const ownCalls = asked.calls - (others?.asked ?? 0);
  return {
    s2: s2.figures,
    large: large.figures,
    contended: {
      seconds: figures.ms / 1000,
      calls: ownCalls,
      allowedByGoal: Math.ceil(figures.interfaces / 1000) + figures.vpcs + 5,
      throttled: figures.throttled,
      othersAsked: others?.asked ?? 0,
      othersRefused: others?.refused ?? 0,
    },
  };
}
