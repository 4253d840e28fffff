/** The rules about clusters, zones and who picks which subnet. */
import { cniBoundToExhaustedSubnet } from './cni-choice.ts';
import { prefersExhaustedSubnet, versionDependentChoice, zoneBlockedByOneSubnet } from './consumer-choice.ts';
import type { Rule } from './rule.ts';
import {
  nodesExpireWithoutReplacement,
  podSubnetZoneMissing,
  selectorMatchesNoSubnet,
  tagValueConflict,
} from './selectors.ts';
import { standby } from './standby.ts';
import { zoneRoom } from './zone-room.ts';

export const CLUSTER_RULES: readonly Rule[] = [
  zoneRoom,
  prefersExhaustedSubnet,
  cniBoundToExhaustedSubnet,
  zoneBlockedByOneSubnet,
  versionDependentChoice,
  selectorMatchesNoSubnet,
  nodesExpireWithoutReplacement,
  podSubnetZoneMissing,
  tagValueConflict,
  standby,
];
