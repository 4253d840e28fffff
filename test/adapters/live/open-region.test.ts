import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { InputName } from '../../../lambdas/core/subnet/snapshot.ts';
import { startSimulator } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { addCluster, fourVpcs, readAll } from './ground.ts';

test('the SDK is loaded by the first read, not by opening a region', async () => {
  const { world } = fourVpcs();
  const simulator = await startSimulator(world);
  const module = join(import.meta.dirname, '../../../lambdas/adapters/live/open-region.ts');
  const program = `
    const { createRequire } = await import('node:module');
    const { openRegion } = await import(${JSON.stringify(module)});
    const loaded = () => Object.keys(createRequire(${JSON.stringify(module)}).cache).filter((path) => path.includes('client-ec2')).length;
    const options = { endpoint: ${JSON.stringify(simulator.url)}, credentials: { accessKeyId: 'a', secretAccessKey: 'b' }, now: 0 };
    const source = openRegion(options);
    const before = { loaded: loaded(), ...source.description };
    await source.facts();
    console.log(JSON.stringify({ before, after: { loaded: loaded(), ...source.description } }));`;
  const env = { ...process.env, AWS_REGION: world.region };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
  await simulator.close();
  const { before, after } = JSON.parse(stdout) as Record<string, { loaded: number; kind: string; name: string }>;
  expect(before).toEqual({ loaded: 0, kind: 'live', name: '' });
  expect(after).toEqual({ loaded: expect.any(Number), kind: 'live', name: world.region });
  expect(after?.loaded).toBeGreaterThan(0);
});

test('every answer is handed on as it came, and read on only when it has been taken', async () => {
  const { world, vpcs, subnets } = fourVpcs();
  addCluster(world, 'blue', vpcs[0] as string, subnets.slice(0, 2));
  const documents: [InputName, object][] = [];
  let taking = 0;
  const raw = {
    write: async (input: InputName, document: object) => {
      if (input === 'network-interfaces') taking++;
      // As many at once as there are series of pages: one for each VPC.
      expect(taking).toBeLessThanOrEqual(4);
      await new Promise(setImmediate);
      documents.push([input, document]);
      if (input === 'network-interfaces') taking--;
    },
  };
  await readAll(liveRegion(await serve(world, { pageSize: 5 }), { raw, now: Date.UTC(2026, 10, 30) }));
  const of = (input: InputName) => documents.filter(([name]) => name === input).map(([, document]) => document);
  const interfaces = of('network-interfaces') as { readonly NetworkInterfaces: readonly object[] }[];
  expect(interfaces.flatMap(({ NetworkInterfaces }) => NetworkInterfaces)).toHaveLength(64);
  expect(interfaces[0]?.NetworkInterfaces[0]).toHaveProperty('MacAddress');
  expect(of('cidr-reservations')).toHaveLength(subnets.length);
  expect(of('clusters')).toMatchObject([{ cluster: { name: 'blue' } }]);
  expect(of('nodegroups')).toMatchObject([{ nodegroup: { nodegroupName: 'nodes' } }]);
  expect(of('addons')).toMatchObject([{ addon: { addonName: 'vpc-cni' } }]);
  expect(of('caller')).toMatchObject([{ Account: world.account }]);
  expect(of('now')).toEqual([{ now: '2026-11-30T00:00:00.000Z' }]);
  expect(JSON.stringify(documents)).not.toMatch(/\$metadata|NextToken/);
});

test.each<InputName>(['subnets', 'cidr-reservations', 'network-interfaces'])(
  'an answer of %s that cannot be kept ends the reading',
  async (broken) => {
    const raw = {
      write: async (input: InputName) => {
        if (input === broken) throw new Error('no space left on device');
      },
    };
    const source = liveRegion(await serve(fourVpcs().world), { raw });
    await expect(readAll(source)).rejects.toThrow('no space left on device');
  },
);

test('progress is told as it goes', async () => {
  const told: [InputName, number, number | undefined][] = [];
  const { world } = fourVpcs();
  const simulator = await serve(world, { pageSize: 5 });
  await readAll(liveRegion(simulator, { progress: (input, read, of) => told.push([input, read, of]) }));
  const of = (input: InputName) => told.filter(([name]) => name === input).map(([, ...numbers]) => numbers);
  expect(of('subnets').at(-1)).toEqual([8, undefined]);
  expect(of('cidr-reservations').at(-1)).toEqual([8, 8]);
  expect(of('network-interfaces').at(-1)).toEqual([64, undefined]);
  const counts = of('network-interfaces').map(([read]) => read);
  expect(counts).toEqual([...counts].sort((a, b) => (a ?? 0) - (b ?? 0)));
});
