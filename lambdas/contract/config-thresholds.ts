/** Ranges within which each threshold makes sense; the defaults and their reasons stand in thresholds.ts. */
import * as z from 'zod/mini';
import { numberBetween, optionalSection, section, subnetId, wholeBetween, zoneName } from './config-fields.ts';
import type { Thresholds } from './thresholds.ts';

/** Most addresses that a subnet can have: a /16 (EC2 `CreateSubnet`), less the five that AWS keeps. */
const MOST_IPS = 65_531;
/** Most /28s that a subnet can lend: a /16 has 4,096, less its two edge blocks. */
const MOST_BLOCKS = 4_094;
/** A day: an interface that is unattached for longer is leaked by anybody's measure. */
const MOST_LEAK_AGE_SECONDS = 86_400;
/** The VPC CNI itself waits five minutes before it calls an interface leaked (`cleanUpLeakedENIs`). */
const LEAST_LEAK_AGE_SECONDS = 300;

const ranges = {
  subnetLowPercent: numberBetween(0, 100, 'percent of the usable addresses'),
  subnetLowIps: wholeBetween(0, MOST_IPS, 'addresses'),
  prefixLowPercent: numberBetween(0, 100, 'percent of the eligible /28 blocks'),
  prefixLowBlocks: wholeBetween(0, MOST_BLOCKS, '/28 blocks'),
  fragmentedRatio: numberBetween(0, 1, 'share of the prefixes lost to scatter'),
  zoneLowNodes: wholeBetween(0, 10_000, 'nodes'),
  elbFreeIps: wholeBetween(0, MOST_IPS, 'addresses'),
  eksUpgradeFreeIps: wholeBetween(0, MOST_IPS, 'addresses'),
  warmPoolIdleIps: wholeBetween(0, MOST_IPS, 'addresses'),
  warmPoolIdleShare: numberBetween(0, 1, 'share of the addresses of the node'),
  leakedEniAgeSeconds: wholeBetween(LEAST_LEAK_AGE_SECONDS, MOST_LEAK_AGE_SECONDS, 'seconds'),
} satisfies Record<keyof Thresholds, z.core.SomeType>;

function optional<T extends z.core.SomeType>(schema: T) {
  return z.exactOptional(schema);
}

export const thresholdFields = {
  subnetLowPercent: optional(ranges.subnetLowPercent),
  subnetLowIps: optional(ranges.subnetLowIps),
  prefixLowPercent: optional(ranges.prefixLowPercent),
  prefixLowBlocks: optional(ranges.prefixLowBlocks),
  fragmentedRatio: optional(ranges.fragmentedRatio),
  zoneLowNodes: optional(ranges.zoneLowNodes),
  elbFreeIps: optional(ranges.elbFreeIps),
  eksUpgradeFreeIps: optional(ranges.eksUpgradeFreeIps),
  warmPoolIdleIps: optional(ranges.warmPoolIdleIps),
  warmPoolIdleShare: optional(ranges.warmPoolIdleShare),
  leakedEniAgeSeconds: optional(ranges.leakedEniAgeSeconds),
} satisfies Record<keyof Thresholds, z.core.SomeType>;

/** Thresholds by name, for a cluster, a zone or a subnet. */
export const thresholdOverrides = section(thresholdFields, 'thresholds by name');

/** The document's own `thresholds`: the defaults by name, and those of single zones and subnets. */
export const thresholdsSection = optionalSection(
  {
    ...thresholdFields,
    zones: z._default(z.record(zoneName, thresholdOverrides, { error: 'thresholds by zone id' }), {}),
    subnets: z._default(z.record(subnetId, thresholdOverrides, { error: 'thresholds by subnet id' }), {}),
  },
  'thresholds by name, and `zones` and `subnets` with thresholds of their own',
);
