/** Activations that somebody else took back: infrastructure code whose next run removes what it does not know. */

import type { Finding } from '../../contract/finding.ts';
import { TAG_PREFIX } from '../../contract/tags.ts';
import type { AssessContext } from '../assess/context.ts';
import { finding } from '../assess/finding.ts';
import { list, nameOf } from '../assess/words.ts';
import type { StoredPlan } from './stored-plan.ts';
import type { UndoLedger } from './undo.ts';

/** `ACTIVATION_REVERTED`: for each subnet that Headroom opened and did not close, whose selector tags are gone or have another value. */
export function revertedActivations(
  context: AssessContext,
  plans: readonly StoredPlan[],
  ledgers: ReadonlyMap<string, UndoLedger>,
): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const { id, state, decision } of plans) {
    if (state !== 'applied' || decision.action !== 'activateStandby') continue;
    const subnet = context.subnets.get(decision.subnetId ?? '')?.facts;
    if (subnet === undefined) continue;
    const lost = (ledgers.get(id)?.changes ?? []).flatMap((change) =>
      change.kind === 'tags' && change.resourceId === subnet.subnetId
        ? Object.entries(change.written).filter(
            ([key, value]) => !key.startsWith(TAG_PREFIX) && subnet.tags.get(key) !== value,
          )
        : [],
    );
    if (lost.length === 0) continue;
    const keys = lost.map(([key]) => key);
    const { cluster } = decision;
    const found = finding(
      'ACTIVATION_REVERTED',
      { subnet, ...(cluster === undefined ? {} : { cluster }) },
      {
        severity: 'critical',
        observed: keys.length,
        threshold: 0,
        message: `Somebody took ${list(keys)} off ${nameOf(subnet)}, which Headroom had opened to ${cluster ?? 'a cluster'}: Karpenter replaces its nodes there.`,
        evidence: { planId: id, tagKeys: keys, lines: decision.infrastructureCode },
        remedy: `Put it back now: ${decision.commands[0] ?? ''}. Then add to the infrastructure code what keeps it from taking the tag away: ${decision.infrastructureCode[1] ?? ''}`,
      },
    );
    findings.set(found.id, found);
  }
  return [...findings.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
