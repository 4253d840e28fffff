/** Pages through the page scanner. */
import '../../../../lambdas/adapters/small-young-generation.ts';
import { EC2Client } from '@aws-sdk/client-ec2';
import { EniQueryProtocol, scanInterfaces } from '../../../../lambdas/adapters/ec2/eni-reader/eni-query-protocol.ts';
import { config, inVpc, measurePages } from './side.ts';

const client = new EC2Client({ ...config, protocol: EniQueryProtocol });

await measurePages(async (id) => {
  let addresses = 0;
  let token: string | undefined;
  do {
    const input = { ...inVpc(id), ...(token === undefined ? {} : { NextToken: token }) };
    const page = await scanInterfaces(client, input, {
      add: (eni) => {
        addresses += eni.addresses.length + 16 * eni.prefixes.length;
      },
    });
    token = page.nextToken;
  } while (token !== undefined);
  return addresses;
});
