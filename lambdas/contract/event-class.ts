/** What an event that AWS sends means for the room in subnets. Public: `diagnose --json` prints these words. */

/** In the order in which one wins over another where an event holds several. */
export const EVENT_CLASSES = [
  /** A request failed for want of single addresses. */
  'IP_EXHAUSTED',
  /** A request failed for want of a whole free /28. */
  'PREFIX_EXHAUSTED',
  /** One of the two, and neither the event nor the ledger of the subnet says which. */
  'PREFIX_OR_IP_CAPACITY',
  /** A load balancer wants more free addresses than there are. */
  'ELB_HEADROOM',
  /** A control plane wants more free addresses than there are. */
  'EKS_UPGRADE_HEADROOM',
  /** The limit of the instance type or of the interface. */
  'INSTANCE_ENI_LIMIT',
  /** A wrong request. */
  'CONFIG',
  /** A request for IPv4 of a subnet that has none. */
  'CONFIG_IPV6_ONLY_SUBNET',
  /** A limit of the account or of the VPC. */
  'ACCOUNT_QUOTA',
  /** The resource belongs to another account. */
  'SHARED_SUBNET_OWNERSHIP',
  /** The caller may not. */
  'PERMISSION',
  /** The rate of the API. */
  'THROTTLED',
  /** The account must ask page by page. */
  'API_BLOCKED_UNPAGINATED',
  /** A dry run that would have worked. */
  'DRY_RUN',
  /** A failure that none of the others explains. */
  'NOT_CAPACITY',
  /** No failure. */
  'NONE',
] as const;

export type EventClass = (typeof EVENT_CLASSES)[number];

/** The classes that speak of subnets; an event of any other class names none. */
export const SUBNET_CLASSES = [
  'IP_EXHAUSTED',
  'PREFIX_EXHAUSTED',
  'PREFIX_OR_IP_CAPACITY',
  'ELB_HEADROOM',
  'EKS_UPGRADE_HEADROOM',
  'CONFIG_IPV6_ONLY_SUBNET',
] as const satisfies readonly EventClass[];
