/**
 * The shape of a `NetworkInterface` in EC2's XML, as far as the reader must know it: every element that the SDK decodes, and which of them the ledger needs.
 *
 * The SDK ignores what is not listed and refuses a leaf that has children; the reader does the same, so the list is complete, and a test holds it to the SDK's own
 * schema.
 */

/** What to do with a leaf's text. The numbers are dense, so that the reader's switch is a jump. */
export const ACTION = {
  ignore: 0,
  eniId: 1,
  subnetId: 2,
  vpcId: 3,
  description: 4,
  interfaceType: 5,
  status: 6,
  ownerId: 7,
  requesterManaged: 8,
  operatorManaged: 9,
  instanceId: 10,
  deviceIndex: 11,
  networkCardIndex: 12,
  tagKey: 13,
  tagValue: 14,
  addressIsPrimary: 15,
  /** Nobody needs it, but the SDK refuses a page for one that is no time. */
  time: 16,
  address: 17,
  prefix: 18,
  eniAddress: 19,
} as const;
export type Action = (typeof ACTION)[keyof typeof ACTION];

/** Whether the value is read from its bytes, without a string in between. */
export function isReadFromBytes(action: Action): boolean {
  return action >= ACTION.time;
}

/** What closing a structure does. */
export const CLOSING = { nothing: 0, tag: 1, address: 2, prefix: 3 } as const;
export type Closing = (typeof CLOSING)[keyof typeof CLOSING];

/** An element: a leaf with text, or one with children (a structure, or a list whose children are all called `item`). */
export interface Shape {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly leaf: boolean;
  readonly action: Action;
  readonly closing: Closing;
  readonly children: ReadonlyMap<number, Shape>;
  /** Position among its siblings, for noticing a repeat; lists have repeats by nature. */
  readonly index: number;
  readonly list: boolean;
  /** Dense number of the shape, from 0. */
  readonly id: number;
}

type Spec = { readonly [name: string]: Action | Structure };
interface Structure {
  readonly fields: Spec;
  readonly list: boolean;
  readonly closing: Closing;
}

const structure = (fields: Spec, closing: Closing = CLOSING.nothing): Structure => ({ fields, list: false, closing });
const listOf = (item: Action | Structure): Structure => ({ fields: { item }, list: true, closing: CLOSING.nothing });

const association = structure({
  allocationId: ACTION.ignore,
  associationId: ACTION.ignore,
  ipOwnerId: ACTION.ignore,
  publicDnsName: ACTION.ignore,
  publicIp: ACTION.ignore,
  customerOwnedIp: ACTION.ignore,
  carrierIp: ACTION.ignore,
});

/** Element names as EC2 sends them, from the `xmlName` traits of the SDK's `NetworkInterface` schema. */
export const NETWORK_INTERFACE_SPEC: Structure = structure({
  association,
  attachment: structure({
    attachTime: ACTION.time,
    attachmentId: ACTION.ignore,
    deleteOnTermination: ACTION.ignore,
    deviceIndex: ACTION.deviceIndex,
    networkCardIndex: ACTION.networkCardIndex,
    instanceId: ACTION.instanceId,
    instanceOwnerId: ACTION.ignore,
    status: ACTION.ignore,
    enaSrdSpecification: structure({
      enaSrdEnabled: ACTION.ignore,
      enaSrdUdpSpecification: structure({ enaSrdUdpEnabled: ACTION.ignore }),
    }),
    enaQueueCount: ACTION.ignore,
  }),
  availabilityZone: ACTION.ignore,
  availabilityZoneId: ACTION.ignore,
  connectionTrackingConfiguration: structure({
    tcpEstablishedTimeout: ACTION.ignore,
    udpStreamTimeout: ACTION.ignore,
    udpTimeout: ACTION.ignore,
  }),
  description: ACTION.description,
  groupSet: listOf(structure({ groupId: ACTION.ignore, groupName: ACTION.ignore })),
  interfaceType: ACTION.interfaceType,
  ipv6AddressesSet: listOf(
    structure({ ipv6Address: ACTION.ignore, publicIpv6DnsName: ACTION.ignore, isPrimaryIpv6: ACTION.ignore }),
  ),
  macAddress: ACTION.ignore,
  networkInterfaceId: ACTION.eniId,
  outpostArn: ACTION.ignore,
  ownerId: ACTION.ownerId,
  privateDnsName: ACTION.ignore,
  publicDnsName: ACTION.ignore,
  publicIpDnsNameOptions: structure({
    dnsHostnameType: ACTION.ignore,
    publicIpv4DnsName: ACTION.ignore,
    publicIpv6DnsName: ACTION.ignore,
    publicDualStackDnsName: ACTION.ignore,
  }),
  privateIpAddress: ACTION.eniAddress,
  privateIpAddressesSet: listOf(
    structure(
      {
        association,
        primary: ACTION.addressIsPrimary,
        privateDnsName: ACTION.ignore,
        privateIpAddress: ACTION.address,
      },
      CLOSING.address,
    ),
  ),
  ipv4PrefixSet: listOf(structure({ ipv4Prefix: ACTION.prefix }, CLOSING.prefix)),
  ipv6PrefixSet: listOf(structure({ ipv6Prefix: ACTION.ignore })),
  requesterId: ACTION.ignore,
  requesterManaged: ACTION.requesterManaged,
  sourceDestCheck: ACTION.ignore,
  status: ACTION.status,
  subnetId: ACTION.subnetId,
  tagSet: listOf(structure({ key: ACTION.tagKey, value: ACTION.tagValue }, CLOSING.tag)),
  vpcId: ACTION.vpcId,
  denyAllIgwTraffic: ACTION.ignore,
  ipv6Native: ACTION.ignore,
  ipv6Address: ACTION.ignore,
  operator: structure({
    managed: ACTION.operatorManaged,
    principal: ACTION.ignore,
    hiddenByDefault: ACTION.ignore,
  }),
  associatedSubnetSet: listOf(ACTION.ignore),
});

/** The hash by which the reader looks a name up while it walks over its bytes. */
export function hashName(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + (bytes[i] as number)) | 0;
  return hash;
}

/** Every shape, by its id. */
export const SHAPES: Shape[] = [];

function build(name: string, spec: Action | Structure, index: number): Shape {
  const children = new Map<number, Shape>();
  const leaf = typeof spec === 'number';
  const shape: Shape = {
    name,
    bytes: Buffer.from(name, 'latin1'),
    leaf,
    action: leaf ? spec : ACTION.ignore,
    closing: leaf ? CLOSING.nothing : spec.closing,
    children,
    index,
    list: !leaf && spec.list,
    id: SHAPES.length,
  };
  SHAPES.push(shape);
  for (const [child, childSpec] of Object.entries(leaf ? {} : spec.fields)) {
    const built = build(child, childSpec, children.size);
    const hash = hashName(built.bytes, 0, built.bytes.length);
    if (children.has(hash)) throw new Error(`two element names of ${name} have one hash: ${child}`);
    children.set(hash, built);
  }
  return shape;
}

/** An `item` of `networkInterfaceSet`. */
export const NETWORK_INTERFACE: Shape = build('item', NETWORK_INTERFACE_SPEC, 0);
