/**
 * The ledger worked out the slow and plain way: a set of address numbers, a walk over every address, no bit and no block arithmetic shared with the core.
 * Written from the definitions of the public contract alone; it is the oracle that the core is held to.
 */

export interface NaiveEni {
  readonly id: string;
  /** Dotted quads. */
  readonly addresses: readonly string[];
  /** `a.b.c.d/28`. */
  readonly prefixes: readonly string[];
}

export interface NaiveReservation {
  readonly cidr: string;
  readonly type: 'prefix' | 'explicit';
}

function toNumber(quad: string): number {
  return quad.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function listOf(cidr: string): number[] {
  const [base, length] = cidr.split('/') as [string, string];
  const first = toNumber(base);
  return Array.from({ length: 2 ** (32 - Number(length)) }, (_, i) => first + i);
}

function intersect(a: Set<number>, b: Set<number>): Set<number> {
  return new Set([...a].filter((x) => b.has(x)));
}

function minus(a: Set<number>, ...others: Set<number>[]): Set<number> {
  return new Set([...a].filter((x) => others.every((other) => !other.has(x))));
}

export function naiveLedger(
  cidr: string,
  enis: readonly NaiveEni[],
  reservations: readonly NaiveReservation[],
  availableIps: number,
) {
  const all = listOf(cidr);
  const everything = new Set(all);
  const aws = new Set([all[0], all[1], all[2], all[3], all[all.length - 1]] as number[]);
  const usable = minus(everything, aws);

  const delegatedBases = new Set<number>();
  const used = new Set<number>();
  for (const eni of enis) {
    for (const address of eni.addresses) if (usable.has(toNumber(address))) used.add(toNumber(address));
    for (const prefix of eni.prefixes) {
      const inside = listOf(prefix);
      if (!inside.every((address) => everything.has(address))) continue;
      delegatedBases.add(inside[0] as number);
      for (const address of inside) if (usable.has(address)) used.add(address);
    }
  }
  const free = minus(usable, used);

  const covered = (type: string) =>
    new Set(
      reservations.filter((r) => r.type === type).flatMap((r) => listOf(r.cidr).filter((a) => everything.has(a))),
    );
  const prefixSpace = covered('prefix');
  const explicitSpace = covered('explicit');
  const P = intersect(free, prefixSpace).size;
  const X = intersect(free, explicitSpace).size;

  const gap = free.size - availableIps;
  let unaccountedIps = 0;
  let skewIps = 0;
  if (gap < 0) skewIps = -gap;
  else if (![0, P, X, P + X].includes(gap)) unaccountedIps = gap - P - X > 0 ? gap - P - X : gap;

  const aligned: number[][] = [];
  for (let i = 0; i < all.length; i += 16) aligned.push(all.slice(i, i + 16));
  const holdsAws = (block: number[]) => block.some((a) => aws.has(a));
  const isDelegated = (block: number[]) => delegatedBases.has(block[0] as number);
  const kinds = aligned.map((block) =>
    isDelegated(block) ? 'delegated' : holdsAws(block) ? 'edge' : block.some((a) => used.has(a)) ? 'occupied' : 'free',
  );
  const number = (kind: string) => kinds.filter((k) => k === kind).length;
  const freeBlocks = aligned.filter((_, i) => kinds[i] === 'free');
  const freeInPrefix = freeBlocks.filter((b) => b.every((a) => prefixSpace.has(a))).length;
  const freeInExplicit = freeBlocks.filter((b) => b.some((a) => explicitSpace.has(a))).length;
  const freePrefixes = freeBlocks.length - freeInExplicit;

  const eligible = aligned.filter((b) => !holdsAws(b) && !b.some((a) => explicitSpace.has(a)));
  const eligibleAddresses = new Set(eligible.flat());
  const delegatedAddresses = new Set(aligned.filter(isDelegated).flat());
  const p = eligible.filter(isDelegated).length;
  const s = minus(used, delegatedAddresses, explicitSpace).size;
  const slack = minus(everything, eligibleAddresses, aws, explicitSpace, delegatedAddresses).size;
  const bestCase = Math.max(0, eligible.length - p - Math.ceil(Math.max(0, s - slack) / 16));

  let min = freePrefixes;
  let max = freePrefixes;
  if (unaccountedIps > 0) {
    const u = unaccountedIps;
    min = Math.max(0, freePrefixes - u);
    max = Math.max(0, Math.min(freePrefixes, Math.floor((free.size - X - Math.max(0, u - X)) / 16)));
  } else if (skewIps > 0) {
    max = Math.min(freePrefixes + skewIps, eligible.length);
  }

  const byLength: { [length: string]: number } = {};
  const ownLength = Number(cidr.split('/')[1]);
  for (let length = ownLength; length <= 28; length++) {
    const size = 2 ** (32 - length);
    let count = 0;
    for (let i = 0; i < all.length; i += size) {
      const run = all.slice(i, i + size);
      if (run.every((a) => !used.has(a) && !aws.has(a) && !explicitSpace.has(a))) {
        count++;
      }
    }
    byLength[length] = count;
  }
  const lengths = Object.keys(byLength).map(Number);
  const largest = lengths.filter((l) => (byLength[l] as number) > 0).sort((a, b) => a - b)[0] ?? null;

  return {
    usableIps: usable.size,
    usedIps: used.size,
    freeIps: free.size,
    availableIps,
    reservedFreeIps: { prefix: P, explicit: X },
    unaccountedIps,
    skewIps,
    confidence: unaccountedIps > 0 ? 'partial' : skewIps > 0 ? 'skewed' : 'exact',
    blocks: {
      total: aligned.length,
      delegated: number('delegated'),
      edge: number('edge'),
      occupied: number('occupied'),
      free: number('free'),
      freeInPrefixReservation: freeInPrefix,
      freeInExplicitReservation: freeInExplicit,
    },
    freePrefixes,
    freePrefixesRange: { min, max },
    strandedIps: free.size - X - 16 * freePrefixes,
    bestCaseFreePrefixes: bestCase,
    fragmentation: bestCase === 0 ? null : Math.round((1 - freePrefixes / bestCase) * 1e6) / 1e6,
    freeBlocksByLength: byLength,
    largestFreeBlockLength: largest,
  };
}
