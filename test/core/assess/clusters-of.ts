/** Small regions of numbered subnets, and the clusters that are found in them. */
import type { ClusterModel } from '../../../lambdas/core/assess/cluster-model.ts';
import type { AssessSettings } from '../../../lambdas/core/assess/settings.ts';
import type { EniRecord, RegionFacts, SubnetFacts } from '../../../lambdas/core/subnet/snapshot.ts';
import { eni, region, subnet } from '../../support/builders.ts';
import { contextOf } from '../../support/case-region.ts';

export const DISCOVERY = 'karpenter.sh/discovery';
export const CNI = 'kubernetes.io/role/cni';

/** A /24 with this last digit in its id. */
export function at(n: number, own: Record<string, string> = {}, fields: Partial<SubnetFacts> = {}): SubnetFacts {
  return { ...subnet(`10.0.${n}.0/24`, { subnetId: `subnet-${n}`, tags: own }), ...fields };
}
export const ZONE_B = { availabilityZone: 'us-east-1b', availabilityZoneId: 'use1-az2' };

/** The first interface of a node. */
export function nodePrimary(subnetId: string, instanceId: string, own: Record<string, string>): EniRecord {
  return eni({ subnetId, addresses: ['10.0.1.9'], tags: own, attachment: { instanceId, deviceIndex: 0 } });
}

/** A further interface of a node with two pod addresses. */
export function cniInterface(subnetId: string, instanceId: string, own: Record<string, string> = {}): EniRecord {
  return eni({
    subnetId,
    addresses: ['10.0.1.20', '10.0.1.21', '10.0.1.22'],
    description: `aws-K8S-${instanceId}`,
    tags: own,
    attachment: { instanceId, deviceIndex: 1 },
  });
}

/** By name. */
export function clustersOf(
  subnets: readonly SubnetFacts[],
  facts: Partial<RegionFacts> = {},
  enis?: readonly EniRecord[],
  settings: AssessSettings = {},
): Record<string, ClusterModel> {
  return Object.fromEntries(
    contextOf(region(subnets, facts), enis, settings).clusters.map((found) => [found.name, found]),
  );
}

/** Why the cluster may use each of its subnets. */
export function evidence(model: ClusterModel | undefined): Record<string, readonly string[]> {
  return Object.fromEntries(model?.subnets ?? []);
}
