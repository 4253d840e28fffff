/** Opens a subnet that stands ready: the tags by which the cluster's own consumers find it. */
import { TAGS } from '../../contract/tags.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { nodeHeadroom } from '../assess/headroom.ts';
import { inEffect, type StandbyVerdict, standbyVerdicts } from '../assess/standby.ts';
import { addresses, count, nameOf } from '../assess/words.ts';
import { isFull } from '../subnet/ledger.ts';
import { type ActivationTags, activationTags } from './activation-tags.ts';
import { afterwards } from './afterwards.ts';
import { certainGuard, configuredGuard, notProtectedGuard, ownerGuard, readGuard } from './fact-guards.ts';
import { availableOf, placeOf, type RoomNeed } from './need.ts';
import { type Decision, failedGuards, guard, inGuardOrder, type Rejected, type Write } from './plan.ts';
import type { PlanSettings } from './settings.ts';
import { simulate, simulationWords } from './simulate.ts';

/** Candidates that are looked at closely, in their order; each costs one more look at the whole region. */
const MOST_CANDIDATES = 5;

export interface Candidates {
  readonly fit: readonly StandbyVerdict[];
  readonly rejected: readonly Rejected[];
}

/** Subnets that could stand in, in their stated order (marked for the cluster, more nodes, more addresses, id), and why each other one cannot. */
export function candidatesFor(context: AssessContext, need: RoomNeed): Candidates {
  const verdicts = standbyVerdicts(context, need.cluster, need.trouble, inEffect(context));
  return {
    fit: verdicts.filter(({ reason }) => reason === undefined),
    rejected: verdicts.flatMap(({ view, reason }) =>
      reason === undefined ? [] : [{ subnetId: view.facts.subnetId, reason }],
    ),
  };
}

/**
 * The activation that answers a need: of the first candidate that passes every guard, or else of the first one, with the guards it fails.
 *
 * @returns `undefined` where nothing could stand in.
 */
export function activateStandby(
  context: AssessContext,
  settings: PlanSettings,
  need: RoomNeed,
  findingIds: readonly string[],
  candidates: Candidates = candidatesFor(context, need),
): Decision | undefined {
  const tags = activationTags(context, need.cluster, need.trouble.facts);
  let first: Decision | undefined;
  for (const candidate of candidates.fit.slice(0, MOST_CANDIDATES)) {
    const decision = activation({ context, settings, need, findingIds, candidates, tags }, candidate);
    if (failedGuards(decision).length === 0) return decision;
    first ??= decision;
  }
  return first;
}

interface Activation {
  readonly context: AssessContext;
  readonly settings: PlanSettings;
  readonly need: RoomNeed;
  readonly findingIds: readonly string[];
  readonly candidates: Candidates;
  readonly tags: ActivationTags;
}

function activation(input: Activation, candidate: StandbyVerdict): Decision {
  const { context, settings, need, findingIds, candidates, tags } = input;
  const { cluster, zone, trouble } = need;
  const { facts } = candidate.view;
  const id = facts.subnetId;
  const writes: readonly Write[] =
    tags.tags.size === 0
      ? []
      : [
          {
            kind: 'setTags',
            resourceId: id,
            tags: Object.fromEntries([...tags.tags, [TAGS.activatedFor, cluster.name]]),
            stamp: TAGS.activatedAt,
          },
        ];
  const after = afterwards(context, writes);
  const simulation = simulate(context, after, cluster.name, id, trouble.facts);
  const foreign = context.facts.account !== undefined && facts.ownerId !== context.facts.account;
  const guards = [
    readGuard(context, [trouble, candidate.view], ['routeTables', 'networkAcls']),
    certainGuard(need.certain && candidate.nodes !== null, words(need, candidate)),
    guard(
      'marked-standby',
      candidate.marked,
      candidate.marked
        ? `${TAGS.standbyFor} = ${cluster.name}`
        : `${id} does not carry ${TAGS.standbyFor} = ${cluster.name}`,
    ),
    notProtectedGuard(settings, candidate.view),
    ownerGuard(context, candidate.view),
    guard(
      'same-place',
      true,
      `${facts.vpcId}, ${facts.availabilityZoneId}, routes and ACL as ${trouble.facts.subnetId}`,
    ),
    guard('enough-room', candidate.nodes !== 0, roomOf(candidate)),
    tagGuard(tags, candidate.view),
    configuredGuard(settings, cluster.name, tags, trouble.facts.tags),
    guard('pick-changes', simulation.changes, simulationWords(simulation, id)),
  ];
  const wanted = settings.mode.activateStandby;
  return {
    subject: `activateStandby/${placeOf(cluster, zone)}/${id}`,
    action: 'activateStandby',
    findingIds,
    vpcId: facts.vpcId,
    zone: zone.zone,
    zoneId: zone.zoneId,
    cluster: cluster.name,
    subnetId: id,
    relieves: trouble.facts.subnetId,
    summary: `Open ${nameOf(facts)} to ${cluster.name}: ${roomOf(candidate)}.${tagWords(tags)}`,
    reason:
      `${reasonOf(need)} ${simulationWords(simulation, id)}${tags.notes.map((note) => ` ${sentence(note)}`).join('')}`.trim(),
    effect: effectOf(need, candidate.view, after),
    cost: 'None: the subnet and its addresses are there already, and tags cost nothing.',
    risk: 'Nodes launched there stay when the tag goes: taking it away later makes Karpenter replace them. Adding it replaces none.',
    undo: 'Safe while no node of the cluster stands there; after that it is refused, with the number of nodes that would be replaced.',
    guards: inGuardOrder(guards),
    writes,
    mode: wanted === 'auto' && (foreign || !settings.iacIgnoresTags) ? 'propose' : wanted,
    simulation,
    rejected: candidates.rejected,
    infrastructureCode: iacLines(tags),
    commands: writes.length === 0 ? [] : [tagCommand(id, tags)],
  };
}

function words({ certain, trouble }: RoomNeed, { nodes }: StandbyVerdict): string {
  if (nodes === null) return 'how many nodes the standby could serve is not known';
  return certain
    ? 'both ends of every range decide alike'
    : `what is free in ${trouble.facts.subnetId} lies in a range whose ends decide differently`;
}

function roomOf({ view, nodes }: StandbyVerdict): string {
  const free = isFull(view.ledger) ? `, ${count(view.ledger.freePrefixesRange.min, 'free /28')} or more` : '';
  const served = nodes === null ? '' : `, room for ${count(nodes, 'node')}`;
  return `${addresses(availableOf(view))} available${free}${served}`;
}

function reasonOf({ cluster, zone, trouble, nodes, below }: RoomNeed): string {
  const left =
    nodes === null
      ? `${trouble.facts.subnetId} has ${addresses(availableOf(trouble))} left`
      : `${cluster.name} can take ${nodes === 0 ? 'no more node' : count(nodes, 'more node')} in ${zone.zone} (fewer than ${below})`;
  return `${left}.`;
}

function sentence(note: string): string {
  return `${note[0]?.toUpperCase()}${note.slice(1)}.`;
}

function tagWords({ tags }: ActivationTags): string {
  const pairs = [...tags].map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '' : ` Tags: ${pairs.join(', ')}.`;
}

/** An existing value is never overwritten, whoever it serves. */
function tagGuard({ tags, notes }: ActivationTags, { facts }: SubnetView) {
  if (tags.size === 0) {
    return guard(
      'tag-free',
      false,
      notes.length === 0 ? 'no selector of the cluster looks at a tag here' : notes.join('; '),
    );
  }
  const taken = [...tags].filter(([key, value]) => (facts.tags.get(key) ?? value) !== value);
  return taken.length === 0
    ? guard('tag-free', true, `${[...tags.keys()].join(', ')}: free, or as wanted`)
    : guard('tag-free', false, taken.map(([key]) => `${key} is ${facts.tags.get(key)} already`).join('; '));
}

function effectOf({ cluster, zone, nodes }: RoomNeed, standby: SubnetView, after: AssessContext): Decision['effect'] {
  const next = after.clusters.find(({ name }) => name === cluster.name);
  const views = [...zone.views.filter(({ facts }) => facts.subnetId !== standby.facts.subnetId), standby];
  const grown = { ...zone, views: views.map(({ facts }) => after.subnets.get(facts.subnetId) as SubnetView) };
  const sum = (of: readonly SubnetView[]) => of.reduce((total, view) => total + availableOf(view), 0);
  return {
    nodesInZone: { before: nodes, after: next === undefined ? null : nodeHeadroom(next, grown, 'min') },
    availableIpsInZone: { before: sum(zone.views), after: sum(grown.views) },
  };
}

/** Terraform's spelling, which most subnets of clusters are made with; for other tools the keys are what counts. */
function iacLines({ tags }: ActivationTags): readonly string[] {
  if (tags.size === 0) return [];
  const keys = [...tags.keys()].map((key) => `"${key}"`).join(', ');
  return [
    '# provider "aws": leave alone what Headroom sets',
    `ignore_tags { key_prefixes = ["headroom:activated-"] keys = [${keys}] }`,
    '# or, to keep the subnet open for good, in its aws_subnet:',
    `tags = { ${[...tags].map(([key, value]) => `"${key}" = "${value}"`).join(', ')} }`,
  ];
}

function tagCommand(subnetId: string, { tags }: ActivationTags): string {
  const pairs = [...tags].map(([key, value]) => `Key=${key},Value=${value}`).join(' ');
  return `aws ec2 create-tags --resources ${subnetId} --tags ${pairs}`;
}
