import type { Config } from '../../contract/config.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../contract/thresholds.ts';
import type { SubnetSelectorTerm } from '../subnet/snapshot.ts';

/** What a user may set about one cluster; nothing of it is needed. */
export interface ClusterSettings {
  /** The cluster's own Karpenter subnet selectors; they replace what tags suggest. */
  readonly karpenterSelectors?: readonly SubnetSelectorTerm[];
  /** The tag key by which the VPC CNI discovers subnets. */
  readonly cniTag?: string;
  readonly thresholds?: Partial<Thresholds>;
}

export interface AssessSettings {
  readonly thresholds?: Partial<Thresholds>;
  readonly clusters?: ReadonlyMap<string, ClusterSettings>;
  /** By zone id or zone name. */
  readonly zoneThresholds?: ReadonlyMap<string, Partial<Thresholds>>;
  readonly subnetThresholds?: ReadonlyMap<string, Partial<Thresholds>>;
}

/** What a threshold is asked for. */
export interface ThresholdSubject {
  readonly cluster?: string;
  readonly zone?: string;
  readonly zoneId?: string;
  readonly subnetId?: string;
}

/** The thresholds in force for a subject: those of the subnet win over those of the zone, the cluster, the user's defaults, ours. */
export function thresholdsFor(settings: AssessSettings, subject: ThresholdSubject): Thresholds {
  const byZone = (key: string | undefined) => (key === undefined ? undefined : settings.zoneThresholds?.get(key));
  return {
    ...DEFAULT_THRESHOLDS,
    ...settings.thresholds,
    ...(subject.cluster === undefined ? undefined : settings.clusters?.get(subject.cluster)?.thresholds),
    ...byZone(subject.zone),
    ...byZone(subject.zoneId),
    ...(subject.subnetId === undefined ? undefined : settings.subnetThresholds?.get(subject.subnetId)),
  };
}

/** The part of the configuration document that an assessment reasons with. */
export function settingsFromConfig({ thresholds, clusters }: Pick<Config, 'thresholds' | 'clusters'>): AssessSettings {
  const { zones, subnets, ...defaults } = thresholds;
  return {
    thresholds: defaults,
    clusters: new Map(Object.entries(clusters).map(([name, settings]) => [name, clusterSettings(settings)])),
    zoneThresholds: new Map(Object.entries(zones)),
    subnetThresholds: new Map(Object.entries(subnets)),
  };
}

function clusterSettings({ karpenterSelectors, cniTag, thresholds }: Config['clusters'][string]): ClusterSettings {
  return {
    ...(karpenterSelectors === undefined
      ? {}
      : {
          karpenterSelectors: karpenterSelectors.map((term) => ({ ...term, tags: new Map(Object.entries(term.tags)) })),
        }),
    ...(cniTag === undefined ? {} : { cniTag }),
    thresholds,
  };
}
