/** A folder of what the AWS CLI printed, as a live region: Describe calls then say what the files say. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateOptions } from './state.ts';
import type { Instance, NetworkInterface, Subnet } from './stored.ts';
import { World } from './world.ts';

/** A folder that cannot be served, in one line that names the file. */
export class LoadError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoadError';
  }
}

type Document = Readonly<Record<string, unknown>>;

/**
 * Reads a folder of `describe-*` documents, each file one document, an array of documents, or one of several numbered files.
 *
 * Resources are kept as they are written; `AvailableIpAddressCount` stays the file's own until something in the subnet is taken or given back.
 *
 * @throws LoadError no such folder, no `subnets*.json` in it, a file that is no JSON or lacks the list that its name promises.
 */
export async function loadWorld(directory: string, options: StateOptions = {}): Promise<World> {
  const names = await readdir(directory).catch((error: unknown) => {
    throw new LoadError(`cannot read folder ${directory}: ${reason(error)}`, { cause: error });
  });
  const files = names.filter((name) => name.endsWith('.json')).sort(byNumber);
  if (!files.some((name) => /^subnets.*\.json$/.test(name))) {
    throw new LoadError(`${directory}: no subnets*.json, which describe-subnets would print`);
  }
  const read = async (pattern: RegExp): Promise<Source[]> => {
    const sources: Source[] = [];
    for (const name of files.filter((file) => pattern.test(file))) {
      for (const document of await documents(directory, name)) sources.push({ file: join(directory, name), document });
    }
    return sources;
  };
  const caller = (await read(/^caller\.json$/))[0]?.document;
  const subnets = await read(/^subnets.*\.json$/);
  const world = new World({ ...options, ...identityOf(subnets, caller, options), zones: '' });
  // A folder says what it says: no quota below what it holds, no instance type that it does not name.
  world.setRules({ unknownInstanceTypes: 'omit', ...options.rules });
  world.services.caller = caller ?? {};

  for (const source of subnets) {
    for (const subnet of list<Subnet>(source, 'Subnets')) world.subnets.set(idOf(source, subnet.SubnetId), subnet);
  }
  for (const source of await read(/^cidr-reservations.*\.json$/)) {
    for (const key of ['SubnetIpv4CidrReservations', 'SubnetIpv6CidrReservations']) {
      for (const entry of list<Document>(source, key, true)) {
        world.reservations.set(idOf(source, entry.SubnetCidrReservationId), entry);
      }
    }
  }
  for (const source of await read(/^network-interfaces.*\.json$/)) {
    for (const eni of list<NetworkInterface>(source, 'NetworkInterfaces')) {
      idOf(source, eni.NetworkInterfaceId);
      world.storeInterface(eni);
    }
  }
  for (const source of await read(/^instances.*\.json$/)) {
    for (const { Instances, ReservationId, OwnerId } of list<Reservation>(source, 'Reservations')) {
      for (const instance of Instances ?? []) {
        const id = idOf(source, instance.InstanceId);
        world.instances.set(id, { ...instance, launch: { ReservationId, OwnerId } });
      }
    }
  }
  for (const [pattern, key, id, table] of [
    [/^vpcs.*\.json$/, 'Vpcs', 'VpcId', world.vpcs],
    [/^route-tables.*\.json$/, 'RouteTables', 'RouteTableId', world.routeTables],
    [/^network-acls.*\.json$/, 'NetworkAcls', 'NetworkAclId', world.networkAcls],
    [/^availability-zones.*\.json$/, 'AvailabilityZones', 'ZoneName', world.zones],
    [/^instance-types.*\.json$/, 'InstanceTypes', 'InstanceType', world.instanceTypes],
  ] as const) {
    for (const source of await read(pattern)) {
      for (const entry of list<Document>(source, key)) table.set(idOf(source, entry[id]), entry);
    }
  }
  world.setRules({ maxInterfaces: Math.max(world.rules.maxInterfaces, 2 * world.interfaces.size) });
  await loadEks(world, read);
  await loadClock(world, read, options);
  world.forgetPast();
  return world;
}

/** Whose region this is: as the caller says, else as the first subnet does. */
function identityOf(
  subnets: readonly Source[],
  caller: Document | undefined,
  options: StateOptions,
): Pick<StateOptions, 'account' | 'region'> {
  const first = subnets.flatMap((source) => list<Subnet>(source, 'Subnets'))[0];
  const account = options.account ?? (typeof caller?.Account === 'string' ? caller.Account : first?.OwnerId);
  const region = options.region ?? /^([a-z]+(?:-[a-z]+)+-\d+)[a-z]$/.exec(first?.AvailabilityZone ?? '')?.[1];
  return { ...(account === undefined ? {} : { account }), ...(region === undefined ? {} : { region }) };
}

interface Source {
  readonly file: string;
  readonly document: Document;
}

interface Reservation {
  readonly Instances?: readonly Omit<Instance, 'launch'>[];
  readonly ReservationId?: string;
  readonly OwnerId?: string;
}

async function loadEks(world: World, read: (pattern: RegExp) => Promise<Source[]>): Promise<void> {
  for (const { document, file } of await read(/^clusters.*\.json$/)) {
    const cluster = member(file, document, 'cluster');
    world.services.clusters.set(idOf({ file, document }, cluster.name), cluster);
  }
  for (const [pattern, key, id, table] of [
    [/^nodegroups.*\.json$/, 'nodegroup', 'nodegroupName', world.services.nodegroups],
    [/^addons.*\.json$/, 'addon', 'addonName', world.services.addons],
  ] as const) {
    for (const source of await read(pattern)) {
      const entry = member(source.file, source.document, key);
      const cluster = idOf(source, entry.clusterName);
      const entries = table.get(cluster) ?? new Map<string, Document>();
      entries.set(idOf(source, entry[id]), entry);
      table.set(cluster, entries);
      // A folder may have node groups of a cluster that it does not describe: the cluster exists all the same.
      if (!world.services.clusters.has(cluster)) world.services.clusters.set(cluster, { name: cluster });
    }
  }
}

/** Without a clock of its own the world stands still at the time the folder names. */
async function loadClock(
  world: World,
  read: (pattern: RegExp) => Promise<Source[]>,
  options: StateOptions,
): Promise<void> {
  const source = (await read(/^now\.json$/))[0];
  if (source === undefined || options.now !== undefined) return;
  const now = Date.parse(String(source.document.now));
  if (Number.isNaN(now)) throw new LoadError(`${source.file}: "now" is no ISO time`);
  world.clock = () => now;
}

async function documents(directory: string, name: string): Promise<Document[]> {
  const file = join(directory, name);
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new LoadError(`${file}: not readable as JSON: ${reason(error)}`, { cause: error });
  }
  const found: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return found.map((document, index) => {
    if (isDocument(document)) return document;
    const place = Array.isArray(parsed) ? `document ${index}` : 'the file';
    throw new LoadError(`${file}: ${place} is no JSON object`);
  });
}

function list<T>(source: Source, key: string, optional = false): readonly T[] {
  const entries = source.document[key];
  if (entries === undefined && optional) return [];
  if (!Array.isArray(entries)) throw new LoadError(`${source.file}: no list "${key}"`);
  const broken = entries.findIndex((entry) => !isDocument(entry));
  if (broken >= 0) throw new LoadError(`${source.file}: ${key}[${broken}] is no JSON object`);
  return entries as readonly T[];
}

function member(file: string, document: Document, key: string): Document {
  const value = document[key];
  if (!isDocument(value)) throw new LoadError(`${file}: no object "${key}"`);
  return value;
}

function idOf(source: Source, id: unknown): string {
  if (typeof id !== 'string' || id === '') throw new LoadError(`${source.file}: an entry without its id`);
  return id;
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `page2` before `page10`. */
function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
