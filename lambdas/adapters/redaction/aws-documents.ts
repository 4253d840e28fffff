/** What of each AWS document may be written, and how. */

import { Place } from '../../core/input/place.ts';
import type { InputName } from '../../core/subnet/snapshot.ts';
import { parseConfiguration } from '../describe/addon-configuration.ts';
import { decodeAddon } from '../describe/eks-addon.ts';
import { redactDescription } from './descriptions.ts';
import { redactEnvironment } from './environment.ts';
import { redactTagKey, redactTagValue } from './known-tags.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { fields, keep, list, type Rule, text } from './rules.ts';

/** Ways to write one value. */
export interface Writers {
  readonly id: Rule;
  readonly name: Rule;
  readonly owner: Rule;
  readonly arn: Rule;
  readonly tags: Rule;
  readonly tagMap: Rule;
}

export function writersOf(names: Pseudonyms): Writers {
  const tagMap: Rule = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value).map(([key, item]: [string, unknown]) => [
      redactTagKey(key, names),
      redactTagValue(key, typeof item === 'string' ? item : '', names),
    ]);
    return Object.fromEntries(entries) as { [key: string]: string };
  };
  const tag: Rule = (value) => {
    const { Key, Value } = value as { readonly Key: string; readonly Value?: string | null };
    return { Key: redactTagKey(Key, names), Value: redactTagValue(Key, Value ?? '', names) };
  };
  return {
    id: text((id) => names.id(id)),
    name: text((name) => names.name(name)),
    owner: text((owner) => names.principal(owner)),
    arn: text((arn) => names.arn(arn)),
    tags: list(tag),
    tagMap,
  };
}

export function ec2Rules(names: Pseudonyms): Partial<Readonly<Record<InputName, Rule>>> {
  const { id, owner, arn, tags } = writersOf(names);
  const description = text((words) => names.name(words));
  return {
    subnets: fields({
      Subnets: list(
        fields({
          SubnetId: id,
          VpcId: id,
          CidrBlock: keep,
          AvailabilityZone: keep,
          AvailabilityZoneId: keep,
          AvailableIpAddressCount: keep,
          State: keep,
          OwnerId: owner,
          OutpostArn: arn,
          SubnetArn: arn,
          DefaultForAz: keep,
          MapPublicIpOnLaunch: keep,
          Ipv6Native: keep,
          // That there are some tells an IPv6-only subnet; which they are is public.
          Ipv6CidrBlockAssociationSet: list(fields({})),
          Tags: tags,
        }),
      ),
    }),
    'network-interfaces': fields({ NetworkInterfaces: list(networkInterface(names)) }),
    'cidr-reservations': fields({
      SubnetIpv4CidrReservations: list(
        fields({
          SubnetCidrReservationId: id,
          SubnetId: id,
          Cidr: keep,
          ReservationType: keep,
          Description: description,
          OwnerId: owner,
          Tags: tags,
        }),
      ),
      SubnetIpv6CidrReservations: () => [],
    }),
    vpcs: fields({
      Vpcs: list(
        fields({
          VpcId: id,
          OwnerId: owner,
          CidrBlock: keep,
          CidrBlockAssociationSet: list(fields({ CidrBlock: keep, CidrBlockState: fields({ State: keep }) })),
          Tags: tags,
        }),
      ),
    }),
    'route-tables': fields({ RouteTables: list(routeTable(names)) }),
    'network-acls': fields({
      NetworkAcls: list(
        fields({
          NetworkAclId: id,
          VpcId: id,
          IsDefault: keep,
          Associations: list(fields({ SubnetId: id, NetworkAclId: id })),
          Entries: list(
            fields({
              CidrBlock: publicBlock(names),
              Ipv6CidrBlock: publicBlock(names),
              Egress: keep,
              Protocol: keep,
              RuleAction: keep,
              RuleNumber: keep,
              PortRange: fields({ From: keep, To: keep }),
              IcmpTypeCode: fields({ Type: keep, Code: keep }),
            }),
          ),
        }),
      ),
    }),
    'availability-zones': fields({
      AvailabilityZones: list(fields({ ZoneName: keep, ZoneId: keep, ZoneType: keep, ParentZoneName: keep })),
    }),
    instances: fields({
      Reservations: list(
        fields({
          Instances: list(
            fields({
              InstanceId: id,
              InstanceType: keep,
              State: fields({ Code: keep, Name: keep }),
              SubnetId: id,
              VpcId: id,
              Tags: tags,
            }),
          ),
        }),
      ),
    }),
    'instance-types': fields({
      InstanceTypes: list(
        fields({
          InstanceType: keep,
          Hypervisor: keep,
          BareMetal: keep,
          VCpuInfo: fields({ DefaultVCpus: keep }),
          NetworkInfo: fields({
            MaximumNetworkInterfaces: keep,
            MaximumNetworkCards: keep,
            DefaultNetworkCardIndex: keep,
            NetworkCards: list(fields({ NetworkCardIndex: keep, MaximumNetworkInterfaces: keep })),
            Ipv4AddressesPerInterface: keep,
          }),
        }),
      ),
    }),
    caller: fields({ Account: owner }),
    now: fields({ now: keep }),
  };
}

function networkInterface(names: Pseudonyms): Rule {
  const { id, owner, tags } = writersOf(names);
  return fields({
    NetworkInterfaceId: id,
    SubnetId: id,
    VpcId: id,
    AvailabilityZone: keep,
    Description: text((words) => redactDescription(words, names)),
    InterfaceType: keep,
    Status: keep,
    OwnerId: owner,
    RequesterId: owner,
    RequesterManaged: keep,
    Operator: fields({ Managed: keep, Principal: owner, HiddenByDefault: keep }),
    Attachment: fields({
      AttachmentId: id,
      AttachTime: keep,
      DeleteOnTermination: keep,
      DeviceIndex: keep,
      NetworkCardIndex: keep,
      InstanceId: id,
      InstanceOwnerId: owner,
      Status: keep,
    }),
    Groups: list(fields({ GroupId: id, GroupName: text((name) => names.name(name)) })),
    PrivateIpAddress: keep,
    PrivateIpAddresses: list(fields({ Primary: keep, PrivateIpAddress: keep })),
    Ipv4Prefixes: list(fields({ Ipv4Prefix: keep })),
    TagSet: tags,
    Tags: tags,
  });
}

/** Blocks of private, shared and link-local space name nobody (RFC 1918, RFC 6598, RFC 3927), nor does "everywhere". */
const PRIVATE_BLOCK =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|0\.0\.0\.0\/0$|::\/0$|f[cd])/;

function publicBlock(names: Pseudonyms): Rule {
  return text((block) => (PRIVATE_BLOCK.test(block) ? block : names.name(block)));
}

function routeTable(names: Pseudonyms): Rule {
  const { id } = writersOf(names);
  const target = text((gateway) => (gateway === 'local' ? gateway : names.idOrName(gateway)));
  return fields({
    RouteTableId: id,
    VpcId: id,
    Associations: list(fields({ Main: keep, SubnetId: id, AssociationState: fields({ State: keep }) })),
    Routes: list(
      fields({
        DestinationCidrBlock: publicBlock(names),
        DestinationIpv6CidrBlock: publicBlock(names),
        DestinationPrefixListId: id,
        GatewayId: target,
        NatGatewayId: id,
        TransitGatewayId: id,
        VpcPeeringConnectionId: id,
        LocalGatewayId: id,
        CarrierGatewayId: id,
        EgressOnlyInternetGatewayId: id,
        CoreNetworkArn: text((arn) => names.arn(arn)),
        NetworkInterfaceId: id,
        InstanceId: id,
        State: keep,
      }),
    ),
  });
}

/** How the others were read: of messages the ids that they speak of, which is all that is sure to name nobody. */
export function readingRule(names: Pseudonyms): Rule {
  const { id, name } = writersOf(names);
  const failures = list(
    fields({
      input: keep,
      call: keep,
      code: keep,
      permission: keep,
      subnetIds: list(id),
      cluster: name,
      message: text((words) => names.idsOf(words)),
      unknown: list(keep),
    }),
  );
  const counts: Rule = (value) =>
    Object.fromEntries(Object.entries(value as Readonly<Record<string, number>>).map(([key, n]) => [names.id(key), n]));
  return fields({
    scope: fields({ vpcIds: list(id), subnetIds: list(id) }),
    failures,
    networkInterfaces: fields({ managedResourcesIncluded: keep, availableIpsAfter: counts, failures }),
  });
}

export function eksRules(names: Pseudonyms): Partial<Readonly<Record<InputName, Rule>>> {
  const { id, name, tagMap } = writersOf(names);
  // Of a message in plain words only the subnets that it speaks of are sure to name nobody.
  const issue = fields({ code: keep, message: text((words) => names.idsOf(words)), resourceIds: list(id) });
  const health = fields({ issues: list(issue) });
  const cluster = fields({
    name,
    version: keep,
    status: keep,
    resourcesVpcConfig: fields({ vpcId: id, subnetIds: list(id) }),
    kubernetesNetworkConfig: fields({ ipFamily: keep }),
    computeConfig: fields({ enabled: keep }),
    health,
    tags: tagMap,
  });
  const nodegroup = fields({
    clusterName: name,
    nodegroupName: name,
    subnets: list(id),
    instanceTypes: list(keep),
    status: keep,
    scalingConfig: fields({ minSize: keep, maxSize: keep, desiredSize: keep }),
    health,
  });
  const addonFields = fields({ clusterName: name, addonName: keep, addonVersion: keep, health });
  const addon: Rule = (value) => {
    const { env } = decodeAddon(value, Place.of('eks describe-addon'), parseConfiguration);
    const written = redactEnvironment(env, names);
    return {
      ...(addonFields(value) as object),
      configurationValues: JSON.stringify({ env: Object.fromEntries(written) }),
    };
  };
  return {
    clusters: enveloped('cluster', 'clusters', cluster),
    nodegroups: enveloped('nodegroup', 'nodegroups', nodegroup),
    addons: enveloped('addon', 'addons', addon),
  };
}

/** The object in its envelope or bare, or the empty list that says there is none. */
function enveloped(key: string, plural: string, rule: Rule): Rule {
  const inEnvelope = fields({ [key]: rule, [plural]: () => [] });
  return (value) => {
    const given = typeof value === 'object' && value !== null && (key in value || plural in value);
    return given ? inEnvelope(value) : rule(value);
  };
}
