import * as ec2 from '@aws-sdk/client-ec2';
import { expect, test } from '@jest/globals';
import { ec2Client, errorOf, idOf, oneSubnet, serve } from './clients.ts';

async function start() {
  const ground = oneSubnet();
  const client = ec2Client(await serve(ground.world));
  const tag = (Resources: string[], tags: Record<string, string>) => {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    return client.send(new ec2.CreateTagsCommand({ Resources, Tags }));
  };
  const untag = (Resources: string[], Tags?: ec2.Tag[]) => client.send(new ec2.DeleteTagsCommand({ Resources, Tags }));
  const tagsOf = async () => {
    const { Subnets } = await client.send(new ec2.DescribeSubnetsCommand({ SubnetIds: [ground.subnetId] }));
    const pairs = (Subnets?.[0]?.Tags ?? []).map((entry) => [idOf(entry.Key), entry.Value] as const);
    return Object.fromEntries<string | undefined>(pairs);
  };
  return { ...ground, client, tag, untag, tagsOf };
}

test('a tag is set, overwritten without a word, and deleted only by its value where one is given', async () => {
  const { tag, untag, tagsOf, subnetId } = await start();
  await tag([subnetId], { 'karpenter.sh/discovery': 'one', empty: '' });
  await tag([subnetId], { 'karpenter.sh/discovery': 'two' });
  expect(await tagsOf()).toEqual({ 'karpenter.sh/discovery': 'two', empty: '' });
  await untag([subnetId], [{ Key: 'karpenter.sh/discovery', Value: 'one' }]);
  expect(await tagsOf()).toEqual({ 'karpenter.sh/discovery': 'two', empty: '' });
  await untag([subnetId], [{ Key: 'karpenter.sh/discovery', Value: 'two' }, { Key: 'never there' }]);
  expect(await tagsOf()).toEqual({ empty: '' });
  await untag([subnetId], [{ Key: 'empty', Value: '' }]);
  expect(await tagsOf()).toEqual({});
});

test('with no tags named all go, but for those of AWS', async () => {
  const { untag, tagsOf, world, subnetId } = await start();
  const Tags = [
    { Key: 'aws:cloudformation:stack-name', Value: 's' },
    { Key: 'mine', Value: '1' },
  ];
  world.subnets.set(subnetId, { ...world.subnet(subnetId), Tags });
  await untag([subnetId]);
  expect(await tagsOf()).toEqual({ 'aws:cloudformation:stack-name': 's' });
});

test('several resources are tagged together or not at all', async () => {
  const { tag, tagsOf, world, subnetId } = await start();
  const eniId = idOf(world.addEni({ subnetId }).NetworkInterfaceId);
  expect((await errorOf(tag([subnetId, 'eni-0'], { a: '1' }))).name).toBe('InvalidNetworkInterfaceID.NotFound');
  expect((await errorOf(tag(['sky-0'], { a: '1' }))).name).toBe('InvalidID');
  expect(await tagsOf()).toEqual({});
  await tag([subnetId, eniId], { a: '1' });
  expect(await tagsOf()).toEqual({ a: '1' });
  expect(world.interfaces.get(eniId)?.TagSet).toEqual([{ Key: 'a', Value: '1' }]);
});

test.each([
  [{ 'aws:mine': '1' }, 'InvalidParameterValue'],
  [{ ['k'.repeat(128)]: '1' }, 'InvalidParameterValue'],
  [{ k: 'v'.repeat(256) }, 'InvalidParameterValue'],
  [{ '': '1' }, 'InvalidParameterValue'],
  [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, ''])), 'TagLimitExceeded'],
])('limits hold', async (tags, code) => {
  const { tag, tagsOf, subnetId } = await start();
  expect((await errorOf(tag([subnetId], tags))).name).toBe(code);
  expect(await tagsOf()).toEqual({});
});

test('fifty tags with keys and values of full length are taken, and odd characters come back whole', async () => {
  const { tag, tagsOf, subnetId } = await start();
  const tags = Object.fromEntries(
    Array.from({ length: 49 }, (_, index) => [`${index}`.padEnd(127, 'k'), 'v'.repeat(255)]),
  );
  const odd = { 'a/b:c=d+e@f <g> & "h"': "über & <i> 'j'" };
  await tag([subnetId], { ...tags, ...odd });
  expect(await tagsOf()).toEqual({ ...tags, ...odd });
});
