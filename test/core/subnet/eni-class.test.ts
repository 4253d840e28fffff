import { describe, expect, test } from '@jest/globals';
import { classifyEni, clusterOfEni } from '../../../lambdas/core/subnet/eni-class.ts';
import { type EniFields, eni, tags } from '../../support/builders.ts';

const onInstance = {
  instanceId: 'i-00000000000000001',
  instanceOwnerId: '111111111111',
  deviceIndex: 0,
  networkCardIndex: 0,
};
const byService = (instanceOwnerId: string) => ({ instanceOwnerId, deviceIndex: 1 });

describe('classes, in the order in which the signals are looked at', () => {
  const table: [string, EniFields][] = [
    ['eks-control-plane', { description: 'Amazon EKS prod', attachment: byService('999999999999') }],
    [
      'vpc-cni-secondary',
      { description: 'aws-K8S-i-00000000000000001', attachment: { ...onInstance, deviceIndex: 1 } },
    ],
    ['vpc-cni-secondary', { description: 'aws-K8S-i-00000000000000001', status: 'available' }],
    [
      'vpc-cni-secondary',
      {
        tags: { 'node.k8s.amazonaws.com/instance_id': 'i-00000000000000001' },
        attachment: { ...onInstance, deviceIndex: 2 },
      },
    ],
    [
      'sgp-trunk',
      {
        interfaceType: 'trunk',
        description: 'aws-k8s-trunk-eni',
        tags: { 'node.k8s.amazonaws.com/instance_id': 'i-1' },
        attachment: { ...onInstance, deviceIndex: 1 },
      },
    ],
    ['sgp-branch', { interfaceType: 'branch', description: 'aws-k8s-branch-eni' }],
    [
      'eks-auto-mode',
      {
        operatorManaged: true,
        tags: { 'eks:kubernetes-node-pool-name': 'general-purpose', 'eks:eks-cluster-name': 'prod' },
        attachment: onInstance,
      },
    ],
    ['karpenter-node-primary', { tags: { 'karpenter.sh/nodepool': 'default' }, attachment: onInstance }],
    ['efa', { interfaceType: 'efa', attachment: onInstance }],
    ['efa', { interfaceType: 'efa-only', attachment: { ...onInstance, networkCardIndex: 3, deviceIndex: 1 } }],
    ['node-primary', { tags: { 'node.k8s.amazonaws.com/instance_id': 'i-1' }, attachment: onInstance }],
    ['node-primary', { tags: { 'kubernetes.io/cluster/prod': 'owned' }, attachment: onInstance }],
    ['cilium', { description: 'Cilium-CNI (i-00000000000000001)', attachment: { ...onInstance, deviceIndex: 1 } }],
    [
      'elb-alb',
      { description: 'ELB app/web/0123456789abcdef', requesterManaged: true, attachment: byService('amazon-elb') },
    ],
    [
      'elb-nlb',
      { description: 'ELB net/web/0123456789abcdef', interfaceType: 'network_load_balancer', requesterManaged: true },
    ],
    ['elb-gwlb', { interfaceType: 'gateway_load_balancer', requesterManaged: true }],
    ['elb-classic', { description: 'ELB web', requesterManaged: true }],
    ['nat-gateway', { interfaceType: 'nat_gateway' }],
    ['nat-gateway', { interfaceType: 'natGateway' }],
    ['nat-gateway', { description: 'Interface for NAT Gateway nat-00000000000000001' }],
    ['vpc-endpoint', { interfaceType: 'vpc_endpoint', description: 'VPC Endpoint Interface vpce-1' }],
    ['vpc-endpoint', { interfaceType: 'gateway_load_balancer_endpoint' }],
    ['transit-gateway', { interfaceType: 'transit_gateway' }],
    ['lambda', { interfaceType: 'lambda', description: 'AWS Lambda VPC ENI-fn-0' }],
    ['efs', { description: 'EFS mount target for fs-1 (fsmt-1)', requesterManaged: true }],
    ['rds', { description: 'RDSNetworkInterface', requesterManaged: true }],
    ['rds', { description: 'Network interface for DBProxy db', requesterManaged: true }],
    ['elasticache', { description: 'ElastiCache cache-1', requesterManaged: true }],
    ['redshift', { description: 'RedshiftNetworkInterface' }],
    ['dms', { description: 'DMSNetworkInterface' }],
    ['dax', { description: 'DAX cluster' }],
    ['directory', { description: 'AWS created network interface for directory d-1' }],
    ['cloudhsm', { description: 'CloudHSM Managed Interface' }],
    ['emr', { description: 'Managed by ElasticMapReduce' }],
    ['codestar', { interfaceType: 'aws_codestar_connections_managed' }],
    ['api-gateway', { interfaceType: 'api_gateway_managed' }],
    ['api-gateway', { description: 'ENI managed by APIGateway' }],
    ['quicksight', { interfaceType: 'quicksight' }],
    ['global-accelerator', { interfaceType: 'global_accelerator_managed' }],
    ['ecs-task', { description: 'arn:aws-us-gov:ecs:us-gov-west-1:111111111111:attachment/0-0' }],
    ['route53-resolver', { description: 'Route 53 Resolver: rslvr-in-1' }],
    ['instance-other', { attachment: { ...onInstance, deviceIndex: 1 } }],
    ['unattached', { status: 'available' }],
    ['aws-managed', { requesterManaged: true, interfaceType: 'something_new' }],
    ['aws-managed', { operatorManaged: true, status: 'available' }],
    ['unknown', { interfaceType: 'something_new' }],
  ];
  test.each(table)('%s: %j', (expected, fields) => expect(classifyEni(eni(fields))).toBe(expected));

  test('a first interface with nothing on it waits for what its instance turns out to be', () => {
    expect(classifyEni(eni({ attachment: onInstance }))).toBe('primary-of-instance');
    expect(classifyEni(eni({ attachment: onInstance }), { tags: tags({ 'eks:cluster-name': 'prod' }) })).toBe(
      'node-primary',
    );
    expect(classifyEni(eni({ attachment: onInstance }), { tags: tags({ 'karpenter.sh/nodepool': 'x' }) })).toBe(
      'karpenter-node-primary',
    );
    expect(
      classifyEni(eni({ attachment: onInstance }), { tags: tags({ 'kubernetes.io/cluster/prod': 'shared' }) }),
    ).toBe('primary-of-instance');
  });

  test('an instance that somebody described as EKS is still an instance', () => {
    expect(
      classifyEni(eni({ description: 'Amazon EKS jump host', attachment: { ...onInstance, deviceIndex: 1 } })),
    ).toBe('instance-other');
  });
});

describe('whose cluster', () => {
  test.each<[string | undefined, EniFields, Record<string, string> | undefined]>([
    ['prod', { tags: { 'cluster.k8s.amazonaws.com/name': 'prod' } }, undefined],
    ['prod', { tags: { 'eks:eks-cluster-name': 'prod' } }, undefined],
    ['prod', { tags: { 'kubernetes.io/cluster/prod': 'owned' } }, undefined],
    [undefined, { tags: { 'kubernetes.io/cluster/prod': 'shared' } }, undefined],
    ['prod', { description: 'Amazon EKS prod', attachment: byService('999999999999') }, undefined],
    ['prod', { description: 'aws-K8S-i-1', attachment: onInstance }, { 'eks:cluster-name': 'prod' }],
    [
      'own',
      { tags: { 'cluster.k8s.amazonaws.com/name': 'own' }, attachment: onInstance },
      { 'eks:cluster-name': 'other' },
    ],
    [undefined, {}, undefined],
  ])('%s: %j, instance %j', (expected, fields, instance) => {
    expect(clusterOfEni(eni(fields), instance === undefined ? undefined : { tags: tags(instance) })).toBe(expected);
  });
});
