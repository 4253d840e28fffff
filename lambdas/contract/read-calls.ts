/**
 * Every AWS call that reading a region makes, with the permission it needs and what is lost without it. The one source of docs/permissions.md, of the
 * roles in the stack and of the permission that a failure names.
 */

export interface ReadCall {
  /** IAM action; absent where AWS asks for none. */
  readonly permission?: string;
  /** What it is for, and what is unknown without it. */
  readonly why: string;
}

const calls = {
  'ec2:DescribeSubnets': {
    permission: 'ec2:DescribeSubnets',
    why: 'Subnets and their available addresses. Without it nothing can be said.',
  },
  'ec2:DescribeNetworkInterfaces': {
    permission: 'ec2:DescribeNetworkInterfaces',
    why: 'Who holds which address. Without it there are EC2 counts only, and no number about /28s.',
  },
  'ec2:GetSubnetCidrReservations': {
    permission: 'ec2:GetSubnetCidrReservations',
    why: 'Reserved ranges. Without it the gap between the map and the count is not explained.',
  },
  'ec2:DescribeVpcs': { permission: 'ec2:DescribeVpcs', why: 'CIDRs of each VPC, for where a new subnet would fit.' },
  'ec2:DescribeRouteTables': {
    permission: 'ec2:DescribeRouteTables',
    why: 'Whether a standby subnet routes as the one it would relieve.',
  },
  'ec2:DescribeNetworkAcls': {
    permission: 'ec2:DescribeNetworkAcls',
    why: 'Whether a standby subnet is filtered as the one it would relieve.',
  },
  'ec2:DescribeAvailabilityZones': {
    permission: 'ec2:DescribeAvailabilityZones',
    why: 'Zone types: a Local Zone does not stand in for an Availability Zone.',
  },
  'ec2:DescribeInstances': {
    permission: 'ec2:DescribeInstances',
    why: 'Which interfaces belong to nodes, to stopped instances, to none any more.',
  },
  'ec2:DescribeInstanceTypes': {
    permission: 'ec2:DescribeInstanceTypes',
    why: 'Interfaces and addresses of a node of each type in use: how many more nodes fit.',
  },
  'eks:ListClusters': {
    permission: 'eks:ListClusters',
    why: 'Clusters of the region. Without it they are known by tags only.',
  },
  'eks:DescribeCluster': {
    permission: 'eks:DescribeCluster',
    why: 'Control-plane subnets, Auto Mode and health issues of each cluster.',
  },
  'eks:ListNodegroups': { permission: 'eks:ListNodegroups', why: 'Managed node groups of each cluster.' },
  'eks:DescribeNodegroup': {
    permission: 'eks:DescribeNodegroup',
    why: 'Subnets, instance types and health issues of each node group.',
  },
  'eks:DescribeAddon': {
    permission: 'eks:DescribeAddon',
    why: 'Version and settings of the VPC CNI add-on: whether pods take prefixes or single addresses.',
  },
  'sts:GetCallerIdentity': {
    why: 'The account that looks: a subnet of another account hides interfaces. Needs no permission.',
  },
} as const satisfies { readonly [call: string]: ReadCall };

/** A call as CloudTrail names it, service first. */
export type ReadCallName = keyof typeof calls;

export const READ_CALLS: { readonly [name in ReadCallName]: ReadCall } = calls;

/** The IAM actions that reading a region needs, in the order of {@link READ_CALLS}. */
export const READ_PERMISSIONS: readonly string[] = Object.values(READ_CALLS).flatMap(({ permission }) =>
  permission === undefined ? [] : [permission],
);
