/** Reading: pages over HTTP, and whole regions (goals G3 to G6 and G10 of docs/performance.md). The server is a process of its own, its pages ready in memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { REQUIRE_FOR_COMMONJS, ROOT } from '../../../lib/function/bundle-options.ts';
import { compile } from '../../../lib/function/compile.ts';
import { type Compared, compare, type SideSpec } from '../measure.ts';
import { pythonHas } from '../python.ts';
import { ENIS_PER_SUBNET, SUBNETS_PER_VPC } from './region.ts';
import { GROWTH_ROWS } from './rows.ts';

const here = (name: string) => join(import.meta.dirname, name);

interface Served {
  readonly url: string;
  readonly enis: number;
  readonly megabytes: number;
}

async function serving<T>(args: readonly string[], use: (served: Served) => Promise<T>): Promise<T> {
  const child: ChildProcess = spawn(process.execPath, [here('server.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const served = await new Promise<Served>((resolve, reject) => {
      lines.once('line', (line) => resolve(JSON.parse(line) as Served));
      child.once('error', reject);
      child.once('exit', (status) => reject(new Error(`the server ended with status ${status}`)));
    });
    return await use(served);
  } finally {
    child.stdin?.end();
  }
}

const OURS = ['scanner', 'headroom'] as const;
const THEIRS = ['paginator', 'sdk'] as const;
type NodeSide = (typeof OURS)[number] | (typeof THEIRS)[number];

/**
 * Our sides are compiled as the functions are, the SDK's as anybody would: run from where it is installed, half of the memory and of the garbage collection of either would be the SDK's 700 calls'.
 */
async function compileSides(folder: string): Promise<void> {
  const entry = (name: string) => `test/bench/reading/sides/${name}.ts`;
  for (const name of OURS) {
    await compile(entry(name), join(folder, name), (file) => console.error(`${file} could not be pruned`));
  }
  for (const name of THEIRS) {
    await build({
      absWorkingDir: ROOT,
      entryPoints: [entry(name)],
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: { js: REQUIRE_FOR_COMMONJS },
      minify: true,
      outfile: join(folder, name, 'index.mjs'),
      logLevel: 'warning',
    });
  }
}

export interface ReadingResults {
  /** Page size in megabytes and figures, by addresses on an interface. */
  readonly pages: Readonly<Record<string, { readonly megabytes: number; readonly sides: readonly Compared[] }>>;
  readonly s2: readonly Compared[];
  readonly s2At300ms: readonly Compared[];
  /** The product alone: fewer pages, more in the same subnets, a small old space. */
  readonly growth: readonly Compared[];
}

/** VPCs of S2. */
const S2_VPCS = 1000 / SUBNETS_PER_VPC;
/** Of the pages alone: two VPCs to warm up, four that count, 20 pages. */
const PAGE_VPCS = 6;

export async function benchReading(rounds: number, python: string | undefined): Promise<ReadingResults> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-bench-'));
  try {
    await compileSides(folder);
    return await readAll(folder, rounds, python !== undefined && pythonHas(python, 'boto3') ? python : undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readAll(folder: string, rounds: number, boto3: string | undefined): Promise<ReadingResults> {
  const side = (
    name: NodeSide,
    url: string,
    vpcs: number,
    sequences: number,
    flags: readonly string[] = [],
  ): SideSpec => ({
    name,
    command: process.execPath,
    args: [...flags, join(folder, name, 'index.mjs'), url, String(vpcs), String(sequences)],
  });
  const withBoto3 = (name: string, url: string, vpcs: number): SideSpec[] =>
    boto3 === undefined ? [] : [{ name, command: boto3, args: [here('sides/with_boto3.py'), name, url, String(vpcs)] }];
  const pages: Record<string, { megabytes: number; sides: readonly Compared[] }> = {};
  for (const addresses of ['9', '22']) {
    pages[addresses] = await serving([String(PAGE_VPCS * SUBNETS_PER_VPC), addresses], async ({ url, megabytes }) => {
      const sides = [side('scanner', url, PAGE_VPCS, 1), side('paginator', url, PAGE_VPCS, 1)];
      return { megabytes, sides: await compare([...sides, ...withBoto3('boto3-pages', url, PAGE_VPCS)], rounds) };
    });
  }
  const s2 = await serving(['1000', 's2'], ({ url }) => {
    const sides = [side('headroom', url, S2_VPCS, 1), side('sdk', url, S2_VPCS, 1)];
    return compare([...sides, ...withBoto3('boto3', url, S2_VPCS)], rounds);
  });
  const s2At300ms = await serving(['1000', 's2', '300'], ({ url }) =>
    compare([side('headroom', url, S2_VPCS, 8), side('sdk', url, S2_VPCS, 8)], rounds),
  );
  const alone = (
    name: string,
    vpcs: number,
    times: number,
    flags: readonly string[] = [],
    enisPerSubnet = ENIS_PER_SUBNET,
  ) =>
    serving([String(vpcs * SUBNETS_PER_VPC), '9', '0', String(enisPerSubnet)], ({ url }) =>
      compare([{ ...side('headroom', url, vpcs, 8, flags), name }], times),
    );
  const growth = [
    ...(await alone(GROWTH_ROWS.tenPages, S2_VPCS / 10, rounds)),
    ...(await alone(GROWTH_ROWS.hundredPages, S2_VPCS, rounds)),
    ...(await alone(GROWTH_ROWS.smallSpace, S2_VPCS, rounds, ['--max-old-space-size=64'])),
    ...(await alone(GROWTH_ROWS.thousandPages, S2_VPCS, Math.min(rounds, 3), [], 10 * ENIS_PER_SUBNET)),
  ];
  return { pages, s2, s2At300ms, growth };
}
