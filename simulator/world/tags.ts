/** Tags of any resource: CreateTags and DeleteTags. */
import { Refusal } from '../refusal.ts';
import type { WorldState } from './state.ts';
import type { Tag } from './stored.ts';
import type { Table } from './table.ts';

/** Limits of the EC2 user guide, "Tag restrictions": tags a resource, characters of a key and of a value. */
const MAX_TAGS = 50;
const MAX_KEY = 127;
const MAX_VALUE = 255;

interface Tagged {
  readonly tags: readonly Tag[];
  store(tags: readonly Tag[]): void;
}

/** Sets tags on every resource or on none. A value that is there is overwritten without a word (docs/simulator.md T1). */
export function createTags(state: WorldState, ids: readonly string[], tags: readonly Tag[]): void {
  for (const tag of tags) checkTag(tag);
  const changes = ids.map((id) => {
    const resource = taggedOf(state, id);
    const after = new Map(resource.tags.map((tag) => [tag.Key ?? '', tag]));
    for (const tag of tags) after.set(tag.Key ?? '', { Key: tag.Key, Value: tag.Value ?? '' });
    if ([...after.keys()].filter((key) => !key.startsWith('aws:')).length > MAX_TAGS) {
      throw new Refusal('TagLimitExceeded', 'The maximum number of Tags for a resource has been reached.');
    }
    return { resource, tags: [...after.values()] };
  });
  for (const change of changes) change.resource.store(change.tags);
}

/** Removes tags: by key; with a value, only where the value is that one; with no tags named, all (but `aws:` ones). */
export function deleteTags(state: WorldState, ids: readonly string[], tags: readonly Tag[] | undefined): void {
  const resources = ids.map((id) => taggedOf(state, id));
  for (const resource of resources) {
    const kept = resource.tags.filter((tag) => {
      if (tags === undefined || tags.length === 0) return tag.Key?.startsWith('aws:') === true;
      return !tags.some((gone) => gone.Key === tag.Key && (gone.Value === undefined || gone.Value === tag.Value));
    });
    if (kept.length !== resource.tags.length) resource.store(kept);
  }
}

function checkTag(tag: Tag): void {
  const key = tag.Key ?? '';
  if (key === '') throw new Refusal('InvalidParameterValue', 'Tag key cannot be empty.');
  if (key.toLowerCase().startsWith('aws:')) {
    const message = `Value ( ${key} ) for parameter key is invalid. Tag keys starting with 'aws:' are reserved for internal use`;
    throw new Refusal('InvalidParameterValue', message);
  }
  if ([...key].length > MAX_KEY)
    throw new Refusal('InvalidParameterValue', 'Tag key exceeds the maximum length of 127 characters');
  if ([...(tag.Value ?? '')].length > MAX_VALUE) {
    throw new Refusal('InvalidParameterValue', 'Tag value exceeds the maximum length of 255 characters');
  }
}

function taggedOf(state: WorldState, id: string): Tagged {
  const kind = id.slice(0, id.lastIndexOf('-'));
  if (kind === 'eni') {
    const eni = state.interfaces.get(id);
    if (eni === undefined) {
      throw new Refusal('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${id}' does not exist`);
    }
    return { tags: eni.TagSet ?? [], store: (TagSet) => state.storeInterface({ ...eni, TagSet }) };
  }
  if (kind === 'subnet') return inTable(state.subnets, id, 'InvalidSubnetID.NotFound', 'subnet ID');
  if (kind === 'vpc') return inTable(state.vpcs, id, 'InvalidVpcID.NotFound', 'vpc ID');
  if (kind === 'i') return inTable(state.instances, id, 'InvalidInstanceID.NotFound', 'instance ID');
  if (kind === 'rtb') return inTable(state.routeTables, id, 'InvalidRouteTableID.NotFound', 'routeTable ID');
  if (kind === 'acl') return inTable(state.networkAcls, id, 'InvalidNetworkAclID.NotFound', 'networkAcl ID');
  if (kind === 'scr') {
    return inTable(state.reservations, id, 'InvalidSubnetCidrReservationId.NotFound', 'subnet CIDR reservation ID');
  }
  throw new Refusal('InvalidID', `The ID '${id}' is not valid`);
}

function inTable<T extends { readonly Tags?: readonly Tag[] | undefined }>(
  table: Table<T>,
  id: string,
  code: string,
  what: string,
): Tagged {
  const value = table.get(id);
  if (value === undefined) throw new Refusal(code, `The ${what} '${id}' does not exist`);
  return { tags: value.Tags ?? [], store: (Tags) => table.set(id, { ...value, Tags }) };
}
