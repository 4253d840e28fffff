/** Pages through the SDK's paginator. */
import { EC2Client, paginateDescribeNetworkInterfaces } from '@aws-sdk/client-ec2';
import { config, inVpc, measurePages } from './side.ts';

const client = new EC2Client(config);

await measurePages(async (id) => {
  let addresses = 0;
  for await (const page of paginateDescribeNetworkInterfaces({ client }, inVpc(id))) {
    for (const eni of page.NetworkInterfaces ?? []) {
      addresses += (eni.PrivateIpAddresses?.length ?? 0) + 16 * (eni.Ipv4Prefixes?.length ?? 0);
    }
  }
  return addresses;
});
