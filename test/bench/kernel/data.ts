/**
 * The data sets of docs/performance.md, made anew from a seed: what each subnet holds, as dotted quads.
 *
 * S1: 50 subnets /20, 5,000 interfaces, 60,000 holdings. S2: 1,000 subnets /24 to /18, 100,000 interfaces, about 909,000 holdings, half of the subnets packed, half scattered. S3a: one /16 with one used
 * address in each /28. S3b: one /16, half of it used at random.
 */
import { blockSize, formatCidr, formatIpv4 } from '../../../lambdas/core/ip/ipv4.ts';

export interface BenchSubnet {
  readonly cidr: string;
  readonly addresses: readonly string[];
  readonly prefixes: readonly string[];
}

export const DATA_SETS = ['S1', 'S2', 'S3a', 'S3b', 'empty'] as const;
export type DataSet = (typeof DATA_SETS)[number];

const SEED = 20261130;

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function shuffled(count: number, next: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const held = order[i] as number;
    order[i] = order[j] as number;
    order[j] = held;
  }
  return order;
}

function fill(
  base: number,
  length: number,
  singles: number,
  prefixes: number,
  packed: boolean,
  next: () => number,
): BenchSubnet {
  const size = blockSize(length);
  const blocks = [...shuffled(size / 16 - 2, next)].map((block) => block + 1);
  const delegated = blocks.slice(0, prefixes);
  const taken = new Set(delegated);
  const addresses: string[] = [];
  if (packed) {
    for (let offset = 16; offset < size - 16 && addresses.length < singles; offset++) {
      if (!taken.has(offset >>> 4)) addresses.push(formatIpv4(base + offset));
    }
  } else {
    for (const offset of shuffled(size, next)) {
      if (addresses.length === singles) break;
      if (offset >= 4 && offset < size - 1 && !taken.has(offset >>> 4)) addresses.push(formatIpv4(base + offset));
    }
  }
  return {
    cidr: formatCidr({ base, length }),
    addresses,
    prefixes: delegated.map((block) => `${formatIpv4(base + block * 16)}/28`),
  };
}

/** Lays subnets one behind the other, each aligned to its own size. */
function region(
  lengths: readonly number[],
  of: (length: number, index: number, base: number) => BenchSubnet,
): BenchSubnet[] {
  let at = 10 * 2 ** 24;
  return lengths.map((length, index) => {
    const size = blockSize(length);
    at = Math.ceil(at / size) * size;
    const made = of(length, index, at);
    at += size;
    return made;
  });
}

/** `empty` is a /16 with as many holdings as S3a, packed: what a fragmented one is held against. */
export function dataSet(name: DataSet): readonly BenchSubnet[] {
  const next = random(SEED);
  switch (name) {
    case 'S1':
      return region(new Array<number>(50).fill(20), (length, index, base) =>
        fill(base, length, 1200, 0, index % 2 === 1, next),
      );
    case 'S2': {
      const lengths = Array.from(
        { length: 1000 },
        () => [24, 22, 21, 20, 20, 19, 18][Math.floor(next() * 7)] as number,
      );
      const room = lengths.reduce((sum, length) => sum + blockSize(length), 0);
      return region(lengths, (length, index, base) => {
        const share = blockSize(length) / room;
        const prefixes = Math.min(blockSize(length) / 16 - 4, Math.round(36_000 * share));
        const singles = Math.min(Math.floor((blockSize(length) - 16 * prefixes) * 0.6), Math.round(873_000 * share));
        return fill(base, length, singles, prefixes, index % 2 === 1, next);
      });
    }
    case 'S3a': {
      const base = 10 * 2 ** 24;
      const addresses = Array.from({ length: 4096 }, (_, block) =>
        formatIpv4(base + block * 16 + 4 + Math.floor(next() * 11)),
      );
      return [{ cidr: '10.0.0.0/16', addresses, prefixes: [] }];
    }
    case 'S3b':
      return [fill(10 * 2 ** 24, 16, 32_768, 0, false, next)];
    case 'empty':
      return [fill(10 * 2 ** 24, 16, 4096, 0, true, next)];
  }
}
