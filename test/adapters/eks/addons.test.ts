import { expect, test } from '@jest/globals';
import { readEks } from '../../../lambdas/adapters/eks/clusters.ts';
import type { EksCalls } from '../../../lambdas/adapters/eks/eks-calls.ts';

const CLUSTER = {
  name: 'blue',
  arn: 'arn:aws:eks:eu-central-1:111122223333:cluster/blue',
  version: '1.33',
  status: 'ACTIVE',
  resourcesVpcConfig: { vpcId: 'vpc-00000001', subnetIds: ['subnet-00000001'] },
  kubernetesNetworkConfig: { ipFamily: 'ipv4' },
};

/** EKS with one cluster, whose CNI has this configuration. */
const eks = (configurationValues: string | undefined) =>
  ({
    listClusters: async () => ({ clusters: ['blue'] }),
    cluster: async () => ({ cluster: CLUSTER }),
    listNodegroups: async () => ({ nodegroups: [] }),
    addon: async () => ({ addon: { clusterName: 'blue', addonName: 'vpc-cni', configurationValues } }),
  }) as unknown as EksCalls;

const NO_TAPS = { raw: undefined, progress: undefined, pageSize: undefined };

test.each<[string, string | undefined, Record<string, string>]>([
  ['none', undefined, {}],
  ['blank', ' \n', {}],
  [
    'JSON',
    '{"env": {"WARM_PREFIX_TARGET": 1, "ENABLE_PREFIX_DELEGATION": "true"}}',
    {
      WARM_PREFIX_TARGET: '1',
      ENABLE_PREFIX_DELEGATION: 'true',
    },
  ],
  ['JSON that says nothing', 'null', {}],
  ['YAML', 'env:\n  WARM_PREFIX_TARGET: 1 # one\n', { WARM_PREFIX_TARGET: '1' }],
])('the configuration of an add-on may be %s', async (_, text, env) => {
  const { addons } = await readEks(eks(text), NO_TAPS, new Set(['vpc-00000001']));
  expect(addons.failures).toEqual([]);
  expect(Object.fromEntries(addons.items[0]?.env ?? [])).toEqual(env);
});

test('one that is neither leaves the add-on unknown, and says why', async () => {
  const { addons } = await readEks(eks('{"env": ['), NO_TAPS, new Set(['vpc-00000001']));
  expect(addons.items).toEqual([]);
  expect(addons.failures).toEqual([
    expect.objectContaining({ input: 'addons', message: expect.stringMatching(/cannot be parsed .* JSON or YAML/) }),
  ]);
});
