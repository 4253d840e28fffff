/** Tags that Headroom reads and writes on subnets and network interfaces. Public: people set them by hand and in infrastructure code. */
export const TAGS = {
  /** On a subnet, value a cluster's name: it may be activated for that cluster. Set by people only; no role of ours may write it. */
  standbyFor: 'headroom:standby-for',
  /** On a subnet: ISO time at which Headroom activated it. */
  activatedAt: 'headroom:activated-at',
  /** On a subnet: the cluster it was activated for. */
  activatedFor: 'headroom:activated-for',
  /** On a subnet or an interface, any value: never touched. Set by people only; no role of ours may write it. */
  protected: 'headroom:protected',
  /** On a subnet, value {@link METRICS_ALWAYS}: it always has its own metrics. */
  metrics: 'headroom:metrics',
  /** On an interface: ISO time at which it was first seen leaked; deleted no sooner than the quarantine time later. */
  quarantinedAt: 'headroom:quarantined-at',
} as const;

export const METRICS_ALWAYS = 'always';

/** Prefix of every key above. */
export const TAG_PREFIX = 'headroom:';
