/** `plan --untag`: what taking a selector's tag away would do, as a decision like any other, though never one that Headroom carries out. */
import type { DocumentPlan } from '../../contract/document.ts';
import type { AssessContext } from '../assess/context.ts';
import { driftWords, leftEmpty, type NodeClassEffect, type UntagEffect } from '../assess/untag.ts';
import { count, list, nameOf } from '../assess/words.ts';

export function untagPlan(context: AssessContext, effect: UntagEffect): DocumentPlan {
  const facts = context.subnets.get(effect.subnetId)?.facts;
  if (facts === undefined) throw new RangeError(`${effect.subnetId} is not in the facts`);
  const { keys, nodeClasses, replaced } = effect;
  const emptied = leftEmpty(nodeClasses);
  const kept = keptNodes(nodeClasses);
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
    reason:
      nodeClasses.length === 0
        ? 'No Karpenter selector that is known finds it.'
        : nodeClasses.map((one) => reasonOf(one)).join('; '),
    effect: { nodesReplaced: { before: 0, after: replaced }, nodesKept: { before: kept, after: kept } },
    cost: replaced === 0 ? 'None.' : 'The nodes are launched anew elsewhere; their addresses are needed there.',
    risk:
      emptied.length > 0
        ? `${list(emptied)} would select no subnet any more: nothing launches, and expiry goes on.`
        : replaced === 0
          ? 'None: no node is replaced.'
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

function reasonOf({ nodeClass, stillSelected, selectedAfter, nodes }: NodeClassEffect): string {
  const standing = nodes === null ? 'an unknown number of nodes' : count(nodes.length, 'node');
  if (stillSelected) return `${nodeClass} still selects it (${standing} stay)`;
  const others = selectedAfter === null ? 'none of the subnets that were read' : count(selectedAfter, 'subnet');
  return `${nodeClass} selects ${others} afterwards, not this one (${standing} there)`;
}

/** Nodes of the node classes that still select the subnet; `null` where the nodes of one of them are not known. */
function keptNodes(nodeClasses: readonly NodeClassEffect[]): number | null {
  const kept = nodeClasses.filter(({ stillSelected }) => stillSelected);
  if (kept.some(({ nodes }) => nodes === null)) return null;
  return new Set(kept.flatMap(({ nodes }) => nodes ?? [])).size;
}
