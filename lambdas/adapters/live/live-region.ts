/** Reads a live region through the SDK. Loaded only when something is read: see open-region.ts. */
import type { EniReading, EniSink, InputName, ReadFailure, Reading, RegionFacts } from '../../core/subnet/snapshot.ts';
import { fatalError } from '../aws-error.ts';
import { Ec2Calls } from '../ec2/ec2-calls.ts';
import { readInstances, readInstanceTypes, typesInUse } from '../ec2/instances.ts';
import { readNetworkInterfaces, scannedEniPages, sdkEniPages } from '../ec2/network-interfaces.ts';
import { readNetworkAcls, readReservations, readRouteTables, readVpcs, readZones } from '../ec2/network-parts.ts';
import { missingFromScope, readSubnets } from '../ec2/subnets.ts';
import { Pace } from '../pace.ts';
import { type ClientConfig, clientConfig } from './client-config.ts';
import type { RegionOptions, RegionScope } from './options.ts';
import { type Part, type ReadingTaps, readingOf } from './part.ts';

/** EKS inputs, which are read as one chain. */
const EKS_INPUTS: readonly InputName[] = ['clusters', 'nodegroups', 'addons'];

export class LiveRegion {
  private readonly options: RegionOptions;
  private readonly scope: RegionScope;
  private readonly config: ClientConfig;
  private readonly pace: Pace;
  private readonly taps: ReadingTaps;
  private readonly ec2: Ec2Calls;

  constructor(options: RegionOptions) {
    this.options = options;
    this.scope = options.scope ?? {};
    this.config = clientConfig(options);
    this.pace = new Pace({
      ...(options.concurrency === undefined ? {} : { inFlight: options.concurrency }),
      ...(options.apiShare === undefined ? {} : { apiShare: options.apiShare }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.onThrottled === undefined ? {} : { onThrottled: options.onThrottled }),
    });
    this.taps = { raw: options.raw, progress: options.progress, pageSize: options.pageSize };
    this.ec2 = new Ec2Calls(this.config, this.pace);
  }

  /** The region as the SDK resolves it. Errors: `NO_REGION`. */
  async region(): Promise<string> {
    try {
      return await this.ec2.client.config.region();
    } catch (error) {
      throw fatalError(error, 'ec2:DescribeSubnets', this.options);
    }
  }

  async facts(): Promise<RegionFacts> {
    const region = await this.region();
    const [read, caller] = await Promise.all([
      readSubnets(this.ec2, this.taps, this.scope),
      this.part('caller', async () => {
        const { readCaller } = await import('../sts/caller.ts');
        return readCaller(this.config, this.pace, this.taps);
      }),
    ]);
    const missing = missingFromScope(read, this.scope, { ...this.options, region });
    const subnets = byId([...read.items], ({ subnetId }) => subnetId);
    const { ec2, taps } = this;
    const eks = this.eks(new Set(subnets.map(({ vpcId }) => vpcId)));
    const instances = this.part('instances', () => readInstances(ec2, taps, subnets));
    const [vpcs, routeTables, networkAcls, zones, reservations, held, clusters, instanceTypes] = await Promise.all([
      this.part('vpcs', () => readVpcs(ec2, taps, subnets)),
      this.part('route-tables', () => readRouteTables(ec2, taps, subnets)),
      this.part('network-acls', () => readNetworkAcls(ec2, taps, subnets)),
      this.part('availability-zones', () => readZones(ec2, taps)),
      this.part('cidr-reservations', () => readReservations(ec2, taps, subnets)),
      instances,
      eks,
      this.part('instance-types', async () =>
        readInstanceTypes(ec2, taps, typesInUse((await instances)?.items ?? [], (await eks)?.nodegroups.items ?? [])),
      ),
    ]);
    await taps.raw?.write('now', { now: new Date(this.options.now).toISOString() });
    const account = caller?.items[0];
    const parts = [vpcs, routeTables, networkAcls, zones, reservations, held, instanceTypes];
    const eksParts = [clusters?.clusters, clusters?.nodegroups, clusters?.addons];
    const failures = [read, caller, ...parts, ...eksParts].flatMap((part) => part?.failures ?? []);
    return {
      region,
      ...(account === undefined ? {} : { account }),
      now: this.options.now,
      ...limitedTo(this.scope),
      subnets,
      reservations: reading(reservations, ({ reservationId }) => reservationId),
      vpcs: reading(vpcs, ({ vpcId }) => vpcId),
      routeTables: reading(routeTables, ({ routeTableId }) => routeTableId),
      networkAcls: reading(networkAcls, ({ networkAclId }) => networkAclId),
      zones: reading(zones, ({ zoneId }) => zoneId),
      instances: reading(held, ({ instanceId }) => instanceId),
      instanceTypes: reading(instanceTypes, ({ instanceType }) => instanceType),
      clusters: reading(this.wanted('clusters', clusters?.clusters), ({ name }) => name),
      nodegroups: reading(this.wanted('nodegroups', clusters?.nodegroups), ({ cluster, name }) => `${cluster}/${name}`),
      addons: reading(this.wanted('addons', clusters?.addons), ({ cluster, name }) => `${cluster}/${name}`),
      kubernetes: [],
      // What hangs on a failure shares it: one object, told once.
      failures: [...new Set<ReadFailure>([...missing, ...failures])],
    };
  }

  /** Reads the interfaces of the subnets in `facts`, and EC2's counts once more after the last page. */
  async networkInterfaces(facts: RegionFacts, sink: EniSink): Promise<EniReading> {
    if (!this.wants('network-interfaces')) return { state: 'absent' };
    // Only the SDK's decoder has the whole answer to hand on.
    const readPage = this.options.raw === undefined ? scannedEniPages(this.ec2) : sdkEniPages(this.ec2);
    const read = await readNetworkInterfaces(readPage, this.taps, facts, this.scope, sink);
    const after = await readSubnets(this.ec2, { ...this.taps, raw: undefined, progress: undefined }, this.scope);
    return {
      state: 'read',
      managedResourcesIncluded: read.managedResourcesIncluded,
      decodedBySdk: read.decodedBySdk,
      availableIpsAfter: new Map(after.items.map(({ subnetId, availableIps }) => [subnetId, availableIps])),
      failures: [...read.failures, ...after.failures],
    };
  }

  private async part<T>(input: InputName, read: () => Promise<Part<T>>): Promise<Part<T> | undefined> {
    return this.wants(input) ? read() : undefined;
  }

  private wants(input: InputName): boolean {
    return this.options.inputs?.has(input) ?? true;
  }

  private wanted<T>(input: InputName, part: T): T | undefined {
    return this.wants(input) ? part : undefined;
  }

  private async eks(vpcIds: ReadonlySet<string>) {
    if (!EKS_INPUTS.some((input) => this.wants(input))) return undefined;
    // EKS and STS are asked far less often than EC2: their clients are loaded when they are.
    const [{ readEks }, { EksCalls }] = await Promise.all([
      import('../eks/clusters.ts'),
      import('../eks/eks-calls.ts'),
    ]);
    return readEks(new EksCalls(this.config, this.pace), this.taps, vpcIds);
  }
}

function limitedTo({ vpcIds = [], subnetIds = [] }: RegionScope): Pick<RegionFacts, 'scope'> {
  return vpcIds.length + subnetIds.length === 0 ? {} : { scope: { vpcIds, subnetIds } };
}

function reading<T>(part: Part<T> | undefined, id: (item: T) => string): Reading<readonly T[]> {
  return part === undefined ? { state: 'absent' } : readingOf({ ...part, items: byId([...part.items], id) });
}

/** Sorted by id, each once: pages that change under the reader may tell an item twice. */
function byId<T>(items: T[], id: (item: T) => string): readonly T[] {
  const sorted = new Map(items.map((item) => [id(item), item]));
  return [...sorted].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
