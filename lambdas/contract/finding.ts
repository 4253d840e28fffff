/**
 * Finding codes, severities and the shape of a finding. Public: scripts, alarms and runbooks depend on them.
 *
 * One code stands for one fact that an engineer can act on; docs/runbook.md has a section for each.
 */

export const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** `critical` pages, `warning` tells the team in working hours, `info` stands in reports only. */
export type Severity = (typeof SEVERITIES)[number];

export const FINDING_CODES = [
  'SUBNET_EXHAUSTED',
  'SUBNET_LOW',
  'SUBNET_BELOW_NODE_MINIMUM',
  'PREFIX_EXHAUSTED',
  'PREFIX_LOW',
  'FRAGMENTED',
  'ZONE_EXHAUSTED',
  'ZONE_LOW',
  'UNACCOUNTED_IPS',
  'SINGLE_ADDRESS_BREAKS_BLOCK',
  'RESERVATION_PARTLY_USED',
  'RESERVATION_NOT_EFFECTIVE',
  'RESERVATION_INCLUDES_EDGE_BLOCK',
  'EDGE_PREFIX_OBSERVED',
  'CONSUMER_PREFERS_EXHAUSTED_SUBNET',
  'SELECTOR_MATCHES_NO_SUBNET',
  'POD_SUBNET_ZONE_MISSING',
  'TAG_VALUE_CONFLICT',
  'ACTION_CAUSES_DRIFT',
  'STANDBY_CANDIDATE',
  'NO_STANDBY',
  'LEAKED_ENI',
  'DETACHED_NODE_PRIMARY',
  'STOPPED_INSTANCES_HOLD_IPS',
  'ELB_HEADROOM_LOW',
  'SUBNET_TOO_SMALL_FOR_ALB',
  'EKS_UPGRADE_BLOCKED',
  'WARM_POOL_WASTE',
  'NODE_MAX_PODS_TOO_HIGH',
  'SUBNET_TOO_SMALL_FOR_INSTANCE',
  'MIXED_MODE',
  'NON_EKS_PREFIX_HOLDER',
  'REACT_BLIND',
  'NOBODY_IS_PAGED',
  'ACTIVATION_REVERTED',
  'CNI_VERSION_DEPENDENT_CHOICE',
  'ZONE_BLOCKED_BY_ONE_SUBNET',
  'NODES_EXPIRE_WITHOUT_REPLACEMENT',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** A number, a word or a list of them: evidence is printed and compared, never walked. */
export type EvidenceValue =
  | number
  | string
  | boolean
  | null
  | readonly EvidenceValue[]
  | { readonly [key: string]: EvidenceValue };

/**
 * One thing that is wrong, with what proves it.
 *
 * `id` is stable for the same fact from scan to scan (code and the subject it speaks of, no numbers), so that a receiver can drop repeats.
 */
export interface Finding {
  readonly id: string;
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly subnetId?: string;
  /** Zone name, as this account sees it (`us-east-1a`). */
  readonly zone?: string;
  /** Zone id, the same in every account (`use1-az1`). */
  readonly zoneId?: string;
  readonly cluster?: string;
  readonly vpcId?: string;
  readonly eniIds?: readonly string[];
  /** The measured value that the threshold is held against; unit as in the message. */
  readonly observed: EvidenceValue;
  readonly threshold?: EvidenceValue;
  /** One or two plain sentences with the numbers in them. */
  readonly message: string;
  /** Further numbers, by name. */
  readonly evidence: { readonly [name: string]: EvidenceValue };
  /** What to do next. */
  readonly remedy?: string;
}
