/**
 * Every threshold of every finding, with its unit and reason, in one place. Settable by default, cluster, zone and subnet.
 */
export interface Thresholds {
  /** `SUBNET_LOW`: fewer available addresses than this share of the usable ones (percent) ... */
  readonly subnetLowPercent: number;
  /** ... or than this many addresses, whichever is less: one large node group's surge. */
  readonly subnetLowIps: number;
  /** `PREFIX_LOW`: fewer free /28s than this share of the eligible blocks (percent) ... */
  readonly prefixLowPercent: number;
  /** ... or than this many blocks, whichever is less. */
  readonly prefixLowBlocks: number;
  /** `FRAGMENTED`: share of the prefixes that packing would give and that scatter takes away (0 to 1). */
  readonly fragmentedRatio: number;
  /** `ZONE_LOW`: fewer than this many more nodes. */
  readonly zoneLowNodes: number;
  /** `ELB_HEADROOM_LOW`: free addresses that a load balancer asks of a subnet (EKS user guide, domain.md 6.13). */
  readonly elbFreeIps: number;
  /** `EKS_UPGRADE_BLOCKED`: free addresses that a control-plane upgrade asks of each registered subnet (domain.md 6.9). */
  readonly eksUpgradeFreeIps: number;
  /** `WARM_POOL_WASTE`: idle addresses on one node ... */
  readonly warmPoolIdleIps: number;
  /** ... that are at least this share of what the node holds (0 to 1). */
  readonly warmPoolIdleShare: number;
  /** `LEAKED_ENI`: seconds since the CNI's `createdAt`; the CNI's own sweep waits five minutes (domain.md 4.14). */
  readonly leakedEniAgeSeconds: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  subnetLowPercent: 10,
  subnetLowIps: 64,
  prefixLowPercent: 10,
  prefixLowBlocks: 8,
  fragmentedRatio: 0.5,
  zoneLowNodes: 3,
  elbFreeIps: 8,
  eksUpgradeFreeIps: 5,
  warmPoolIdleIps: 16,
  warmPoolIdleShare: 0.5,
  leakedEniAgeSeconds: 300,
};
