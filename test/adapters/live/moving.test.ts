/** A region that changes, or a reader that has to stop, while the interfaces are read. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { EniSink } from '../../../lambdas/core/subnet/snapshot.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { fourVpcs } from './ground.ts';

/** Does something once, when the first interface comes by. */
function onFirst(act: () => void): EniSink {
  let seen = false;
  return {
    add: () => {
      if (seen) return;
      seen = true;
      act();
    },
  };
}

test('counts are read before the interfaces and again after them', async () => {
  const { world, subnets } = fourVpcs();
  const subnetId = subnets[0] as string;
  const source = liveRegion(await serve(world));
  const facts = await source.facts();
  expect(facts.subnets.find((subnet) => subnet.subnetId === subnetId)?.availableIps).toBe(251 - 8);
  const enis = await source.networkInterfaces(
    facts,
    onFirst(() => {
      world.addEni({ subnetId, count: 3 });
    }),
  );
  if (enis.state !== 'read') throw new Error('interfaces were not read');
  expect(enis.availableIpsAfter?.get(subnetId)).toBe(251 - 8 - 4);
  expect(enis.availableIpsAfter?.get(subnets[1] as string)).toBe(251 - 8);
});

test('a reader that is stopped ends cleanly and names what it did not read', async () => {
  const { world, subnets } = fourVpcs();
  const simulator = await serve(world);
  const stop = new AbortController();
  const source = liveRegion(simulator, { signal: stop.signal, concurrency: 1 });
  const facts = await source.facts();
  const enis = await source.networkInterfaces(
    facts,
    onFirst(() => stop.abort()),
  );
  if (enis.state !== 'read') throw new Error('interfaces were not read');
  // The first VPC had its one page; the other three, and the second count, were not asked for any more.
  expect(simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces')).toHaveLength(1);
  const [unread] = enis.failures.filter(({ input }) => input === 'network-interfaces');
  expect(unread).toMatchObject({ code: 'CANCELLED', call: 'ec2:DescribeNetworkInterfaces' });
  expect(unread?.subnetIds).toHaveLength(6);
  const readVpc = world.subnets.get(subnets.find((id) => !unread?.subnetIds?.includes(id)) ?? '')?.VpcId;
  expect(subnets.filter((id) => world.subnets.get(id)?.VpcId === readVpc)).toHaveLength(2);
  expect(enis.failures.filter(({ input }) => input === 'subnets')).toMatchObject([{ code: 'CANCELLED' }]);
});

test('a call in flight is broken off', async () => {
  const stop = new AbortController();
  const silent = createServer(() => stop.abort());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const source = liveRegion(await serve(fourVpcs().world), {
    signal: stop.signal,
    endpoint: `http://127.0.0.1:${port}`,
  });
  await expect(source.facts()).rejects.toMatchObject({ code: 'CANCELLED', retryable: true });
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('time that was out before anything was asked is an error', async () => {
  const simulator = await serve(fourVpcs().world);
  const source = liveRegion(simulator, { signal: AbortSignal.abort(new DOMException('time out', 'TimeoutError')) });
  await expect(source.facts()).rejects.toMatchObject({ name: 'ReadError', code: 'CANCELLED' });
  expect(simulator.calls).toEqual([]);
});
