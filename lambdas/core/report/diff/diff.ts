/** What changed between two readings of a region: by subnet, by holder, by /28, and in what is wrong. */
import type { DiffDocument, DiffHolder, DiffSubnet } from '../../../contract/diff-document.ts';
import type { DocumentSubnet, HeadroomDocument } from '../../../contract/document.ts';
import { BLOCK_IPS, BLOCK_LENGTH } from '../../ip/address-map.ts';
import { formatIpv4, parseCidr } from '../../ip/ipv4.ts';
import { isFullSubnet } from '../ledger-words.ts';
import { type Cell, cellOf } from '../map/cell.ts';
import type { HeldInterface, Side } from './sides.ts';

/** As a type the schema's own: importing the value would load the schema library for every run. */
const SCHEMA_VERSION: DiffDocument['schemaVersion'] = 1;

/** @param generatedAt epoch milliseconds of the real clock. */
export function diffOf(before: Side, after: Side, generatedAt: number): DiffDocument {
  const old = bySubnet(before.document);
  const now = bySubnet(after.document);
  const ids = [...new Set([...old.keys(), ...now.keys()])].sort();
  const subnets = ids
    .map((id) => subnetDiff(old.get(id), now.get(id), before, after))
    .filter((subnet) => subnet !== undefined);
  return {
    schemaVersion: SCHEMA_VERSION,
    generatedAt: new Date(generatedAt).toISOString(),
    before: before.document.source,
    after: after.document.source,
    subnets,
    unchanged: ids.length - subnets.length,
    findings: findingDiff(before.document, after.document),
  };
}

function bySubnet({ subnets }: HeadroomDocument): ReadonlyMap<string, DocumentSubnet> {
  return new Map(subnets.map((subnet) => [subnet.subnetId, subnet]));
}

function findingDiff(before: HeadroomDocument, after: HeadroomDocument): DiffDocument['findings'] {
  const { findings: old = [] } = before;
  const { findings: now = [] } = after;
  const had = new Set(old.map(({ id }) => id));
  const has = new Set(now.map(({ id }) => id));
  return {
    raised: now.filter(({ id }) => !had.has(id)),
    cleared: old.filter(({ id }) => !has.has(id)),
    standing: now.filter(({ id }) => had.has(id)),
  };
}

function subnetDiff(
  old: DocumentSubnet | undefined,
  now: DocumentSubnet | undefined,
  before: Side,
  after: Side,
): DiffSubnet | undefined {
  const subnet = (now ?? old) as DocumentSubnet;
  const id = subnet.subnetId;
  const numbers = {
    availableIps: pair(old, now, (side) => (side.applicable ? side.availableIps : null)),
    usedIps: pair(old, now, (side) => (isFullSubnet(side) ? side.usedIps : null)),
    freePrefixes: pair(old, now, (side) => (isFullSubnet(side) ? side.freePrefixesRange.max : null)),
    fragmentation: pair(old, now, (side) => (isFullSubnet(side) ? side.fragmentation : null)),
    confidence: pair(old, now, (side) => (side.applicable ? side.confidence : null)),
  };
  // What was not there held nothing; what could not be read is not known.
  const wasHeld = old === undefined ? NOTHING : before.interfaces.get(id);
  const isHeld = now === undefined ? NOTHING : after.interfaces.get(id);
  const known = wasHeld !== undefined && isHeld !== undefined;
  const interfaces = known ? interfaceDiff(wasHeld, isHeld) : null;
  const holders = known ? holderDiff(wasHeld, isHeld) : null;
  const blocks = blockDiff(subnet.cidr, before.cells.get(id), after.cells.get(id));
  const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
  const moved =
    change !== 'changed' ||
    old?.name !== now?.name ||
    Object.values(numbers).some((side) => side.before !== side.after) ||
    (interfaces !== null && Object.values(interfaces).some((list) => list.length > 0)) ||
    (holders !== null && holders.length > 0) ||
    (blocks !== null && blocks.length > 0);
  if (!moved) return undefined;
  const { name, vpcId, availabilityZone, cidr } = subnet;
  return {
    subnetId: id,
    ...(name === undefined ? {} : { name }),
    vpcId,
    availabilityZone,
    cidr,
    change,
    ...numbers,
    holders,
    interfaces,
    blocks,
  };
}

const NOTHING: ReadonlyMap<string, HeldInterface> = new Map();

function pair<Value>(
  old: DocumentSubnet | undefined,
  now: DocumentSubnet | undefined,
  value: (subnet: DocumentSubnet) => Value | null,
): { readonly before: Value | null; readonly after: Value | null } {
  return { before: old === undefined ? null : value(old), after: now === undefined ? null : value(now) };
}

type Held = ReadonlyMap<string, HeldInterface>;

function interfaceDiff(before: Held, after: Held): NonNullable<DiffSubnet['interfaces']> {
  const counted = ({ ips, prefixes, ...eni }: HeldInterface) => ({
    ...eni,
    ips: ips.length,
    prefixes: prefixes.length,
  });
  const changed = [...after.values()].flatMap((now) => {
    const old = before.get(now.eniId);
    if (old === undefined || (same(old.ips, now.ips) && same(old.prefixes, now.prefixes))) return [];
    const { ips, prefixes, ...eni } = now;
    return [
      {
        ...eni,
        ips: { before: old.ips.length, after: ips.length },
        prefixes: { before: old.prefixes.length, after: prefixes.length },
      },
    ];
  });
  return {
    added: [...after.values()]
      .filter(({ eniId }) => !before.has(eniId))
      .map(counted)
      .sort(byId),
    removed: [...before.values()]
      .filter(({ eniId }) => !after.has(eniId))
      .map(counted)
      .sort(byId),
    changed: changed.sort(byId),
  };
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function byId(a: { readonly eniId: string }, b: { readonly eniId: string }): number {
  return a.eniId < b.eniId ? -1 : 1;
}

interface Sum {
  enis: number;
  ips: number;
  prefixes: number;
}

function holderDiff(before: Held, after: Held): DiffHolder[] {
  const old = sums(before);
  const now = sums(after);
  const zero: Sum = { enis: 0, ips: 0, prefixes: 0 };
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .map((key): DiffHolder => {
      const was = old.get(key) ?? zero;
      const is = now.get(key) ?? zero;
      const [eniClass = '', cluster] = key.split('\n');
      return {
        class: eniClass,
        ...(cluster === undefined ? {} : { cluster }),
        enis: { before: was.enis, after: is.enis },
        ips: { before: was.ips, after: is.ips },
        prefixes: { before: was.prefixes, after: is.prefixes },
      };
    })
    .filter((holder) => [holder.enis, holder.ips, holder.prefixes].some((side) => side.before !== side.after));
}

/** By class, and by cluster where one is named. */
function sums(held: Held): ReadonlyMap<string, Sum> {
  const found = new Map<string, Sum>();
  for (const { class: eniClass, cluster, ips, prefixes } of held.values()) {
    const key = cluster === undefined ? eniClass : `${eniClass}\n${cluster}`;
    const sum = found.get(key) ?? { enis: 0, ips: 0, prefixes: 0 };
    sum.enis++;
    sum.ips += ips.length;
    sum.prefixes += prefixes.length;
    found.set(key, sum);
  }
  return found;
}

function blockDiff(
  cidr: string | null,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): DiffSubnet['blocks'] {
  const base = cidr === null ? undefined : parseCidr(cidr)?.base;
  if (base === undefined || before === undefined || after === undefined) return null;
  const changed: NonNullable<DiffSubnet['blocks']>[number][] = [];
  for (let block = 0; block < after.length; block++) {
    if (before[block] === after[block]) continue;
    changed.push({
      cidr: `${formatIpv4(base + block * BLOCK_IPS)}/${BLOCK_LENGTH}`,
      before: cellWords(cellOf(before[block] as number)),
      after: cellWords(cellOf(after[block] as number)),
    });
  }
  return changed;
}

function cellWords({ state, used, reservation }: Cell): string {
  const what = state === 'occupied' || (state === 'edge' && used > 0) ? `${state} ${used}` : state;
  return reservation === null ? what : `${what}, ${reservation} reservation`;
}
