/** The kernel: addresses in, ledger out (goals G1, G2 and G10 of docs/performance.md). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Compared, compare, type SideSpec } from '../measure.ts';
import { pythonHas } from '../python.ts';
import { type DataSet, dataSet } from './data.ts';

const SIDE = join(import.meta.dirname, 'side.ts');
const PYTHON_SIDE = join(import.meta.dirname, 'side.py');

const node = (name: string, set: DataSet): SideSpec => ({ name, command: process.execPath, args: [SIDE, name, set] });

/** @param python the interpreter, or `undefined` for none. */
function sides(set: DataSet, folder: string, python: string | undefined): SideSpec[] {
  const list = [...['strings', 'integers', 'floor', 'cidr-tools', 'set'].map((name) => node(name, set))];
  if (python === undefined) return list;
  const file = join(folder, `${set}.json`);
  writeFileSync(file, JSON.stringify(dataSet(set)));
  const names = ['bytearray', 'ipaddress', ...(pythonHas(python, 'netaddr') ? ['netaddr'] : [])];
  return [...list, ...names.map((name) => ({ name, command: python, args: [PYTHON_SIDE, name, file] }))];
}

export async function benchKernel(
  rounds: number,
  python: string | undefined,
): Promise<Record<string, readonly Compared[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'));
  try {
    const results: Record<string, readonly Compared[]> = {};
    for (const set of ['S1', 'S2', 'S3a', 'S3b'] as const)
      results[set] = await compare(sides(set, folder, python), rounds);
    // A fragmented /16 against a packed one with as many holdings: each against the same program on the other data.
    const fragmented: SideSpec = { ...node('strings', 'S3a'), name: 'fragmented' };
    const packed: SideSpec = { ...node('strings', 'empty'), name: 'packed' };
    const [first] = await compare([packed], rounds);
    const [second] = await compare([fragmented], rounds);
    results.fragmentedAgainstPacked = [first as Compared, second as Compared];
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
