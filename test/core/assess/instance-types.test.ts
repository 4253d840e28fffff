import { expect, test } from '@jest/globals';
import { tags } from '../../support/builders.ts';
import { inside, instance, nodegroup, read } from '../../support/cluster-facts.ts';
import { at, clustersOf } from './clusters-of.ts';

test('instance types: those in use before those asked for, each instance once', () => {
  const found = clustersOf([at(1)], {
    instances: read([
      instance('i-1', 'subnet-1', { 'eks:cluster-name': 'a' }, { instanceType: 'c5.large' }),
      instance('i-2', 'subnet-1', { 'eks:cluster-name': 'a' }, { instanceType: 'c5.large' }),
    ]),
    kubernetes: [
      inside({
        cluster: 'a',
        nodes: read([
          { name: 'n1', instanceId: 'i-1', instanceType: 'c5.large', labels: tags() },
          { name: 'n3', instanceId: 'i-3', instanceType: 't3.medium', labels: tags() },
        ]),
      }),
    ],
    nodegroups: read([nodegroup('a', ['subnet-1'], { instanceTypes: ['m5.large', 'm5a.large'], desiredSize: 9 })]),
  });
  expect(found.a?.instanceTypes).toEqual([
    { instanceType: 'c5.large', nodes: 2 },
    { instanceType: 't3.medium', nodes: 1 },
    { instanceType: 'm5.large', nodes: 0 },
    { instanceType: 'm5a.large', nodes: 0 },
  ]);
});
