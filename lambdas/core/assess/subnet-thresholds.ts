import type { Thresholds } from '../../contract/thresholds.ts';
import type { AssessContext, SubnetView } from './context.ts';
import { thresholdsFor } from './settings.ts';

/** Thresholds that warn the sooner the lower they are; all others warn the sooner the higher they are. */
const SOONER_WHEN_LOWER: ReadonlySet<keyof Thresholds> = new Set<keyof Thresholds>([
  'fragmentedRatio',
  'warmPoolIdleIps',
  'warmPoolIdleShare',
]);

/**
 * The thresholds in force for a subnet. Where several clusters share it, each value is the one that warns soonest, so that no cluster's own wish is
 * lost; a leaked interface, though, has to be old enough for each of them.
 */
export function subnetThresholds(context: AssessContext, view: SubnetView): Thresholds {
  const { subnetId, availabilityZone: zone, availabilityZoneId: zoneId } = view.facts;
  const subject = { subnetId, zone, zoneId };
  const [first, ...others] = view.clusters.map((cluster) =>
    thresholdsFor(context.settings, { ...subject, cluster: cluster.name }),
  );
  if (first === undefined) return thresholdsFor(context.settings, subject);
  return others.reduce(soonest, first);
}

function soonest(a: Thresholds, b: Thresholds): Thresholds {
  const merged: { -readonly [K in keyof Thresholds]: number } = { ...a };
  for (const name of Object.keys(a) as (keyof Thresholds)[]) {
    merged[name] = SOONER_WHEN_LOWER.has(name) ? Math.min(a[name], b[name]) : Math.max(a[name], b[name]);
  }
  return merged;
}
