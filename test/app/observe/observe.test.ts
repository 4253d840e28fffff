import { describe, expect, test } from '@jest/globals';
import { clusterAlarmName } from '../../../lambdas/contract/names.ts';
import { fill, oneCluster } from './ground.ts';

const enisCalls = (calls: readonly { readonly action: string }[]) =>
  calls.filter(({ action }) => action === 'DescribeNetworkInterfaces').length;

describe('a tick', () => {
  test('measures, publishes, makes the alarms, keeps the snapshot and tells the bus', async () => {
    const { sky, subnets, vpcId } = await oneCluster();
    expect(await sky.run('tick')).toEqual({ kind: 'begin', scans: 1 });
    expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(58);
    expect(sky.metric('clusterSeverity', 'prod', 'use1-az1')).toBe(0);
    expect(sky.metric('zoneAvailableIps', vpcId, 'use1-az2')).toEqual({ count: 1, sum: 58, min: 58, max: 58 });
    expect(sky.metric('observedSubnets')).toBe(2);
    expect(sky.metric('failedSubnets')).toBe(0);
    expect([...sky.alarms.keys()].sort()).toEqual(
      ['use1-az1', 'use1-az2'].flatMap((zone) => [
        clusterAlarmName('prod', zone, 'critical'),
        clusterAlarmName('prod', zone, 'warning'),
      ]),
    );
    expect(sky.lastSnapshot().occupancy.subnets.get(subnets[0])?.enis).toBe(1);
  });

  test('with nothing moved reads no interface again, and says the same', async () => {
    const { sky } = await oneCluster();
    await sky.run('tick');
    sky.simulator.clearCalls();
    const before = sky.published.at(-1);
    await sky.tick();
    expect(sky.simulator.calls.map(({ action }) => action)).toEqual(['DescribeSubnets']);
    const timeless = (published: typeof before) =>
      published?.values.filter(({ key }) => key !== 'snapshotAgeSeconds' && key !== 'scanSeconds');
    expect(timeless(sky.published.at(-1))).toEqual(timeless(before));
    expect(sky.alarmChanges).toHaveLength(4);
    expect(sky.metric('snapshotAgeSeconds')).toBe(60);
  });

  test('reads again only the VPC whose counts moved', async () => {
    const { sky, world, subnets } = await oneCluster();
    const other = world.addVpc({ cidr: '10.9.0.0/16' }).VpcId ?? '';
    world.addSubnet({ vpcId: other, cidr: '10.9.0.0/24', zone: 'us-east-1a' });
    await sky.run('tick');
    sky.simulator.clearCalls();
    fill(world, subnets[0], 3);
    await sky.tick();
    const read = sky.simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
    expect(read.map(({ params }) => Object.values(params))).toEqual([
      expect.arrayContaining([expect.stringMatching(/^vpc-/)]),
    ]);
    expect(JSON.stringify(read.map(({ params }) => params))).not.toContain(other);
    expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az1')).toBe(3);
    expect(sky.metric('subnetAvailableIps', subnets[0])).toBe(3);
  });

  test('sees what moved no count within the limit of a whole read', async () => {
    const { sky, world, subnets } = await oneCluster();
    await sky.run('tick');
    // One goes and one comes: the count stands still.
    const [gone] = world.enisOf(subnets[0]);
    world.deleteEni(gone?.NetworkInterfaceId ?? '');
    world.addEni({ subnetId: subnets[0] });
    sky.simulator.clearCalls();
    for (let minute = 1; minute <= 14; minute++) await sky.tick();
    expect(enisCalls(sky.simulator.calls)).toBe(1);
    expect(sky.lastSnapshot().occupancy.subnets.get(subnets[0])?.holders.has('vpc-cni-secondary')).toBe(false);
  });
});

describe('changes', () => {
  test('200 at once cost at most two scans, and the last began after the last of them', async () => {
    const { sky } = await oneCluster();
    await sky.run('tick');
    sky.advance(1);
    const asked = Array.from({ length: 20 }, () => Array.from({ length: 10 }, () => sky.change({ source: 'aws.ec2' })));
    const last = Math.max(...asked.flat().map(({ sentAt }) => sentAt));
    const before = sky.published.length;
    sky.advance(1);
    const outcomes = await Promise.all(asked.map((changes) => sky.run(changes)));
    const scans = outcomes.reduce((sum, outcome) => sum + outcome.scans, 0);
    expect(scans).toBeGreaterThanOrEqual(1);
    expect(scans).toBeLessThanOrEqual(2);
    expect(sky.published.length - before).toBe(scans);
    expect(sky.published.at(-1)?.at).toBeGreaterThanOrEqual(last + 30_000);
  });

  test('one that comes while a scan runs gets another', async () => {
    const { sky, world, subnets } = await oneCluster();
    let handed: Promise<unknown> | undefined;
    sky.beforeOpen = () => {
      if (handed !== undefined) return;
      // A second passes, so the running scan began too early to answer this.
      sky.advance(1);
      fill(world, subnets[1], 5);
      handed = sky.run([sky.change()]);
    };
    expect(await sky.run('tick')).toEqual({ kind: 'begin', scans: 2 });
    expect(await handed).toEqual({ kind: 'handed-over', scans: 0 });
    expect(sky.metric('clusterAvailableIps', 'prod', 'use1-az2')).toBe(5);
  });

  test('that a later scan has answered costs nothing, however often it is delivered', async () => {
    const { sky } = await oneCluster();
    const change = sky.change();
    sky.advance(1);
    await sky.run('tick');
    sky.advance(1);
    expect(await sky.run([change])).toEqual({ kind: 'answered', scans: 0 });
    expect(await sky.run([change])).toEqual({ kind: 'answered', scans: 0 });
  });

  test('of EKS make the clusters be asked for again', async () => {
    const { sky, world } = await oneCluster();
    await sky.run('tick');
    world.services.clusters.delete('prod');
    world.services.nodegroups.delete('prod');
    await sky.tick();
    sky.simulator.clearCalls();
    sky.advance(1);
    await sky.run([sky.change({ source: 'aws.eks' })]);
    expect(sky.simulator.calls.map(({ action }) => action)).toContain('ListClusters');
  });

  test('without time for another round are left to the next tick', async () => {
    const { sky } = await oneCluster();
    let handed: Promise<unknown> | undefined;
    sky.remaining = 80_000;
    sky.beforeOpen = () => {
      if (handed !== undefined) return;
      sky.advance(1);
      handed = sky.run([sky.change({ source: 'aws.eks' })]);
    };
    expect(await sky.run('tick')).toEqual({ kind: 'begin', scans: 1 });
    await handed;
    sky.simulator.clearCalls();
    await sky.tick();
    expect(sky.simulator.calls.map(({ action }) => action)).toContain('ListClusters');
  });
});

describe('the lock', () => {
  test('of one that died is taken over once its lease is out, and not before', async () => {
    const { sky } = await oneCluster();
    const dead = sky.world();
    await sky.table.put(
      'service',
      'scan',
      {
        running: { id: 'dead', began: dead.clock.now(), leaseUntil: dead.clock.now() + 210_000 },
        needs: ['clusters'],
        later: [],
        count: 1,
      },
      { expected: undefined },
    );
    expect(await sky.tick()).toEqual({ kind: 'answered', scans: 0 });
    expect(await sky.tick(300)).toEqual({ kind: 'begin', scans: 1 });
  });

  test('is given back by a run that fails, with all that is still to be covered', async () => {
    const { sky } = await oneCluster();
    sky.metricsRefuse = () => true;
    await expect(sky.run([sky.change({ source: 'aws.eks' })])).rejects.toMatchObject({ code: 'SCAN_FAILED' });
    const item = (await sky.table.get('service', 'scan'))?.value;
    expect(item).toMatchObject({ needs: ['clusters'] });
    expect(item).not.toHaveProperty('running');
    sky.metricsRefuse = () => false;
    expect(await sky.tick()).toEqual({ kind: 'begin', scans: 1 });
  });

  test('holds through conditions that the table refuses', async () => {
    const { sky } = await oneCluster();
    sky.table.refuseNext('service');
    expect(await sky.run('tick')).toEqual({ kind: 'begin', scans: 1 });
  });
});
