/**
 * What the sides have in common. Each is a file of its own, run in a process of its own: `node SIDE URL VPCS SEQUENCES` prints wall time, processor time, peak memory and the digest of what it found, as
 * JSON.
 */
import { type Answer, digest } from '../../kernel/digest.ts';
import { vpcId } from '../region.ts';

const [endpoint, vpcs, sequences] = process.argv.slice(2) as [string, string, string];

export const config = {
  region: 'us-east-1',
  endpoint,
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
};
/** Series of pages side by side. */
export const concurrency = Number(sequences);
const vpcIds = Array.from({ length: Number(vpcs) }, (_, index) => vpcId(index));

export const inVpc = (id: string) => ({ MaxResults: 1000, Filters: [{ Name: 'vpc-id', Values: [id] }] });

/** Works through the VPCs with so many at once. */
export async function eachVpc(work: (id: string) => Promise<void>): Promise<void> {
  const queue = [...vpcIds];
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await work(id);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function print(figures: object): void {
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/** VPCs of which the pages warm up: by the tenth page each side's code is compiled. */
const WARM_UP_VPCS = 2;

/** Pages alone: the first VPCs warm up, processor time of the others counts. `read` says how many addresses it has seen. */
export async function measurePages(read: (vpcId: string) => Promise<number>): Promise<void> {
  for (const id of vpcIds.slice(0, WARM_UP_VPCS)) await read(id);
  const before = process.cpuUsage();
  let addresses = 0;
  for (const id of vpcIds.slice(WARM_UP_VPCS)) addresses += await read(id);
  print({ ms: milliseconds(process.cpuUsage(before)), digest: String(addresses) });
}

/** A whole region, from the first call to the last answer. */
export async function measureRegion(read: () => Promise<readonly Answer[]>): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  const answers = await read();
  print({
    ms: performance.now() - start,
    cpuMs: milliseconds(process.cpuUsage(before)),
    peakMb: process.resourceUsage().maxRSS / 1024,
    digest: digest(answers),
  });
}
