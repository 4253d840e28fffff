/** `eks describe-cluster`. */
import type { Place } from '../../core/input/place.ts';
import type { ClusterFacts } from '../../core/subnet/snapshot.ts';
import { enveloped } from './documents.ts';
import { defined, type Fields, flagAt, optionalObjectAt, optionalTextAt, textAt, textsAt } from './fields.ts';
import { healthIssuesOf } from './health-issues.ts';
import { tagMapAt } from './tags.ts';

/** One cluster, in its envelope `cluster` or bare. */
export function decodeCluster(document: unknown, place: Place): ClusterFacts {
  const [fields, inside] = enveloped(document, place, { command: 'eks describe-cluster', key: 'cluster' }, 'name');
  const vpc = optionalObjectAt(fields, 'resourcesVpcConfig', inside) ?? {};
  const vpcPlace = inside.at('resourcesVpcConfig');
  const compute = optionalObjectAt(fields, 'computeConfig', inside);
  return defined({
    name: textAt(fields, 'name', inside, 'a cluster name'),
    vpcId: optionalTextAt(vpc, 'vpcId', vpcPlace),
    subnetIds: [...textsAt(vpc, 'subnetIds', vpcPlace)].sort(),
    version: optionalTextAt(fields, 'version', inside),
    status: optionalTextAt(fields, 'status', inside),
    ipFamily: ipFamily(fields, inside),
    autoMode: compute !== undefined && flagAt(compute, 'enabled', inside.at('computeConfig')),
    healthIssues: healthIssuesOf(fields, inside),
    tags: tagMapAt(fields, 'tags', inside),
  });
}

function ipFamily(fields: Fields, place: Place): 'ipv4' | 'ipv6' | undefined {
  const network = optionalObjectAt(fields, 'kubernetesNetworkConfig', place);
  const family = network && optionalTextAt(network, 'ipFamily', place.at('kubernetesNetworkConfig'));
  return family === 'ipv4' || family === 'ipv6' ? family : undefined;
}
