import { describe, expect, test } from '@jest/globals';
import type { CniFacts } from '../../../lambdas/core/assess/cluster-model.ts';
import { addressablePods, cniDemand, modeOn, warmTargets } from '../../../lambdas/core/assess/cni-demand.ts';
import type { InstanceTypeFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { tags } from '../../support/builders.ts';
import { M5_LARGE } from '../../support/cluster-facts.ts';

type Env = Record<string, string>;

const CUSTOM = { AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG: 'true' };
/** 3 interfaces of 6 addresses. */
const T3_MEDIUM: InstanceTypeFacts = { ...M5_LARGE, instanceType: 't3.medium', ipv4PerEni: 6 };
/** 2 interfaces of 10 addresses, on Xen. */
const M4_LARGE: InstanceTypeFacts = { ...M5_LARGE, instanceType: 'm4.large', nitro: false, maxEnis: 2 };

function cni(mode: CniFacts['mode'], env: Env = {}): CniFacts {
  return { mode, modeEvidence: 'test', customNetworking: env === CUSTOM, env: tags(env) };
}

describe('what the CNI wants for a node in single addresses (m5.large: 3 interfaces of 10)', () => {
  test.each<[string, Env, number, number]>([
    ['one interface filled and one in stock', {}, 0, 20],
    ['still the first one', {}, 9, 20],
    ['the second one begun', {}, 10, 30],
    ['never more interfaces than the type has', {}, 27, 30],
    ['none in stock', { WARM_ENI_TARGET: '0' }, 9, 10],
    ['none in stock, two begun', { WARM_ENI_TARGET: '0' }, 10, 20],
    ['a setting that is no number is passed over', { WARM_ENI_TARGET: 'all' }, 0, 20],
    ['only what is asked for', { WARM_IP_TARGET: '2' }, 5, 8],
    ['at least the minimum', { WARM_IP_TARGET: '2', MINIMUM_IP_TARGET: '8' }, 5, 9],
    ['a minimum alone', { MINIMUM_IP_TARGET: '8' }, 8, 9],
    ['more pods than a minimum alone', { MINIMUM_IP_TARGET: '8' }, 9, 10],
    ['a second interface has an address of its own', { WARM_IP_TARGET: '1' }, 9, 12],
    ['never more addresses than the interfaces hold', { WARM_IP_TARGET: '50' }, 5, 30],
    ['a target of 0 is none', { WARM_IP_TARGET: '0' }, 0, 20],
    ['two targets of 0 are none', { WARM_IP_TARGET: '0', MINIMUM_IP_TARGET: '0' }, 0, 20],
    ['interfaces limited by hand', { MAX_ENI: '1' }, 20, 10],
    ['a limit of 0 is none', { MAX_ENI: '0' }, 20, 30],
    ['a limit above that of the type', { MAX_ENI: '9' }, 27, 30],
    ['with custom networking the first interface holds no pod', CUSTOM, 0, 20],
    ['nor is it counted when the others are full', CUSTOM, 18, 20],
  ])('%s: %j, %i pods', (_, env, pods, ips) => {
    expect(cniDemand(cni('secondary-ip', env), M5_LARGE, pods)).toEqual({ ips, prefixes: 0 });
  });

  test('nothing where one interface is allowed and it may hold no pod', () => {
    const none = { ...cni('secondary-ip', { MAX_ENI: '1' }), customNetworking: true };
    expect(cniDemand(none, M5_LARGE, 5)).toEqual({ ips: 0, prefixes: 0 });
    expect(addressablePods(none, M5_LARGE)).toBe(2);
  });
});

describe('what the CNI wants for a node in prefixes', () => {
  test.each<[string, Env, number, number, number]>([
    ['one and one in stock', {}, 0, 2, 33],
    ['sixteen pods fill one', {}, 16, 2, 33],
    ['a seventeenth begins another', {}, 17, 3, 49],
    ['none in stock', { WARM_PREFIX_TARGET: '0' }, 16, 1, 17],
    ['addresses asked for go before prefixes in stock', { WARM_IP_TARGET: '2', WARM_PREFIX_TARGET: '4' }, 14, 1, 17],
    ['and begin another where they do not fit', { WARM_IP_TARGET: '3' }, 14, 2, 33],
    ['a target of 0 is none', { WARM_IP_TARGET: '0' }, 0, 2, 33],
  ])('%s: %j, %i pods', (_, env, pods, prefixes, ips) => {
    expect(cniDemand(cni('prefix', env), M5_LARGE, pods)).toEqual({ ips, prefixes });
  });

  test('each interface that they need has a first address too, and no more fit than there are slots', () => {
    // 5 slots on each of 3 interfaces.
    expect(cniDemand(cni('prefix'), T3_MEDIUM, 64)).toEqual({ ips: 1 + 5 * 16, prefixes: 5 });
    expect(cniDemand(cni('prefix'), T3_MEDIUM, 65)).toEqual({ ips: 2 + 6 * 16, prefixes: 6 });
    expect(cniDemand(cni('prefix', { WARM_PREFIX_TARGET: '40' }), T3_MEDIUM, 0)).toEqual({
      ips: 3 + 15 * 16,
      prefixes: 15,
    });
  });

  test('a type that is not of Nitro takes single addresses', () => {
    expect(cniDemand(cni('prefix'), M4_LARGE, 0)).toEqual({ ips: 20, prefixes: 0 });
    expect([modeOn(cni('prefix'), M4_LARGE), modeOn(cni('prefix'), M5_LARGE)]).toEqual(['secondary-ip', 'prefix']);
    expect([modeOn(cni('prefix'), undefined), modeOn(cni('auto'), M4_LARGE)]).toEqual(['prefix', 'auto']);
  });
});

test('neither an unknown mode nor Auto Mode has such a demand', () => {
  for (const mode of ['unknown', 'auto'] as const) {
    expect(cniDemand(cni(mode), M5_LARGE, 5)).toBeUndefined();
    expect(addressablePods(cni(mode), M5_LARGE)).toBeUndefined();
  }
});

describe('the pods that a node has addresses for', () => {
  test.each<[CniFacts['mode'], Env, InstanceTypeFacts, number]>([
    ['secondary-ip', {}, M5_LARGE, 29],
    ['secondary-ip', {}, T3_MEDIUM, 17],
    ['secondary-ip', { MAX_ENI: '2' }, M5_LARGE, 20],
    ['secondary-ip', CUSTOM, M5_LARGE, 20],
    ['prefix', {}, M5_LARGE, 434],
    ['prefix', CUSTOM, M5_LARGE, 290],
    ['prefix', {}, M4_LARGE, 20],
  ])('%s with %j on %j: %i', (mode, env, type, pods) => {
    expect(addressablePods(cni(mode, env), type)).toBe(pods);
  });
});

test.each([
  [0, 2, 2],
  [5, 2, 8],
  [20, 2, 30],
  [21, 3, 32],
])('%i pods fit WARM_IP_TARGET=%i and MINIMUM_IP_TARGET=%i', (pods, warmIpTarget, minimumIpTarget) => {
  expect(warmTargets(pods)).toEqual({ warmIpTarget, minimumIpTarget });
});
