/** What is a fact about EC2 stands in the code; what nobody has confirmed, or differs between accounts, is a rule that can be set. */

export interface Rules {
  /** Which free reserved addresses `AvailableIpAddressCount` leaves out (docs/simulator.md A6; only `prefix` has direct evidence). */
  readonly countLeavesOut: 'both' | 'prefix' | 'explicit' | 'none';
  /** Whether prefixes come from the rest of the subnet once its prefix reservations are full (A4, low confidence). */
  readonly prefixFallback: boolean;
  /** How want of addresses or of /28s is told: by its own code, or as `InvalidParameterValue` with a text (E3). */
  readonly exhaustionShape: 'own-code' | 'invalid-parameter-value';
  /** Network interfaces an account may have in the region (E6, quota L-DF5E4CA3). */
  readonly maxInterfaces: number;
  /** Subnets that a VPC may have (E6). */
  readonly maxSubnetsPerVpc: number;
  /** Interfaces above which DescribeNetworkInterfaces must page or filter (R3; AWS names no number). */
  readonly unpaginatedLimit: number;
  /** Whether Describe calls hide what a service operates unless asked (R4; the factory default is not known). */
  readonly managedVisibility: 'hidden' | 'visible';
  /** How DeleteNetworkInterface tells that an interface is in use (L2: both have been seen). */
  readonly deleteInUse: 'InvalidParameterValue' | 'InvalidNetworkInterface.InUse';
  /** How long attaching and detaching take, milliseconds; 0: at once. */
  readonly transitionMs: number;
  /** Whether interfaces of other accounts are out of sight in subnets that are not ours (R6). */
  readonly participantView: boolean;
  /** What DescribeInstanceTypes says to a type that nobody described: EC2's error, or nothing, as for a folder that has no such file. */
  readonly unknownInstanceTypes: 'error' | 'omit';
}

export const DEFAULT_RULES: Rules = {
  countLeavesOut: 'both',
  prefixFallback: true,
  exhaustionShape: 'own-code',
  maxInterfaces: 5_000,
  maxSubnetsPerVpc: 200,
  unpaginatedLimit: 1_000,
  managedVisibility: 'hidden',
  deleteInUse: 'InvalidParameterValue',
  transitionMs: 0,
  participantView: false,
  unknownInstanceTypes: 'error',
};
