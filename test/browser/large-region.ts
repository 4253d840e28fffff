/**
 * A large region: 1,000 subnets of /18 to /21 with 100,000 interfaces that hold nine addresses each, and a third of them a prefix; half of the subnets
 * filled in order, half at random. Ids are random, as real ones are: sequential ones would compress to nothing.
 */
import type { ReportFrame } from '../../lambdas/core/report/html/page-data-of.ts';
import { cellByte, cellOf } from '../../lambdas/core/report/map/cell.ts';
import type { EniRecord, EniSink, RegionFacts, SubnetFacts } from '../../lambdas/core/subnet/snapshot.ts';
import { region, subnet, tags } from '../support/builders.ts';

const SUBNETS = 1000;
const ENIS = 100;
const IPS = 9;
const PREFIXES = 36;
const LENGTHS = [18, 19, 19, 20, 20, 21] as const;

/** Park and Miller's generator: small, and the same everywhere. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

function shuffled(length: number, next: (below: number) => number): number[] {
  const order = Array.from({ length }, (_, at) => at);
  for (let at = length - 1; at > 0; at--) {
    const other = next(at + 1);
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
  return order;
}

export interface LargeRegion {
  readonly facts: RegionFacts;
  readonly fill: (sink: EniSink) => void;
}

export function largeRegion(): LargeRegion {
  const next = random(20261130);
  const hex = (prefix: string) => `${prefix}0${Array.from({ length: 16 }, () => next(16).toString(16)).join('')}`;
  const subnets: SubnetFacts[] = [];
  const plans: ((sink: EniSink) => void)[] = [];
  let base = 10 * 2 ** 24;
  for (let n = 0; n < SUBNETS; n++) {
    const length = LENGTHS[next(LENGTHS.length)] as number;
    const size = 2 ** (32 - length);
    base = Math.ceil(base / size) * size;
    const facts: SubnetFacts = {
      ...subnet('10.0.0.0/28', {
        subnetId: hex('subnet-'),
        vpcId: `vpc-${String(Math.floor(n / 50)).padStart(17, '0')}`,
        availabilityZone: `us-east-1${'abc'[n % 3]}`,
        availabilityZoneId: `use1-az${(n % 3) + 1}`,
        availableIps: size - 5 - ENIS * IPS - PREFIXES * 16,
        tags: { Name: `private-${n}` },
      }),
      cidr: { base, length },
    };
    subnets.push(facts);
    plans.push(planOf(facts, base, size, n, next, hex));
    base += size;
  }
  return {
    facts: region(subnets, { region: 'us-east-1', account: '111111111111', now: Date.UTC(2026, 10, 30) }),
    fill: (sink) => {
      for (const plan of plans) plan(sink);
    },
  };
}

function planOf(
  { subnetId, vpcId }: SubnetFacts,
  base: number,
  size: number,
  n: number,
  next: (below: number) => number,
  hex: (prefix: string) => string,
): (sink: EniSink) => void {
  const blocks = shuffled(size / 16 - 2, next).map((block) => block + 1);
  const prefixes = blocks.slice(0, PREFIXES);
  const rest = blocks.slice(PREFIXES);
  const pool = (n % 2 === 1 ? rest.sort((a, b) => a - b) : rest).flatMap((block) =>
    Array.from({ length: 16 }, (_, at) => base + block * 16 + at),
  );
  const order = n % 2 === 1 ? pool.map((_, at) => at) : shuffled(pool.length, next);
  let instanceId = hex('i-');
  return (sink) => {
    for (let e = 0; e < ENIS; e++) {
      if (e % 3 === 0) instanceId = hex('i-');
      const addresses = order.slice(e * IPS, (e + 1) * IPS).map((at) => pool[at] as number);
      const prefix = prefixes[e];
      const record: EniRecord = {
        eniId: hex('eni-'),
        subnetId,
        vpcId,
        description: `aws-K8S-${instanceId}`,
        interfaceType: 'interface',
        status: 'in-use',
        ownerId: '111111111111',
        requesterManaged: false,
        operatorManaged: false,
        attachment: { instanceId, deviceIndex: e % 3, networkCardIndex: 0 },
        tags: tags({
          'cluster.k8s.amazonaws.com/name': `prod-${e % 9}`,
          'node.k8s.amazonaws.com/instance_id': instanceId,
        }),
        primary: addresses[0] as number,
        addresses,
        prefixes: prefix === undefined ? [] : [base + prefix * 16],
      };
      sink.add(record);
    }
  };
}

/** Share of the blocks that change from one reading to the next, in a thousand. */
const CHANGED = 5;

/** Earlier readings of the same region: in each some of the blocks were otherwise. The last is the one given. */
export function earlier(latest: ReportFrame, count: number): readonly ReportFrame[] {
  const next = random(7);
  const frames = [latest];
  for (let back = 1; back < count; back++) {
    const after = frames[0] as ReportFrame;
    const cells = new Map([...after.cells].map(([id, bytes]) => [id, otherwise(bytes, next)]));
    const now = new Date(Date.UTC(2026, 10, 30) - back * 3_600_000).toISOString();
    const subnets = after.document.subnets.map((one) =>
      one.applicable ? { ...one, availableIps: Math.max(0, one.availableIps - next(20) + 8) } : one,
    );
    const { source } = after.document;
    frames.unshift({ cells, document: { ...after.document, subnets, source: { ...source, now } } });
  }
  return frames;
}

function otherwise(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const changed = bytes.slice();
  for (let at = 1; at < bytes.length - 1; at++) {
    if (next(1000) >= CHANGED || cellOf(bytes[at] as number).state === 'edge') continue;
    const used = next(17);
    changed[at] = cellByte({ state: used === 0 ? 'free' : 'occupied', reservation: null, used });
  }
  return changed;
}
