/** `health.issues` of EKS: nobody sends an event for these. */
import type { Place } from '../../core/input/place.ts';
import type { HealthIssue } from '../../core/subnet/snapshot.ts';
import { asObject, type Fields, optionalListAt, optionalObjectAt, optionalTextAt, textAt, textsAt } from './fields.ts';

/** The issues of a cluster, node group or add-on; none where it says nothing of its health. Codes are open strings. */
export function healthIssuesOf(fields: Fields, place: Place): readonly HealthIssue[] {
  const health = optionalObjectAt(fields, 'health', place);
  if (health === undefined) return [];
  const inside = place.at('health');
  return optionalListAt(health, 'issues', inside).map((item, index) => {
    const at = inside.at('issues').at(index);
    const issue = asObject(item, at);
    return {
      code: textAt(issue, 'code', at, 'an issue code'),
      message: optionalTextAt(issue, 'message', at) ?? '',
      resourceIds: textsAt(issue, 'resourceIds', at),
    };
  });
}
