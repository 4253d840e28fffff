import { expect, test } from '@jest/globals';
import { NO_CLUSTER } from '../../../lambdas/core/subnet/eks-use.ts';
import { eni, occupy, subnet } from '../../support/builders.ts';

const AT = subnet('10.0.0.0/24');
const first = (instanceId: string) => ({ instanceId, deviceIndex: 0 });
const second = (instanceId: string) => ({ instanceId, deviceIndex: 1 });

test('nodes and pods are told apart, cluster by cluster', () => {
  const own = { 'cluster.k8s.amazonaws.com/name': 'a', 'node.k8s.amazonaws.com/instance_id': 'i-1' };
  const { eksUse } = occupy(AT, [
    eni({ addresses: ['10.0.0.10'], tags: own, attachment: first('i-1') }),
    eni({ addresses: ['10.0.0.20'], prefixes: ['10.0.0.32/28'], tags: own, attachment: first('i-2') }),
    eni({ addresses: ['10.0.0.50', '10.0.0.51'], description: 'aws-K8S-i-1', tags: own, attachment: second('i-1') }),
    eni({ addresses: ['10.0.0.60'], description: 'Amazon EKS a' }),
    eni({ addresses: ['10.0.0.61'], description: 'aws-K8S-i-9', status: 'available', tags: own }),
    eni({ addresses: ['10.0.0.62'], description: 'RDSNetworkInterface' }),
  ]);
  expect(Object.fromEntries(eksUse)).toEqual({ a: { nodes: 2, podInterfaces: 2, prefixes: 1, secondaryIps: 1 } });
});

test('a first interface is a node’s once a CNI interface of its instance has gone by, in either order', () => {
  const primary = eni({ addresses: ['10.0.0.10'], attachment: first('i-1') });
  const pods = eni({ addresses: ['10.0.0.20', '10.0.0.21'], description: 'aws-K8S-i-1', attachment: second('i-1') });
  const other = eni({ addresses: ['10.0.0.30'], attachment: first('i-2') });
  const expected = { [NO_CLUSTER]: { nodes: 1, podInterfaces: 1, prefixes: 0, secondaryIps: 1 } };
  expect(Object.fromEntries(occupy(AT, [primary, pods, other]).eksUse)).toEqual(expected);
  expect(Object.fromEntries(occupy(AT, [other, pods, primary]).eksUse)).toEqual(expected);
});
