/** When a full subnet keeps a cluster's zone critical, and when the rest of the zone makes up for it. */
import { expect, test } from '@jest/globals';
import { reportOf } from '../../../lambdas/core/assess/assess.ts';
import type { ClusterReport } from '../../../lambdas/core/assess/report.ts';
import { eni, region, subnet } from '../../support/builders.ts';
import { contextOf } from '../../support/case-region.ts';
import { cluster, daemonSet, inside, instance, M5_LARGE, nodeClass, read, term } from '../../support/cluster-facts.ts';

interface Zone {
  /** Of the CNI; none, and nobody knows where new interfaces go. */
  readonly version?: string;
  readonly discovery?: boolean;
  /** CIDR of the second subnet: how many nodes it could take. */
  readonly second?: string;
  /** Whether the second subnet is open to Karpenter, and to the CNI. */
  readonly open?: { readonly karpenter: boolean; readonly cni: boolean };
  /** Whether the full subnet is closed to the CNI. */
  readonly closed?: boolean;
  /** Whether a node stands in the full subnet. */
  readonly node?: boolean;
}

/** Addresses held in each /28 of the full subnet: so many that Karpenter, which ranks by what is available, goes elsewhere for a while. */
const HELD = 10;

/** A /24 with addresses in each of its /28s, and a second subnet of the same zone. */
function severityOf({ version, discovery = true, second = '10.0.4.0/24', open, closed = false, node = true }: Zone) {
  const karpenter = { 'karpenter.sh/discovery': 'prod' };
  const full = subnet('10.0.0.0/24', {
    subnetId: 'subnet-full',
    availableIps: 251 - 14 * HELD - (node ? 1 : 0),
    tags: { ...karpenter, ...(closed ? { 'kubernetes.io/role/cni': '0' } : {}) },
  });
  const [, bits] = second.split('/');
  const other = subnet(second, {
    subnetId: 'subnet-other',
    availableIps: 2 ** (32 - Number(bits)) - 5,
    tags: {
      ...(open?.karpenter === true ? karpenter : {}),
      ...(open?.cni === true ? { 'kubernetes.io/role/cni': '1' } : {}),
    },
  });
  const owner = { 'eks:eks-cluster-name': 'prod', 'karpenter.k8s.aws/ec2nodeclass': 'default' };
  const facts = region([full, other], {
    clusters: read([cluster('prod')]),
    instances: read(node ? [instance('i-1', 'subnet-full', owner)] : []),
    instanceTypes: read([M5_LARGE]),
    kubernetes: [
      inside({
        cluster: 'prod',
        nodeClasses: read([nodeClass('default', [term(karpenter)])]),
        daemonSet: read(
          daemonSet({ ENABLE_PREFIX_DELEGATION: 'true', ENABLE_SUBNET_DISCOVERY: String(discovery) }, version),
        ),
      }),
    ],
  });
  const blockers = Array.from({ length: 14 }, (_, n) =>
    eni({ subnetId: 'subnet-full', addresses: Array.from({ length: HELD }, (_, at) => `10.0.0.${(n + 1) * 16 + at}`) }),
  );
  const own = node
    ? [eni({ subnetId: 'subnet-full', addresses: ['10.0.0.9'], attachment: { instanceId: 'i-1', deviceIndex: 0 } })]
    : [];
  const report = reportOf(contextOf(facts, [...blockers, ...own]));
  expect(report.findings).toContainEqual(
    expect.objectContaining({ code: 'PREFIX_EXHAUSTED', subnetId: 'subnet-full', severity: 'critical' }),
  );
  return (report.clusters as readonly ClusterReport[]).find((one) => one.cluster === 'prod')?.zones[0]?.severity;
}

const BOTH = { karpenter: true, cni: true };

test('critical while nothing else serves the zone, a warning once nodes and pods are served by another subnet', () => {
  expect(severityOf({ version: '1.22.1' })).toBe('critical');
  expect(severityOf({ version: '1.22.1', open: BOTH })).toBe('warning');
  expect(severityOf({ version: '1.18.0', open: BOTH })).toBe('warning');
});

test('critical where the pods of the nodes that stand there would go on waiting for it', () => {
  expect(severityOf({ version: '1.22.1', open: { karpenter: true, cni: false } })).toBe('critical');
  expect(severityOf({ version: '1.22.1', discovery: false, open: BOTH })).toBe('critical');
  expect(severityOf({ version: '1.17.1', open: BOTH })).toBe('critical');
  expect(severityOf({ open: BOTH })).toBe('critical');
});

test('critical where the CNI has no subnet at all to go to', () => {
  expect(severityOf({ version: '1.22.1', closed: true, open: { karpenter: true, cni: false } })).toBe('critical');
  expect(severityOf({ version: '1.22.1', closed: true, open: BOTH })).toBe('warning');
});

test('a warning without regard to the CNI where no node stands there', () => {
  expect(severityOf({ node: false, open: { karpenter: true, cni: false } })).toBe('warning');
});

test('critical where new nodes would go on landing in it, or the rest takes fewer than are low', () => {
  expect(severityOf({ version: '1.22.1', open: { karpenter: false, cni: true } })).toBe('critical');
  // Two /28s that may be prefixes: two nodes, where three are asked for.
  expect(severityOf({ version: '1.22.1', second: '10.0.4.0/26', open: BOTH })).toBe('critical');
});
