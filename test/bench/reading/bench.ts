/** Reading: pages over HTTP, and whole regions (goals G3 to G6 and G10 of docs/performance.md). The server is a process of its own, its pages ready in memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Compared, compare, type SideSpec } from '../measure.ts';
import { pythonHas } from '../python.ts';
import { SUBNETS_PER_VPC } from './region.ts';

const here = (name: string) => join(import.meta.dirname, name);

interface Served {
  readonly url: string;
  readonly enis: number;
  readonly pages: number;
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

const side = (name: string, url: string, vpcs: number, sequences: number, flags: readonly string[] = []): SideSpec => ({
  name,
  command: process.execPath,
  args: [...flags, here('sides.ts'), name, url, String(vpcs), String(sequences)],
});

const pythonSide = (python: string, name: string, url: string, vpcs: number): SideSpec => ({
  name,
  command: python,
  args: [here('sides.py'), name, url, String(vpcs)],
});

export interface ReadingResults {
  /** Page size in megabytes and figures, by addresses on an interface. */
  readonly pages: Readonly<Record<string, { readonly megabytes: number; readonly sides: readonly Compared[] }>>;
  readonly s2: readonly Compared[];
  readonly s2At300ms: readonly Compared[];
  /** The product alone, on ten times the pages and with a small old space. */
  readonly growth: readonly Compared[];
}

/** VPCs of S2. */
const S2_VPCS = 1000 / SUBNETS_PER_VPC;
/** Of the pages alone: one VPC to warm up, two that count, 10 pages. */
const PAGE_VPCS = 3;

export async function benchReading(rounds: number, python: string | undefined): Promise<ReadingResults> {
  const boto3 = python !== undefined && pythonHas(python, 'boto3') ? python : undefined;
  const pages: Record<string, { megabytes: number; sides: readonly Compared[] }> = {};
  for (const addresses of ['9', '22']) {
    pages[addresses] = await serving([String(PAGE_VPCS * SUBNETS_PER_VPC), addresses], async ({ url, megabytes }) => {
      const sides = [side('scanner', url, PAGE_VPCS, 1), side('paginator', url, PAGE_VPCS, 1)];
      if (boto3 !== undefined) sides.push(pythonSide(boto3, 'boto3-pages', url, PAGE_VPCS));
      return { megabytes, sides: await compare(sides, rounds) };
    });
  }
  const s2 = await serving(['1000', 's2'], async ({ url }) => {
    const sides = [side('headroom', url, S2_VPCS, 1), side('sdk', url, S2_VPCS, 1)];
    if (boto3 !== undefined) sides.push(pythonSide(boto3, 'boto3', url, S2_VPCS));
    return compare(sides, rounds);
  });
  const s2At300ms = await serving(['1000', 's2', '300'], ({ url }) =>
    compare([side('headroom', url, S2_VPCS, 8), side('sdk', url, S2_VPCS, 8)], rounds),
  );
  const smallSpace = await serving(['1000', '9'], ({ url }) =>
    compare([{ ...side('headroom', url, S2_VPCS, 8, ['--max-old-space-size=64']), name: '100 pages' }], rounds),
  );
  const tenTimes = await serving(['10000', '9'], ({ url }) =>
    compare([{ ...side('headroom', url, 10 * S2_VPCS, 8), name: '1000 pages' }], Math.min(rounds, 3)),
  );
  const tenPages = await serving(['100', '9'], ({ url }) =>
    compare([{ ...side('headroom', url, S2_VPCS / 10, 8), name: '10 pages' }], rounds),
  );
  return { pages, s2, s2At300ms, growth: [...tenPages, ...smallSpace, ...tenTimes] };
}
