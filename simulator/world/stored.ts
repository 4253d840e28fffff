/** Resources as the AWS CLI prints them: the SDK's own types with times as ISO text. */
import type * as ec2 from '@aws-sdk/client-ec2';

/** An SDK type with every `Date` as ISO 8601 text. */
export type Stored<T> = T extends Date
  ? string
  : T extends Uint8Array
    ? string
    : T extends readonly (infer Item)[]
      ? readonly Stored<Item>[]
      : T extends object
        ? { readonly [Key in keyof T]: Stored<T[Key]> }
        : T;

export type Vpc = Stored<ec2.Vpc>;
export type Subnet = Stored<ec2.Subnet>;
export type NetworkInterface = Stored<ec2.NetworkInterface>;
export type SubnetCidrReservation = Stored<ec2.SubnetCidrReservation>;
export type RouteTable = Stored<ec2.RouteTable>;
export type NetworkAcl = Stored<ec2.NetworkAcl>;
export type AvailabilityZone = Stored<ec2.AvailabilityZone>;
export type InstanceTypeInfo = Stored<ec2.InstanceTypeInfo>;
export type Tag = Stored<ec2.Tag>;
/** An instance, with the id and owner of the launch reservation that `DescribeInstances` groups by. */
export interface Instance extends Stored<ec2.Instance> {
  readonly launch: { readonly ReservationId?: string | undefined; readonly OwnerId?: string | undefined };
}
