/** Scans and failed requests on one region, one table and one bus: the simulator refuses, its trail tells, react says so, and a scan agrees. */
import { AssignPrivateIpAddressesCommand, CreateNetworkInterfaceCommand } from '@aws-sdk/client-ec2';
import { expect, test } from '@jest/globals';
import { Ec2Calls } from '../../../lambdas/adapters/ec2/ec2-calls.ts';
import { interfaceLookup } from '../../../lambdas/adapters/ec2/interface-subnets.ts';
import { clientConfig } from '../../../lambdas/adapters/live/client-config.ts';
import { Pace } from '../../../lambdas/adapters/pace.ts';
import { findingBook } from '../../../lambdas/app/react/finding-book.ts';
import { react } from '../../../lambdas/app/react/react.ts';
import { rereadRequests } from '../../../lambdas/app/react/reread-requests.ts';
import { roomsOfSnapshot } from '../../../lambdas/core/react/known-region.ts';
import { snapshotFromText } from '../../../lambdas/core/stored/stored-region.ts';
import type { ReactWorld } from '../../../lambdas/ports/reacting.ts';
import { ec2Client } from '../../simulator/clients.ts';
import { ACCOUNT } from '../../support/observing.ts';
import { fill, type ObserveGround, oneCluster } from '../observe/ground.ts';

function reactWorld({ sky }: ObserveGround): ReactWorld {
  const { simulator } = sky;
  const { state, bus, clock } = sky.world();
  const credentials = { accessKeyId: 'simulated', secretAccessKey: 'simulated' };
  const config = clientConfig({ region: 'us-east-1', endpoint: simulator.url, credentials, attempts: 1, now: 0 });
  return {
    snapshot: {
      read: async () => {
        const newest = sky.snapshots.at(-1);
        return newest === undefined
          ? undefined
          : { rooms: roomsOfSnapshot(snapshotFromText(newest.text), {}), enis: new Map() };
      },
    },
    interfaces: interfaceLookup(new Ec2Calls(config, new Pace({ apiShare: 1 })), new Map()),
    book: findingBook({ state, bus, home: { account: ACCOUNT, region: 'us-east-1' }, now: clock.now }),
    reread: rereadRequests(state),
    lag: { put: async () => undefined },
    log: () => undefined,
    now: clock.now,
  };
}

test('a refused allocation is told at once, once, and the scan that sees it too adds nothing', async () => {
  const ground = await oneCluster();
  const { sky, world, subnets } = ground;
  const [subnetId] = subnets;
  await sky.tick();
  fill(world, subnetId, 0);
  const client = ec2Client(sky.simulator);
  await expect(client.send(new CreateNetworkInterfaceCommand({ SubnetId: subnetId }))).rejects.toThrow();
  const told = sky.simulator.trail.at(-1);
  const messages = [{ id: 'm-1', body: JSON.stringify(told) }];

  expect(await react(reactWorld(ground), messages)).toEqual({ failed: [], events: 1, findings: 1 });
  const about = () => sky.events.filter(({ detail }) => detail.finding.id === `SUBNET_EXHAUSTED/${subnetId}`);
  expect(about().map(({ detail }) => [detail.origin, detail.finding.severity])).toEqual([['react', 'critical']]);

  await react(reactWorld(ground), messages);
  await sky.tick();
  await sky.tick();
  expect(about()).toHaveLength(1);
});

test('a refused prefix finds its subnet by the interface', async () => {
  const ground = await oneCluster();
  const { sky, world, subnets } = ground;
  const [subnetId] = subnets;
  const [eni] = fill(world, subnetId, 8);
  await sky.tick();
  const client = ec2Client(sky.simulator);
  const request = { NetworkInterfaceId: eni, Ipv4PrefixCount: 1 };
  await expect(client.send(new AssignPrivateIpAddressesCommand(request))).rejects.toThrow();
  await react(reactWorld(ground), [{ id: 'm-1', body: JSON.stringify(sky.simulator.trail.at(-1)) }]);
  const about = sky.events.filter(({ detail }) => detail.finding.id === `PREFIX_EXHAUSTED/${subnetId}`);
  // The scan could only guess that anybody wants prefixes; the refused request proves it.
  expect(about.at(-1)?.detail.finding.severity).toBe('critical');
});
