/** Each fault that AWS has in store: what could be measured is published, what could not is counted, and nothing is called healthy for want of an answer. */
import { describe, expect, test } from '@jest/globals';
import { clusterAlarmName } from '../../../lambdas/contract/names.ts';
import { addNode, fill, oneCluster } from './ground.ts';

const CRITICAL = clusterAlarmName('prod', 'use1-az1', 'critical');

test('throttled for a minute: counts go out, maps and severity do not, and nothing is cleared', async () => {
  const { sky, world, subnets } = await oneCluster();
  fill(world, subnets[0], 0);
  await sky.run('tick');
  expect(sky.eventCodes()).toContain('Raised SUBNET_EXHAUSTED');
  const told = sky.events.length;
  sky.attempts = 2;
  sky.simulator.setThrottle({ bucket: 0, refillPerSecond: 0 }, 'DescribeNetworkInterfaces');
  world.deleteEni(world.enisOf(subnets[1])[0]?.NetworkInterfaceId ?? '');
  await sky.tick();
  expect(sky.metric('failedSubnets')).toBe(2);
  expect(sky.metric('throttledRequests')).toBe(2);
  expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az2')).toBe(59);
  expect(sky.metric('clusterFreePrefixes', 'prod', 'use1-az2')).toBeUndefined();
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az2')).toBeUndefined();
  // A count of 0 needs no map: what is certain is said.
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az1')).toBe(2);
  expect(sky.metric('unaccountedIps')).toBeUndefined();
  expect(sky.events.slice(told).filter(({ type }) => type.endsWith('Cleared'))).toEqual([]);
  sky.simulator.setThrottle(undefined, 'DescribeNetworkInterfaces');
  await sky.tick();
  expect(sky.metric('failedSubnets')).toBe(0);
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az2')).toBe(0);
});

test('the age of the numbers grows while a VPC cannot be read', async () => {
  const { sky } = await oneCluster();
  await sky.run('tick');
  sky.simulator.fail({ action: 'DescribeNetworkInterfaces', times: Infinity, code: 'UnauthorizedOperation' });
  for (let minute = 0; minute < 40; minute++) await sky.tick();
  expect(sky.metric('snapshotAgeSeconds')).toBe(2400);
  expect(sky.metric('failedSubnets')).toBe(2);
});

test('ListClusters denied: the clusters of before are measured on, and no alarm goes', async () => {
  const { sky, world } = await oneCluster();
  await sky.run('tick');
  sky.simulator.fail({ action: 'ListClusters', times: Infinity, code: 'AccessDeniedException', httpStatus: 403 });
  world.services.clusters.clear();
  for (let read = 0; read < 6; read++) await sky.tick(300);
  expect([...sky.alarms.keys()]).toContain(CRITICAL);
  expect(sky.alarmChanges.filter(({ kind }) => kind !== 'put')).toEqual([]);
  expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(58);
  expect(sky.metric('failedSubnets')).toBe(2);
  const [failure] = sky.logs.filter(({ message }) => message === 'not read');
  expect(failure?.fields).toMatchObject({ permission: 'eks:ListClusters' });
});

test('ListClusters denied from the first scan on: what tags say is measured, and the lack is counted', async () => {
  const { sky, world, subnets } = await oneCluster();
  world.tag(subnets[0], { 'karpenter.sh/discovery': 'prod' });
  sky.simulator.fail({ action: 'ListClusters', times: Infinity, code: 'AccessDeniedException', httpStatus: 403 });
  await sky.run('tick');
  expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(58);
  expect(sky.metric('failedSubnets')).toBe(2);
});

test('one subnet’s reservations not readable: that subnet is counted, the other is measured', async () => {
  const { sky, subnets } = await oneCluster();
  sky.simulator.fail({
    action: 'GetSubnetCidrReservations',
    times: Infinity,
    code: 'InternalError',
    match: (params) => Object.values(params).includes(subnets[0]),
  });
  await sky.run('tick');
  expect(sky.metric('failedSubnets')).toBe(1);
  expect(sky.metric('observedSubnets')).toBe(1);
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az2')).toBe(0);
});

test('half of the pages missing: the VPC has no map at all, since nobody can tell which half', async () => {
  const { sky, world, subnets } = await oneCluster();
  for (let n = 0; n < 8; n++) addNode(world, subnets[0]);
  sky.pageSize = 5;
  sky.attempts = 1;
  sky.simulator.fail({ action: 'DescribeNetworkInterfaces', at: 2, times: Infinity, code: 'Reset', reset: true });
  await sky.run('tick');
  expect(sky.metric('failedSubnets')).toBe(2);
  expect(sky.metric('clusterFreePrefixes', 'prod', 'use1-az1')).toBeUndefined();
  expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(50);
  sky.simulator.clearFailures();
  await sky.tick();
  expect(sky.metric('failedSubnets')).toBe(0);
  expect(sky.lastSnapshot().occupancy.subnets.get(subnets[0])?.enis).toBe(9);
});

test('a stale read of the interfaces: a range instead of a number, no finding yet, and read again at the next tick', async () => {
  const { sky, world, subnets } = await oneCluster();
  await sky.run('tick');
  sky.advance(30);
  for (let n = 0; n < 5; n++) world.addEni({ subnetId: subnets[0] });
  sky.simulator.setStale(40_000, ['DescribeNetworkInterfaces']);
  await sky.tick(30);
  expect(sky.metric('unaccountedIps')).toBe(5);
  expect(sky.eventCodes()).not.toContain('Raised UNACCOUNTED_IPS');
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az1')).toBe(0);
  sky.simulator.setStale(0);
  await sky.tick();
  expect(sky.metric('unaccountedIps')).toBe(0);
  expect(sky.eventCodes()).not.toContain('Raised UNACCOUNTED_IPS');
});

describe('the table', () => {
  test('refusing a write about a finding: the event is told by a later scan, once', async () => {
    const { sky, world, subnets } = await oneCluster();
    await sky.run('tick');
    fill(world, subnets[0], 0);
    const written = sky.table.writes.length;
    sky.table.refuseNext('finding');
    await sky.tick();
    await sky.tick();
    await sky.tick();
    expect(sky.table.writes.slice(written).some(({ kind, done }) => kind === 'finding' && !done)).toBe(true);
    const raised = sky.eventCodes().filter((one) => one === 'Raised SUBNET_EXHAUSTED');
    expect(raised).toHaveLength(1);
  });

  test('failing in the middle: the metrics go out all the same, and the run fails', async () => {
    const { sky, world, subnets } = await oneCluster();
    await sky.run('tick');
    fill(world, subnets[0], 0);
    sky.busRefuses = () => {
      throw new Error('ProvisionedThroughputExceededException');
    };
    const before = sky.published.length;
    await expect(sky.tick()).rejects.toMatchObject({ code: 'SCAN_FAILED' });
    expect(sky.published.length).toBe(before + 1);
    expect(sky.metric('clusterSeverity', 'prod', 'use1-az1')).toBe(2);
  });
});

test('the bus refusing an event: the run fails, and the next sends the same event, with the same id', async () => {
  const { sky, world, subnets } = await oneCluster();
  await sky.run('tick');
  fill(world, subnets[0], 0);
  const refused: string[] = [];
  sky.busRefuses = ({ detail }) => {
    if (detail.finding.code === 'SUBNET_EXHAUSTED') refused.push(detail.id);
    return detail.finding.code === 'SUBNET_EXHAUSTED';
  };
  await expect(sky.tick()).rejects.toMatchObject({ code: 'SCAN_FAILED' });
  sky.busRefuses = () => false;
  await sky.tick();
  await sky.tick();
  const sent = sky.events.filter(({ detail }) => detail.finding.code === 'SUBNET_EXHAUSTED');
  expect(sent.map(({ detail }) => detail.id)).toEqual([refused[0]]);
  expect(new Set(refused).size).toBe(1);
});

test('CloudWatch rejecting the metrics: alarms, findings and snapshot are kept all the same, and the run fails', async () => {
  const { sky } = await oneCluster();
  sky.metricsRefuse = () => true;
  await expect(sky.run('tick')).rejects.toMatchObject({ code: 'SCAN_FAILED', retryable: true });
  expect(sky.alarms.size).toBe(4);
  expect(sky.snapshots).toHaveLength(1);
});

test('the function’s time nearly out: reading stops, counts go out, and what is missing is named', async () => {
  const { sky } = await oneCluster();
  sky.remaining = 42_000;
  sky.beforeOpen = ({ inputs }) => sky.simulator.setLatency(inputs.has('network-interfaces') ? 3_000 : 0);
  await sky.run('tick');
  expect(sky.metric('failedSubnets')).toBe(2);
  expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(58);
  expect(sky.metric('clusterSeverity', 'prod', 'use1-az1')).toBeUndefined();
  const cancelled = sky.logs.filter(({ message }) => message === 'not read').map(({ fields }) => fields);
  expect(cancelled).toContainEqual(expect.objectContaining({ code: 'CANCELLED', input: 'network-interfaces' }));
});

test('no subnet readable at all: the run fails, nothing is published, and the lock is free again', async () => {
  const { sky } = await oneCluster();
  await sky.run('tick');
  sky.attempts = 1;
  sky.simulator.fail({ action: 'DescribeSubnets', times: Infinity, code: 'UnauthorizedOperation', httpStatus: 403 });
  await expect(sky.tick()).rejects.toMatchObject({ code: 'DENIED' });
  expect(sky.published).toHaveLength(1);
  sky.simulator.clearFailures();
  expect(await sky.tick()).toEqual({ kind: 'begin', scans: 1 });
});
