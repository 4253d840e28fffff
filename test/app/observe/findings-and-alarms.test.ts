/** What people are told over the life of a fact and of a cluster. */
import { expect, test } from '@jest/globals';
import { ScanFailed } from '../../../lambdas/app/observe/scan.ts';
import { findingDetailSchema } from '../../../lambdas/contract/events.ts';
import { clusterAlarmName } from '../../../lambdas/contract/names.ts';
import { addCluster } from '../../adapters/live/ground.ts';
import { fill, oneCluster } from './ground.ts';

test('a subnet that fills up and empties is raised once and cleared once, whatever the number of scans', async () => {
  const { sky, world, subnets } = await oneCluster();
  await sky.run('tick');
  const added = fill(world, subnets[0], 0);
  for (let minute = 0; minute < 5; minute++) await sky.tick();
  for (const eni of added) world.deleteEni(eni);
  for (let minute = 0; minute < 5; minute++) await sky.tick();
  const own = sky.events.filter(({ detail }) => detail.finding.code === 'SUBNET_EXHAUSTED');
  expect(own.map(({ type }) => type)).toEqual(['Subnet Finding Raised', 'Subnet Finding Cleared']);
  const [raised, cleared] = own.map(({ detail }) => detail);
  expect(raised).toMatchObject({ firstScan: false, count: 1, origin: 'observe', finding: { subnetId: subnets[0] } });
  expect(cleared?.firstSeen).toBe(raised?.firstSeen);
  // The fifth scan after it was first seen was the last that saw it.
  expect(Date.parse(cleared?.lastSeen ?? '') - Date.parse(raised?.firstSeen ?? '')).toBe(4 * 60_000);
  expect(cleared?.count).toBe(5);
  expect(new Set(own.map(({ detail }) => detail.id)).size).toBe(2);
});

test('a finding on a subnet comes with the map of the moment, and one that a failing bus held back keeps it', async () => {
  const { sky, world, subnets } = await oneCluster();
  world.tag(subnets[0], { Name: 'pods\u001b[31m\n@channel' });
  await sky.run('tick');
  const added = fill(world, subnets[0], 0);
  sky.busRefuses = () => true;
  await expect(sky.tick()).rejects.toThrow(ScanFailed);
  for (const one of added.slice(1)) world.deleteEni(one);
  sky.busRefuses = () => false;
  await sky.tick();
  const own = sky.events.filter(({ detail }) => detail.finding.code === 'SUBNET_EXHAUSTED');
  expect(own.map(({ type }) => type)).toEqual(['Subnet Finding Raised']);
  const map = own[0]?.detail.map ?? [];
  expect(map[0]).toBe(`${subnets[0]} pods\\u001b[31m\\u000a@channel`);
  expect(map[1]).toBe('10.0.0.0/26 us-east-1a: 0 of 59 addresses, 0 of 0 /28 free');
  expect(map[2]).toBe('EggE');
  expect(findingDetailSchema.parse(own[0]?.detail).map).toEqual(map);
  await sky.tick();
  await sky.tick();
  const cleared = sky.events.filter(
    ({ type, detail }) => type.endsWith('Cleared') && detail.finding.subnetId === subnets[0],
  );
  expect(cleared.length).toBeGreaterThan(0);
  expect(cleared.every(({ detail }) => detail.map === undefined)).toBe(true);
});

test('a value that hops over its threshold each minute is told of once', async () => {
  const { sky, world, subnets } = await oneCluster();
  await sky.run('tick');
  let added = fill(world, subnets[0], 0);
  for (let minute = 0; minute < 8; minute++) {
    await sky.tick();
    const [one, ...rest] = added;
    if (one !== undefined) world.deleteEni(one);
    added = rest;
    await sky.tick();
    added = [...fill(world, subnets[0], 0), ...added];
  }
  const own = sky.eventCodes().filter((code) => code.endsWith('SUBNET_EXHAUSTED'));
  expect(own).toEqual(['Raised SUBNET_EXHAUSTED']);
});

test('what the first scan of a deployment finds is marked as such, later findings are not', async () => {
  const { sky, world, subnets } = await oneCluster();
  fill(world, subnets[0], 0);
  await sky.run('tick');
  fill(world, subnets[1], 0);
  await sky.tick();
  const of = (id: string) =>
    sky.events.find(({ detail: { finding } }) => finding.code === 'SUBNET_EXHAUSTED' && finding.subnetId === id)?.detail
      .firstScan;
  expect(of(subnets[0])).toBe(true);
  expect(of(subnets[1])).toBe(false);
});

test('steady input gives each finding at most one event', async () => {
  const { sky, world, subnets } = await oneCluster();
  fill(world, subnets[0], 2);
  for (let minute = 0; minute < 20; minute++) await sky.tick();
  const ids = sky.events.map(({ detail }) => detail.finding.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(sky.events.every(({ type }) => type === 'Subnet Finding Raised')).toBe(true);
});

test('the service says when no trail and no subscriber hear it, asks again within the hour, and clears it', async () => {
  const { sky } = await oneCluster();
  sky.trails = [{ arn: 'arn:t', logging: false, writesSelected: true }];
  sky.topics = [{ arn: 'arn:critical', level: 'critical', confirmed: 0, pending: 1 }];
  await sky.run('tick');
  expect(sky.eventCodes()).toEqual(expect.arrayContaining(['Raised REACT_BLIND', 'Raised NOBODY_IS_PAGED']));
  sky.trails = [{ arn: 'arn:t', logging: true, writesSelected: true }];
  sky.topics = [{ arn: 'arn:critical', level: 'critical', confirmed: 1, pending: 0 }];
  await sky.tick();
  expect(sky.eventCodes()).not.toContain('Cleared REACT_BLIND');
  await sky.tick(3600);
  await sky.tick();
  expect(sky.eventCodes()).toEqual(expect.arrayContaining(['Cleared REACT_BLIND', 'Cleared NOBODY_IS_PAGED']));
});

test('a new cluster gets its alarms; one that is gone loses them after three complete reads and a not-found, the recovery first', async () => {
  const { sky, world, vpcId, subnets } = await oneCluster();
  await sky.run('tick');
  const other = world.addSubnet({ vpcId, cidr: '10.0.7.0/24', zone: 'us-east-1a' }).SubnetId ?? '';
  addCluster(world, 'blue', vpcId, [other]);
  await sky.tick(300);
  const name = clusterAlarmName('blue', 'use1-az1', 'critical');
  expect(sky.alarms.has(name)).toBe(true);
  const alarm = sky.alarms.get(name);
  if (alarm !== undefined) sky.alarms.set(name, { ...alarm, state: 'ALARM' });

  world.services.clusters.delete('blue');
  world.services.nodegroups.delete('blue');
  sky.existingClusters = 'unknown';
  for (let read = 0; read < 4; read++) await sky.tick(300);
  expect(sky.alarms.has(name)).toBe(true);
  sky.existingClusters = new Set(['prod']);
  await sky.tick(300);
  expect(sky.alarmChanges.at(-2)).toEqual({ kind: 'recover', name });
  expect(sky.alarms.get(name)?.state).toBe('OK');
  await sky.tick(300);
  expect(sky.alarms.has(name)).toBe(false);
  expect([...sky.alarms.keys()].every((one) => one.startsWith('headroom/prod/'))).toBe(true);
  expect(subnets).toHaveLength(2);
});

test('clusters that share a zone’s subnets page by one alarm, and tell their owners by their own', async () => {
  const own = 'arn:aws:sns:us-east-1:111111111111:blue-critical';
  const { sky, world, vpcId, subnets } = await oneCluster({ clusters: { blue: { criticalTopicArn: own } } });
  addCluster(world, 'blue', vpcId, [subnets[0]]);
  await sky.run('tick');
  const actions = (name: string) => sky.alarms.get(name)?.spec.actions;
  const shared = `headroom/@${vpcId}/use1-az1/critical`;
  expect(actions(shared)).toEqual(['arn:aws:sns:us-east-1:111111111111:critical']);
  expect(sky.alarms.get(shared)?.spec).toMatchObject({
    rule: 'ALARM("headroom/blue/use1-az1/critical") OR ALARM("headroom/prod/use1-az1/critical")',
  });
  expect(actions('headroom/blue/use1-az1/critical')).toEqual([own]);
  expect(actions('headroom/prod/use1-az1/critical')).toEqual([]);
  // Prod alone uses the other zone: it pages there by itself.
  expect(actions('headroom/prod/use1-az2/critical')).toEqual(['arn:aws:sns:us-east-1:111111111111:critical']);
});

test('an alarm that somebody changed by hand is put right, and nothing else is touched', async () => {
  const { sky } = await oneCluster();
  await sky.run('tick');
  const name = clusterAlarmName('prod', 'use1-az1', 'warning');
  const alarm = sky.alarms.get(name);
  if (alarm?.spec.kind !== 'metric') throw new Error('no alarm');
  sky.alarms.set(name, { spec: { ...alarm.spec, threshold: 7 }, state: 'ALARM' });
  sky.alarmChanges.length = 0;
  await sky.tick();
  const { actions } = alarm.spec;
  expect(sky.alarmChanges).toEqual([{ kind: 'put', spec: { ...alarm.spec, okActions: actions }, because: 'changed' }]);
  expect(sky.alarms.get(name)?.state).toBe('ALARM');
});

test('a new alarm tells nobody that it is fine at first; once it has seen values, its recovery is told', async () => {
  const { sky } = await oneCluster();
  await sky.run('tick');
  const name = clusterAlarmName('prod', 'use1-az1', 'critical');
  const spec = () => sky.alarms.get(name)?.spec;
  expect(spec()?.actions).toHaveLength(1);
  expect(spec()?.okActions).toEqual([]);
  const alarm = sky.alarms.get(name);
  if (alarm !== undefined) sky.alarms.set(name, { ...alarm, state: 'OK' });
  await sky.tick();
  expect(spec()?.okActions).toEqual(spec()?.actions);
});
