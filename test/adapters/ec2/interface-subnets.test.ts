/** The lookup of interfaces, with the real SDK client against the simulator. */

import { CreateNetworkInterfaceCommand } from '@aws-sdk/client-ec2';
import { expect, test } from '@jest/globals';
import { Ec2Calls } from '../../../lambdas/adapters/ec2/ec2-calls.ts';
import { interfaceLookup } from '../../../lambdas/adapters/ec2/interface-subnets.ts';
import { clientConfig } from '../../../lambdas/adapters/live/client-config.ts';
import { Pace } from '../../../lambdas/adapters/pace.ts';
import type { Simulator } from '../../../simulator/index.ts';
import { ec2Client, oneSubnet, serve } from '../../simulator/clients.ts';

const GONE = 'eni-0ffffffffffffffff';

function callsOf(simulator: Simulator): Ec2Calls {
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  return new Ec2Calls(
    clientConfig({ region: 'us-east-1', endpoint: simulator.url, credentials, attempts: 1, now: 0 }),
    new Pace({ apiShare: 1 }),
  );
}

async function ground(enis: number) {
  const { world, subnetId } = oneSubnet('10.0.0.0/22');
  const simulator = await serve(world);
  const client = ec2Client(simulator);
  const ids: string[] = [];
  for (let i = 0; i < enis; i++) {
    const { NetworkInterface } = await client.send(new CreateNetworkInterfaceCommand({ SubnetId: subnetId }));
    ids.push(NetworkInterface?.NetworkInterfaceId ?? '');
  }
  return { simulator, subnetId, ids };
}

test('finds the subnets of many interfaces in as few calls as filters allow; one that is gone spoils nothing', async () => {
  const { simulator, subnetId, ids } = await ground(210);
  const remembered = new Map<string, string>();
  const lookup = interfaceLookup(callsOf(simulator), remembered);
  const asked = () => simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces').length;
  const found = await lookup.subnetsOf([...ids, GONE, ...ids]);
  expect(found).toEqual(new Map(ids.map((id) => [id, subnetId])));
  expect(asked()).toBe(2);
  expect(await lookup.subnetsOf(ids)).toEqual(found);
  expect(asked()).toBe(2);
});

test('asks nothing for nothing', async () => {
  const { simulator } = await ground(0);
  expect(await interfaceLookup(callsOf(simulator), new Map()).subnetsOf([])).toEqual(new Map());
  expect(simulator.calls).toEqual([]);
});
