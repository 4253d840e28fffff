import { expect, test } from '@jest/globals';
import { parseConfiguration } from '../../../lambdas/adapters/describe/addon-configuration.ts';
import { decodeAddon } from '../../../lambdas/adapters/describe/eks-addon.ts';
import { readEks } from '../../../lambdas/adapters/eks/clusters.ts';
import type { EksCalls } from '../../../lambdas/adapters/eks/eks-calls.ts';
import { Place } from '../../../lambdas/core/input/place.ts';

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

/** Read live, and of the file that a reading keeps. */
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
  ['JSON with a key twice: the last one counts', '{"env": {"MAX_ENI": "1", "MAX_ENI": "2"}}', { MAX_ENI: '2' }],
  ['JSON with one part twice', '{"env": {"MAX_ENI": "1"}, "env": {"WARM_ENI_TARGET": 2}}', { WARM_ENI_TARGET: '2' }],
  ['YAML', 'env:\n  WARM_PREFIX_TARGET: 1 # one\n', { WARM_PREFIX_TARGET: '1' }],
])('the configuration of an add-on may be %s', async (_, text, env) => {
  const { addons } = await readEks(eks(text), NO_TAPS, new Set(['vpc-00000001']));
  expect(addons.failures).toEqual([]);
  expect(Object.fromEntries(addons.items[0]?.env ?? [])).toEqual(env);
  const document = { addon: { clusterName: 'blue', addonName: 'vpc-cni', configurationValues: text } };
  expect(decodeAddon(document, Place.of('addons.json'), parseConfiguration).env).toEqual(addons.items[0]?.env);
});

test('YAML with a key twice is refused in both', async () => {
  const text = 'env:\n  MAX_ENI: 1\n  MAX_ENI: 2\n';
  const { addons } = await readEks(eks(text), NO_TAPS, new Set(['vpc-00000001']));
  expect(addons.failures).toMatchObject([{ input: 'addons', message: expect.stringContaining('unique') }]);
  const document = { addon: { clusterName: 'blue', addonName: 'vpc-cni', configurationValues: text } };
  expect(() => decodeAddon(document, Place.of('addons.json'), parseConfiguration)).toThrow(/unique/);
});

test('one that is neither leaves the add-on unknown, and says why', async () => {
  const { addons } = await readEks(eks('{"env": ['), NO_TAPS, new Set(['vpc-00000001']));
  expect(addons.items).toEqual([]);
  expect(addons.failures).toEqual([
    expect.objectContaining({ input: 'addons', message: expect.stringMatching(/cannot be parsed .* JSON or YAML/) }),
  ]);
});
