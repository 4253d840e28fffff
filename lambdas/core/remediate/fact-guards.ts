/** Guards that several actions share: what was read, how certain it is, whose it is. */
import { TAGS } from '../../contract/tags.ts';
import { CNI_SCOPE_TAG, DISCOVERY_TAG } from '../assess/cluster-model.ts';
import type { AssessContext, SubnetView } from '../assess/context.ts';
import { matchesFilterValue } from '../assess/selection/selectors.ts';
import { isFull } from '../subnet/ledger.ts';
import type { SubnetSelectorTerm, Tags } from '../subnet/snapshot.ts';
import type { ActivationTags } from './activation-tags.ts';
import { type Guard, guard } from './plan.ts';
import type { PlanSettings } from './settings.ts';

type FactPart = 'routeTables' | 'networkAcls' | 'instances' | 'reservations';

/** Everything that the decision rests on was asked for and read to its end. */
export function readGuard(context: AssessContext, views: readonly SubnetView[], parts: readonly FactPart[]): Guard {
  const unread = views.filter(({ ledger }) => !isFull(ledger)).map(({ facts }) => `interfaces of ${facts.subnetId}`);
  for (const part of parts) if (context.facts[part].state !== 'read') unread.push(part);
  if (parts.includes('reservations')) {
    for (const { facts, reservations } of views) {
      if (reservations === undefined) unread.push(`reservations of ${facts.subnetId}`);
    }
  }
  return unread.length === 0
    ? guard('facts-read', true, `interfaces${parts.length === 0 ? '' : `, ${parts.join(', ')}`}: read`)
    : guard('facts-read', false, `not read: ${unread.join(', ')}`);
}

export function certainGuard(certain: boolean, detail: string): Guard {
  return guard('facts-certain', certain, detail);
}

export function notProtectedGuard(settings: PlanSettings, { facts }: SubnetView): Guard {
  const { subnetId, tags } = facts;
  if (tags.has(TAGS.protected)) return guard('not-protected', false, `${subnetId} carries ${TAGS.protected}`);
  if (settings.excludeSubnets.has(subnetId)) return guard('not-protected', false, `${subnetId} is excluded by name`);
  const excluded = [...settings.excludeTags].find(([key, value]) => tags.get(key) === value);
  return excluded === undefined
    ? guard('not-protected', true, `no ${TAGS.protected}, not excluded`)
    : guard('not-protected', false, `${subnetId} is excluded by ${excluded[0]} = ${excluded[1]}`);
}

/** @param onlyOwn whether another account's subnet is out of the question, and not only a matter for a person. */
export function ownerGuard({ facts: { account } }: AssessContext, { facts }: SubnetView, onlyOwn = false): Guard {
  const { ownerId, subnetId } = facts;
  if (account === undefined || ownerId === undefined) {
    return guard('owner-known', false, `whose account ${subnetId} is of is not known`);
  }
  if (ownerId === account) return guard('owner-known', true, `of this account, ${account}`);
  return guard(
    'owner-known',
    !onlyOwn,
    `shared by account ${ownerId}: ${onlyOwn ? 'only its owner may do this' : 'tagging only, by approval only'}`,
  );
}

/** The role's conditions are made of the configuration: what they do not cover would be denied. */
export function configuredGuard(
  settings: PlanSettings,
  cluster: string,
  { tags, cniKeys }: ActivationTags,
  troubleTags: Tags,
): Guard {
  if (settings.configured === undefined) {
    return guard('configured-cluster', true, 'no configuration given to hold it against');
  }
  const own = settings.configured.get(cluster);
  if (own === undefined) {
    return guard('configured-cluster', false, `${cluster} is not named in clusters: of the configuration`);
  }
  const terms = own.karpenterSelectors ?? conventionOf(cluster);
  const foreign = [...tags]
    .filter(([key, value]) => (cniKeys.includes(key) ? isForeignScope(key, cluster) : !covers(terms, key, value)))
    .map(([key]) => key);
  return foreign.length === 0
    ? guard(
        'configured-cluster',
        true,
        `${[...troubleTags.keys()].filter((key) => tags.has(key)).join(', ') || 'the keys'}: as configured`,
      )
    : guard('configured-cluster', false, `the configuration of ${cluster} has no selector with ${foreign.join(', ')}`);
}

/** Karpenter's convention, where the configuration names no selectors. */
export function conventionOf(cluster: string): readonly SubnetSelectorTerm[] {
  return [{ tags: new Map([[DISCOVERY_TAG, cluster]]) }, { tags: new Map([[`${DISCOVERY_TAG}/${cluster}`, '*']]) }];
}

/** The role may keep a subnet to the cluster by its own name only; a CNI that calls itself otherwise is not covered. */
function isForeignScope(key: string, cluster: string): boolean {
  return key.startsWith(CNI_SCOPE_TAG) && key !== CNI_SCOPE_TAG + cluster;
}

function covers(terms: readonly SubnetSelectorTerm[], key: string, value: string): boolean {
  return terms.some(({ tags }) => {
    const wanted = tags.get(key);
    return wanted !== undefined && matchesFilterValue(wanted, value);
  });
}
