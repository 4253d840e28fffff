/** Narrow reads around a write: the subnets, interfaces and reservations that it is about, and no more. */
import {
  DescribeNetworkInterfacesCommand,
  DescribeSubnetsCommand,
  EC2Client,
  type EC2ClientConfig,
  GetSubnetCidrReservationsCommand,
} from '@aws-sdk/client-ec2';
import { Place } from '../../core/input/place.ts';
import type { EniRecord } from '../../core/subnet/snapshot.ts';
import type { NetworkReader } from '../../ports/remediating.ts';
import { toEniRecord } from '../describe/network-interfaces.ts';
import { StrictQueryProtocol } from '../ec2/strict-query-protocol.ts';

/** Values of one filter at most (EC2 API reference, "Filters"). */
const FILTER_VALUES = 200;

/** By filter and not by id: an id that is gone makes the whole call fail. Errors are the SDK's. */
export function networkReader(config: EC2ClientConfig): NetworkReader {
  const client = new EC2Client({ ...config, protocol: StrictQueryProtocol });
  return {
    async subnetTags(subnetIds) {
      const { Subnets = [] } = await client.send(
        new DescribeSubnetsCommand({ Filters: [{ Name: 'subnet-id', Values: [...subnetIds] }] }),
      );
      return new Map(
        Subnets.map(({ SubnetId = '', Tags = [] }) => [
          SubnetId,
          new Map(Tags.map(({ Key = '', Value = '' }) => [Key, Value])),
        ]),
      );
    },

    async interfaces(eniIds) {
      const found = new Map<string, EniRecord>();
      for (let from = 0; from < eniIds.length; from += FILTER_VALUES) {
        let token: string | undefined;
        do {
          const page = await client.send(
            new DescribeNetworkInterfacesCommand({
              Filters: [{ Name: 'network-interface-id', Values: eniIds.slice(from, from + FILTER_VALUES) }],
              MaxResults: 1000,
              ...(token === undefined ? {} : { NextToken: token }),
            }),
          );
          for (const [at, raw] of (page.NetworkInterfaces ?? []).entries()) {
            const eni = toEniRecord(raw, Place.of('ec2:DescribeNetworkInterfaces').at(at));
            found.set(eni.eniId, eni);
          }
          token = page.NextToken;
        } while (token !== undefined && token !== '');
      }
      return found;
    },

    async reservations(subnetId) {
      const found = new Map<string, string>();
      let token: string | undefined;
      do {
        const page = await client.send(
          new GetSubnetCidrReservationsCommand({
            SubnetId: subnetId,
            ...(token === undefined ? {} : { NextToken: token }),
          }),
        );
        for (const one of page.SubnetIpv4CidrReservations ?? []) {
          const { Cidr, SubnetCidrReservationId, ReservationType } = one;
          if (ReservationType === 'prefix' && Cidr !== undefined && SubnetCidrReservationId !== undefined) {
            found.set(Cidr, SubnetCidrReservationId);
          }
        }
        token = page.NextToken;
      } while (token !== undefined && token !== '');
      return found;
    },
  };
}
