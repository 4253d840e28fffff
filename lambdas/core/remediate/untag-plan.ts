/** `plan --untag`: what taking a selector's tag away would do, as a decision like any other, though never one that Headroom carries out. */
import type { DocumentPlan } from '../../contract/document.ts';
import type { AssessContext } from '../assess/context.ts';
import { driftWords, type UntagEffect } from '../assess/untag.ts';
import { count, list, nameOf } from '../assess/words.ts';

export function untagPlan(context: AssessContext, effect: UntagEffect): DocumentPlan {
  const facts = context.subnets.get(effect.subnetId)?.facts;
  if (facts === undefined) throw new RangeError(`${effect.subnetId} is not in the facts`);
  const { keys, nodeClasses, replaced } = effect;
  const emptied = nodeClasses.filter(({ selectedAfter }) => selectedAfter === 0).map(({ nodeClass }) => nodeClass);
  const kept = nodeClasses.reduce((sum, one) => sum + (one.stillSelected ? (one.nodes?.length ?? 0) : 0), 0);
  return {
    subject: `untag/${facts.subnetId}`,
    action: 'untag',
    mode: 'observe',
    findingIds: effect.findings.map(({ id }) => id),
    vpcId: facts.vpcId,
    zone: facts.availabilityZone,
    zoneId: facts.availabilityZoneId,
    subnetId: facts.subnetId,
    summary:
      keys.length === 0
        ? `No selector finds ${nameOf(facts)} by a tag: there is none to take away.`
        : `Take ${keys.join(', ')} off ${nameOf(facts)}: ${driftWords(replaced)}`,
    reason: nodeClasses
      .map(({ nodeClass, stillSelected, selectedAfter, nodes }) => {
        const standing = nodes === null ? 'an unknown number of nodes' : count(nodes.length, 'node');
        return stillSelected
          ? `${nodeClass} still selects it (${standing} stay)`
          : `${nodeClass} selects ${count(selectedAfter, 'subnet')} afterwards, not this one (${standing} there)`;
      })
      .join('; '),
    effect: { nodesReplaced: { before: 0, after: replaced }, nodesKept: { before: kept, after: kept } },
    cost: replaced === 0 ? 'None.' : 'The nodes are launched anew elsewhere; their addresses are needed there.',
    risk:
      emptied.length > 0
        ? `${list(emptied)} would select no subnet any more: nothing launches, and expiry goes on.`
        : 'Pods are evicted at the pace of the disruption budgets.',
    undo: 'Put the tag back; nodes that were replaced by then stay where they are.',
    guards: [],
    writes: [],
    rejected: [],
    infrastructureCode: [],
    commands:
      keys.length === 0
        ? []
        : [`aws ec2 delete-tags --resources ${facts.subnetId} --tags ${keys.map((key) => `Key=${key}`).join(' ')}`],
  };
}
