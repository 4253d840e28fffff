/**
 * Two or more ways to the same answer, each in processes of its own, in turn: A B C A B C ... These machines are shared and their speed drifts, so only ratios within a
 * round count, and of those the median.
 */
import { spawn } from 'node:child_process';

export interface SideSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What a side prints on its last line of standard output. */
export interface SideResult {
  readonly ms: number;
  /** Equal digests: equal answers. Sides that have none to compare leave it out. */
  readonly digest?: string;
  /** Further figures, by name. */
  readonly [figure: string]: number | string | undefined;
}

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface Compared {
  readonly name: string;
  /** Every figure that the side printed. */
  readonly figures: Readonly<Record<string, Spread>>;
  /** This side's milliseconds over the first side's, round by round. */
  readonly ratio: Spread;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number;
  return { min: at(0), median: at(0.5), max: at(1) };
}

async function runSide(side: SideSpec): Promise<SideResult> {
  const child = spawn(side.command, side.args, {
    env: { ...process.env, ...side.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (status !== 0) throw new Error(`${side.name} ended with status ${status}`);
  const lines = Buffer.concat(chunks).toString().trim().split('\n');
  return JSON.parse(lines.at(-1) as string) as SideResult;
}

/** The sides answered differently: no time of theirs counts. */
export class DifferentAnswers extends Error {
  override readonly name = 'DifferentAnswers';
}

/**
 * Runs the sides in turn, `rounds` times. The first side is what the others are held against.
 *
 * @throws DifferentAnswers where digests differ.
 */
export async function compare(sides: readonly SideSpec[], rounds: number): Promise<readonly Compared[]> {
  const results = new Map<string, SideResult[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) results.get(side.name)?.push(await runSide(side));
    if (round === 0) assertSameAnswers(results);
  }
  const reference = results.get((sides[0] as SideSpec).name) as SideResult[];
  return sides.map(({ name }) => {
    const own = results.get(name) as SideResult[];
    const names = Object.keys(own[0] as SideResult).filter((figure) => typeof own[0]?.[figure] === 'number');
    return {
      name,
      figures: Object.fromEntries(
        names.map((figure) => [figure, spread(own.map((result) => result[figure] as number))]),
      ),
      ratio: spread(own.map((result, round) => result.ms / (reference[round] as SideResult).ms)),
    };
  });
}

function assertSameAnswers(results: ReadonlyMap<string, readonly SideResult[]>): void {
  const digests = [...results].flatMap(([name, [first]]) =>
    first?.digest === undefined ? [] : [[name, first.digest] as const],
  );
  const [reference] = digests;
  for (const [name, digest] of digests) {
    if (reference !== undefined && digest !== reference[1]) {
      throw new DifferentAnswers(`${name} answers ${digest}, ${reference[0]} answers ${reference[1]}`);
    }
  }
}
