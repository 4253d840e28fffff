/** Every rule of the assessment. The order does not matter: findings are sorted. */
import { CLUSTER_RULES } from './cluster-rules.ts';
import { eksUpgrade } from './eks-upgrade.ts';
import { instanceFit } from './instance-fit.ts';
import { loadBalancers } from './load-balancers.ts';
import { nodeMinimum } from './node-minimum.ts';
import { maxPods, warmPoolWaste } from './node-pools.ts';
import { prefixRoom } from './prefix-room.ts';
import { edgePrefixes, reservations } from './reservations.ts';
import type { Rule } from './rule.ts';
import { foreignPrefixes, loneAddressRule, mixedMode } from './single-addresses.ts';
import { stoppedInstances } from './stopped-instances.ts';
import { subnetRoom } from './subnet-room.ts';
import { unaccounted } from './unaccounted.ts';
import { unattachedEnis } from './unattached-enis.ts';

export const RULES: readonly Rule[] = [
  subnetRoom,
  nodeMinimum,
  prefixRoom,
  unaccounted,
  loneAddressRule,
  mixedMode,
  foreignPrefixes,
  reservations,
  edgePrefixes,
  unattachedEnis,
  stoppedInstances,
  loadBalancers,
  eksUpgrade,
  warmPoolWaste,
  maxPods,
  instanceFit,
  ...CLUSTER_RULES,
];
