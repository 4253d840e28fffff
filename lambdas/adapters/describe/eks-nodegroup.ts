/** `eks describe-nodegroup`. */
import type { Place } from '../../core/input/place.ts';
import type { NodegroupFacts } from '../../core/subnet/snapshot.ts';
import { enveloped } from './documents.ts';
import { defined, optionalCountAt, optionalObjectAt, optionalTextAt, textAt, textsAt } from './fields.ts';
import { healthIssuesOf } from './health-issues.ts';

/** One node group, in its envelope `nodegroup` or bare. */
export function decodeNodegroup(document: unknown, place: Place): NodegroupFacts {
  const shape = { command: 'eks describe-nodegroup', key: 'nodegroup' };
  const [fields, inside] = enveloped(document, place, shape, 'nodegroupName');
  const scaling = optionalObjectAt(fields, 'scalingConfig', inside);
  return defined({
    cluster: textAt(fields, 'clusterName', inside, 'a cluster name'),
    name: textAt(fields, 'nodegroupName', inside, 'a node group name'),
    subnetIds: [...textsAt(fields, 'subnets', inside)].sort(),
    instanceTypes: textsAt(fields, 'instanceTypes', inside),
    status: optionalTextAt(fields, 'status', inside),
    desiredSize: scaling && optionalCountAt(scaling, 'desiredSize', inside.at('scalingConfig')),
    healthIssues: healthIssuesOf(fields, inside),
  });
}
