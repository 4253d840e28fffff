/**
 * A world for observe: the simulator as EC2 and EKS, over HTTP, and everything else in memory.
 *
 * What the fakes hold to, as AWS does:
 * - the table is `MemoryStateTable`;
 * - the store keeps texts, so that everything goes through the codec;
 * - alarms keep their state through a change and lose it when they go; deleting one that is not there is an error;
 * - the bus takes entries one by one and may refuse some.
 */

import { openRegion } from '../../lambdas/adapters/live/open-region.ts';
import { type Change, type ObserveOutcome, observe } from '../../lambdas/app/observe/observe.ts';
import type { Deployment } from '../../lambdas/app/observe/scan.ts';
import type { Config } from '../../lambdas/contract/config.ts';
import { parseConfig } from '../../lambdas/contract/config.ts';
import type { MetricKey } from '../../lambdas/contract/metrics.ts';
import type { AlarmChange, ExistingAlarm } from '../../lambdas/core/publish/alarm-changes.ts';
import type { FindingEvent } from '../../lambdas/core/publish/finding-events.ts';
import type { MetricValue } from '../../lambdas/core/publish/metric-values.ts';
import type { TopicFacts, TrailFacts } from '../../lambdas/core/publish/service-findings.ts';
import {
  regionFromText,
  regionToText,
  type StoredSnapshot,
  snapshotFromText,
  snapshotToText,
  vpcFromText,
  vpcToText,
} from '../../lambdas/core/stored/stored-region.ts';
import type { InsideFacts, ObserveWorld, ReadingOptions } from '../../lambdas/ports/observing.ts';
import type { Simulator } from '../../simulator/index.ts';
import { MemoryStateTable } from './fakes/memory-state-table.ts';

export const ACCOUNT = '111111111111';
export const TOPICS = {
  critical: `arn:aws:sns:us-east-1:${ACCOUNT}:critical`,
  warning: `arn:aws:sns:us-east-1:${ACCOUNT}:warning`,
};

export interface Published {
  readonly at: number;
  readonly values: readonly MetricValue[];
}

export class Observatory {
  readonly simulator: Simulator;
  readonly config: Config;
  readonly table = new MemoryStateTable();
  readonly texts = new Map<string, string>();
  readonly snapshots: { readonly at: number; readonly text: string }[] = [];
  readonly published: Published[] = [];
  readonly alarms = new Map<string, ExistingAlarm>();
  readonly alarmChanges: AlarmChange[] = [];
  readonly events: FindingEvent[] = [];
  readonly logs: { readonly level: string; readonly message: string; readonly fields: object | undefined }[] = [];
  readonly opened: ReadingOptions[] = [];
  inside: InsideFacts = { kubernetes: [], failures: [], tag: '' };
  trails: readonly TrailFacts[] = [{ arn: 'arn:trail', logging: true, writesSelected: true }];
  topics: readonly TopicFacts[] = [{ arn: TOPICS.critical, level: 'critical', confirmed: 1, pending: 0 }];
  existingClusters: ReadonlySet<string> | 'unknown' = new Set();
  /** Milliseconds that the function has left. */
  remaining = 180_000;
  attempts = 3;
  pageSize: number | undefined;
  busRefuses: (event: FindingEvent) => boolean = () => false;
  metricsRefuse: (values: readonly MetricValue[]) => boolean = () => false;
  beforeOpen: (options: ReadingOptions) => void = () => undefined;
  private readonly time: { now: number };
  private runs = 0;

  constructor(simulator: Simulator, time: { now: number }, document: object = {}) {
    this.simulator = simulator;
    this.time = time;
    this.config = parseConfig(document);
  }

  get deployment(): Deployment {
    return { account: ACCOUNT, region: 'us-east-1', topics: TOPICS, config: this.config };
  }

  /** The schedule fires; by default a minute after the last time. */
  async tick(seconds = 60): Promise<ObserveOutcome> {
    this.time.now += seconds * 1000;
    return this.run('tick');
  }

  run(why: 'tick' | readonly Change[]): Promise<ObserveOutcome> {
    return observe(this.world(), this.deployment, { id: `run-${++this.runs}`, why });
  }

  /** A change that was put on the queue the settle time ago. */
  change(event: Change['event'] = {}): Change {
    return { event, sentAt: this.time.now - this.config.schedule.settle * 1000 };
  }

  advance(seconds: number): void {
    this.time.now += seconds * 1000;
  }

  /** The last value of a metric, by key and dimension values in any order; `undefined` where the last scan left it out. */
  metric(key: MetricKey, ...dimensions: readonly string[]): MetricValue['value'] | undefined {
    const found = this.published
      .at(-1)
      ?.values.filter(
        (value) => value.key === key && dimensions.every((one) => Object.values(value.dimensions).includes(one)),
      );
    if (found !== undefined && found.length > 1) throw new Error(`${found.length} values of ${key}`);
    return found?.[0]?.value;
  }

  lastSnapshot(): StoredSnapshot {
    return snapshotFromText(this.snapshots.at(-1)?.text ?? '');
  }

  eventCodes(): readonly string[] {
    return this.events.map(({ type, detail }) => `${type.split(' ').at(-1)} ${detail.finding.code}`);
  }

  world(): ObserveWorld {
    const kept = <T>(key: string, decode: (text: string) => T) => {
      const text = this.texts.get(key);
      return Promise.resolve(text === undefined ? undefined : decode(text));
    };
    return {
      open: ({ subnetIds = this.config.scope.subnets, ...options }) => {
        this.opened.push({ ...options, subnetIds });
        this.beforeOpen({ ...options, subnetIds });
        return openRegion({
          ...options,
          region: 'us-east-1',
          endpoint: this.simulator.url,
          credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
          apiShare: 1,
          attempts: this.attempts,
          ...(this.pageSize === undefined ? {} : { pageSize: this.pageSize }),
          scope: { vpcIds: this.config.scope.vpcs, subnetIds },
        });
      },
      inside: { read: async () => this.inside },
      state: this.table,
      store: {
        region: () => kept('region', regionFromText),
        vpc: (id) => kept(id, vpcFromText),
        saveRegion: async (region) => void this.texts.set('region', regionToText(region)),
        saveVpc: async (vpc) => void this.texts.set(vpc.vpcId, vpcToText(vpc)),
        saveSnapshot: async (snapshot, at) => void this.snapshots.push({ at, text: snapshotToText(snapshot) }),
      },
      metrics: {
        put: async (values, at) => {
          if (this.metricsRefuse(values)) return { sent: 0, errors: [new Error('InvalidParameterValue')] };
          this.published.push({ at, values });
          return { sent: values.length, errors: [] };
        },
      },
      alarms: {
        list: async () => [...this.alarms.values()],
        change: async (change) => this.applyAlarm(change),
      },
      bus: {
        send: async (events) => {
          const taken = events.filter((event) => !this.busRefuses(event));
          this.events.push(...taken);
          const errors = taken.length < events.length ? [new Error('the bus refused')] : [];
          return { taken: new Set(taken.map(({ detail }) => detail.id)), errors };
        },
      },
      check: {
        trails: async () => this.trails,
        topics: async () => this.topics,
        clusterExists: async (name) => {
          if (this.existingClusters === 'unknown') throw new Error('AccessDeniedException');
          return this.existingClusters.has(name);
        },
      },
      clock: {
        now: () => this.time.now,
        remaining: () => this.remaining,
        wait: async () => undefined,
      },
      log: (level, _, message, fields) => void this.logs.push({ level, message, fields }),
    };
  }

  private applyAlarm(change: AlarmChange): void {
    this.alarmChanges.push(change);
    if (change.kind === 'put') {
      const state = this.alarms.get(change.spec.name)?.state ?? 'INSUFFICIENT_DATA';
      this.alarms.set(change.spec.name, { spec: change.spec, state });
      return;
    }
    const found = this.alarms.get(change.name);
    if (found === undefined) throw new Error(`ResourceNotFound: ${change.name}`);
    if (change.kind === 'recover') this.alarms.set(change.name, { ...found, state: 'OK' });
    else this.alarms.delete(change.name);
  }
}
