/**
 * A world for remediate: the simulator as EC2, over HTTP through the real adapters, and everything else in memory.
 *
 * A run can be killed at any write: before it is made, or after it and before its answer. A dead run makes no further call of any kind, as a process would not.
 */

import { openRegion } from '../../lambdas/adapters/live/open-region.ts';
import { networkReader } from '../../lambdas/adapters/remediating/network-reader.ts';
import { networkWriter } from '../../lambdas/adapters/remediating/network-writer.ts';
import { type Answered, answerPlan } from '../../lambdas/app/remediate/answer.ts';
import { allPlans } from '../../lambdas/app/remediate/plan-book.ts';
import { remediate } from '../../lambdas/app/remediate/remediate.ts';
import { type Config, type ConfigDocument, parseConfig } from '../../lambdas/contract/config.ts';
import type { PlanAnswer } from '../../lambdas/contract/plan.ts';
import type { StoredPlan } from '../../lambdas/core/remediate/stored-plan.ts';
import type { KubernetesFacts } from '../../lambdas/core/subnet/snapshot.ts';
import type { BusEvent } from '../../lambdas/ports/observing.ts';
import type { NetworkWriter, RemediateWorld } from '../../lambdas/ports/remediating.ts';
import type { StateTable } from '../../lambdas/ports/state-table.ts';
import { type Simulator, World } from '../../simulator/index.ts';
import { daemonSet, inside, nodeClass, read, term } from './cluster-facts.ts';
import { MemoryStateTable } from './fakes/memory-state-table.ts';

export const ACCOUNT = '111111111111';
export const DISCOVERY = 'karpenter.sh/discovery';
export const ALICE = `arn:aws:sts::${ACCOUNT}:assumed-role/on-call/alice`;
/** 2026-11-30T12:00:00Z. */
export const NOON = Date.UTC(2026, 10, 30, 12);

export class Killed extends Error {}

/** Counts the writes of a run and ends it at one of them. */
export class Reaper {
  readonly at: number;
  readonly phase: 'before' | 'after';
  writes = 0;
  dead = false;

  constructor(at = Number.POSITIVE_INFINITY, phase: 'before' | 'after' = 'before') {
    this.at = at;
    this.phase = phase;
  }

  alive(): void {
    if (this.dead) throw new Killed('this run is dead');
  }

  async write<T>(make: () => Promise<T>): Promise<T> {
    this.alive();
    const mine = ++this.writes === this.at;
    if (mine && this.phase === 'before') this.die();
    const answer = await make();
    if (mine) this.die();
    return answer;
  }

  die(): never {
    this.dead = true;
    throw new Killed(`killed at write ${this.at}`);
  }
}

/** What a person writes for the tests: everything allowed, all limits wide, unless a test says otherwise. */
export function configOf(document: ConfigDocument = {}): Config {
  return parseConfig({
    mode: 'auto',
    clusters: { a: {} },
    ...document,
    remediation: {
      iacIgnoresTags: true,
      approvers: [`arn:aws:iam::${ACCOUNT}:role/team/on-call`],
      limits: { perRun: 10, perDay: 10 },
      ...document.remediation,
    },
  });
}

/** Cluster `a`: one node class that selects by the discovery tag, and a CNI that knows no discovery. */
export const KUBERNETES: readonly KubernetesFacts[] = [
  inside({
    cluster: 'a',
    nodeClasses: read([nodeClass('default', [term({ [DISCOVERY]: 'a' })])]),
    daemonSet: read(daemonSet({}, 'v1.17.0')),
  }),
];

export class RemediateGround {
  readonly simulator: Simulator;
  readonly config: Config;
  readonly table = new MemoryStateTable();
  readonly events: BusEvent[] = [];
  readonly woken: string[] = [];
  readonly logs: { readonly level: string; readonly message: string; readonly fields: object | undefined }[] = [];
  now = NOON;
  stop: string | undefined;
  kubernetes: readonly KubernetesFacts[] = KUBERNETES;
  #runs = 0;

  readonly account: string;

  constructor(simulator: Simulator, config: Config = configOf(), account = ACCOUNT) {
    this.simulator = simulator;
    this.config = config;
    this.account = account;
    simulator.world.clock = () => this.now;
  }

  get subject() {
    return { account: this.account, region: this.simulator.world.region, config: this.config };
  }

  world(reaper = new Reaper()): RemediateWorld {
    const { simulator } = this;
    const connection = {
      region: simulator.world.region,
      endpoint: simulator.url,
      credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
    };
    return {
      open: (vpcId, now) => {
        reaper.alive();
        return openRegion({ ...connection, scope: { vpcIds: [vpcId] }, now, apiShare: 1 });
      },
      inside: { read: async () => ({ kubernetes: this.kubernetes, failures: [], tag: '' }) },
      state: reaped(this.table, reaper),
      writer: reapedWriter(networkWriter(connection), reaper),
      reader: networkReader(connection),
      bus: {
        send: (events) =>
          reaper.write(async () => {
            this.events.push(...events);
            return { taken: new Set(events.map(({ detail }) => detail.id)), errors: [] };
          }),
      },
      stop: { value: async () => this.stop },
      clock: {
        now: () => this.now,
        remaining: () => 600_000,
        wait: async (milliseconds) => {
          this.now += milliseconds;
        },
      },
      log: (level, _stage, message, fields) => this.logs.push({ level, message, fields }),
    };
  }

  /** One run over the VPCs of the world. */
  async run(reaper?: Reaper): Promise<void> {
    this.#runs++;
    const vpcIds = [...this.simulator.world.subnets.values()].map(({ VpcId = '' }) => VpcId);
    await remediate(this.world(reaper), this.subject, { id: `run-${this.#runs}`, vpcIds, open: true });
  }

  answer(answer: PlanAnswer, planId: string, by = ALICE): Promise<Answered> {
    const { state, bus, clock, log } = this.world();
    const wake = async (vpcId: string) => void this.woken.push(vpcId);
    return answerPlan(
      { state, bus, clock, log, wake },
      { home: this.subject, config: this.config },
      { answer, planId, by },
    );
  }

  plans(): Promise<readonly StoredPlan[]> {
    return allPlans(this.table);
  }

  /** Calls that change EC2 and took effect or were refused, as they came in. */
  writes(): readonly string[] {
    return this.simulator.calls
      .filter(({ action }) => !/^(Describe|Get|List)/.test(action))
      .map(
        ({ action, params }) =>
          `${action} ${params['ResourceId.1'] ?? params.SubnetId ?? params.NetworkInterfaceId ?? params.SubnetCidrReservationId ?? ''}`,
      );
  }

  told(): readonly string[] {
    return [...new Map(this.events.map(({ type, detail }) => [detail.id, type])).values()];
  }
}

function reaped(table: StateTable, reaper: Reaper): StateTable {
  return {
    get: (kind, subject) => {
      reaper.alive();
      return table.get(kind, subject);
    },
    list: (kind) => {
      reaper.alive();
      return table.list(kind);
    },
    put: (kind, subject, value, options) => reaper.write(() => table.put(kind, subject, value, options)),
    remove: (kind, subject, expected) => reaper.write(() => table.remove(kind, subject, expected)),
  };
}

function reapedWriter(writer: NetworkWriter, reaper: Reaper): NetworkWriter {
  return {
    setTags: (ids, tags) => reaper.write(() => writer.setTags(ids, tags)),
    removeTags: (ids, tags) => reaper.write(() => writer.removeTags(ids, tags)),
    createReservation: (subnetId, cidr) => reaper.write(() => writer.createReservation(subnetId, cidr)),
    deleteReservation: (id) => reaper.write(() => writer.deleteReservation(id)),
    deleteInterface: (id) => reaper.write(() => writer.deleteInterface(id)),
  };
}

export interface Place {
  readonly world: World;
  readonly vpcId: string;
  readonly full: string;
  readonly standby: string;
}

/** A cluster whose only subnet is full but for a few addresses, and a standby that its owner marked. One node, which has the cluster's tags. */
export function fullSubnet(standbyTags: Record<string, string> = { 'headroom:standby-for': 'a' }): Place {
  const world = new World({ seed: 5, account: ACCOUNT, region: 'us-east-1' });
  const vpcId = world.addVpc({ cidr: '10.0.0.0/16' }).VpcId as string;
  const zone = 'us-east-1a';
  const full = world.addSubnet({ vpcId, cidr: '10.0.1.0/24', zone, tags: { [DISCOVERY]: 'a' } }).SubnetId as string;
  const standby = world.addSubnet({ vpcId, cidr: '10.0.2.0/24', zone, tags: standbyTags }).SubnetId as string;
  world.launch({ subnetId: full, tags: NODE_TAGS });
  for (let held = 0; held < 245; held += 49) world.addEni({ subnetId: full, count: 48 });
  return { world, vpcId, full, standby };
}

export const NODE_TAGS = [
  { Key: 'kubernetes.io/cluster/a', Value: 'owned' },
  { Key: 'karpenter.k8s.aws/ec2nodeclass', Value: 'default' },
];

/** {@link fullSubnet} with so many leaked interfaces in the standby, which is what `full` is then. */
export function leaky(count: number) {
  const place = fullSubnet();
  for (let n = 0; n < count; n++) {
    place.world.addEni({
      subnetId: place.standby,
      description: 'aws-K8S-i-0gone',
      tags: {
        'node.k8s.amazonaws.com/instance_id': 'i-0gone',
        'node.k8s.amazonaws.com/createdAt': '2026-11-30T01:00:00Z',
      },
    });
  }
  return { ...place, full: place.standby };
}

/** A cluster in prefix mode, with one subnet whose every /28 is broken and one that is empty. */
export function scattered() {
  const world = new World({ seed: 5, account: ACCOUNT, region: 'us-east-1' });
  const vpcId = world.addVpc({ cidr: '10.0.0.0/16' }).VpcId as string;
  const tags = { [DISCOVERY]: 'a' };
  const zone = 'us-east-1a';
  const broken = world.addSubnet({ vpcId, cidr: '10.0.1.0/24', zone, tags }).SubnetId as string;
  const light = world.addSubnet({ vpcId, cidr: '10.0.2.0/24', zone, tags }).SubnetId as string;
  // Nine addresses in each inner /28: 125 are left of the first subnet, and 127 of the second once half of it is reserved.
  for (let block = 1; block < 15; block++) {
    const host = (n: number) => `10.0.1.${block * 16 + n}`;
    world.addEni({ subnetId: broken, primary: host(0), addresses: [1, 2, 3, 4, 5, 6, 7, 8].map(host) });
  }
  world.launch({
    subnetId: broken,
    tags: NODE_TAGS,
    interfaces: [{ deviceIndex: 0, subnetId: broken, primary: '10.0.1.4' }],
  });
  return { world, vpcId, light };
}

/** {@link KUBERNETES} with prefix delegation on. */
export const PREFIX_MODE: readonly KubernetesFacts[] = KUBERNETES.map((one) => ({
  ...one,
  daemonSet: read(daemonSet({ ENABLE_PREFIX_DELEGATION: 'true' }, 'v1.17.0')),
}));
