import { describe, expect, test } from '@jest/globals';
import type { EniRecord, RegionFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni } from '../../support/builders.ts';
import { addon, cluster, daemonSet, inside, nodeClass, read, term } from '../../support/cluster-facts.ts';
import { at, clustersOf, cniInterface, DISCOVERY } from './clusters-of.ts';

describe('how pods get addresses', () => {
  const subnets = [at(1, { [DISCOVERY]: 'a' })];
  const prefixed = [
    eni({
      subnetId: 'subnet-1',
      addresses: ['10.0.1.9'],
      prefixes: ['10.0.1.32'],
      description: 'aws-K8S-i-1',
      tags: { 'cluster.k8s.amazonaws.com/name': 'a' },
      attachment: { instanceId: 'i-1', deviceIndex: 1 },
    }),
  ];
  const kube = (env: Record<string, string>) => ({ kubernetes: [inside({ daemonSet: read(daemonSet(env)) })] });
  const counted = nodeClass('n', [term({ [DISCOVERY]: 'a' })], { ipPrefixCount: 2 });
  test.each<[string, Partial<RegionFacts>, readonly EniRecord[] | undefined, string, string | undefined]>([
    ['the DaemonSet says prefixes', kube({ ENABLE_PREFIX_DELEGATION: 'true' }), undefined, 'prefix', 'configured'],
    [
      'the DaemonSet says none, though some are left',
      kube({ ENABLE_PREFIX_DELEGATION: 'false' }),
      prefixed,
      'secondary-ip',
      'configured',
    ],
    ['the DaemonSet says nothing', kube({}), undefined, 'secondary-ip', 'configured'],
    [
      'the add-on says prefixes',
      { addons: read([addon('a', { ENABLE_PREFIX_DELEGATION: 'true' })]) },
      undefined,
      'prefix',
      'configured',
    ],
    ['the add-on says nothing', { addons: read([addon('a')]) }, undefined, 'secondary-ip', 'configured'],
    ['the add-on says nothing, but prefixes are there', { addons: read([addon('a')]) }, prefixed, 'prefix', 'observed'],
    ['Auto Mode', { clusters: read([cluster('a', { autoMode: true })]) }, prefixed, 'auto', 'configured'],
    [
      'a node class counts prefixes',
      { kubernetes: [inside({ nodeClasses: read([counted]) })] },
      undefined,
      'prefix',
      'configured',
    ],
    ['prefixes on its interfaces', {}, prefixed, 'prefix', 'observed'],
    ['single addresses prove nothing', {}, [cniInterface('subnet-1', 'i-1')], 'unknown', undefined],
    ['nothing at all', {}, undefined, 'unknown', undefined],
  ])('%s', (_name, facts, enis, mode, source) => {
    const cni = clustersOf(subnets, facts, enis).a?.cni;
    expect([cni?.mode, cni?.modeSource]).toEqual([mode, source]);
    expect(cni?.modeEvidence).not.toBe('');
  });

  test('versions of the DaemonSet go before the add-on’s', () => {
    const facts = {
      kubernetes: [inside({ daemonSet: read(daemonSet({}, 'v1.19.3')) })],
      addons: read([addon('a', {}, 'v1.22.1-eksbuild.1')]),
    };
    expect(clustersOf(subnets, facts).a?.cni.version).toBe('1.19.3');
    expect(clustersOf(subnets, { addons: facts.addons }).a?.cni).toMatchObject({
      version: '1.22.1',
      subnetDiscovery: true,
    });
  });
});
