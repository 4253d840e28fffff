/** CreateTags, DeleteTags, and the tags that a create call brings along. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { Tag } from '../world/stored.ts';
import { deleteTags as removeTags, createTags as setTags } from '../world/tags.ts';
import { type Action, action, required } from './call.ts';

export const createTags: Action = action<ec2.CreateTagsRequest>((input, { world }) => {
  setTags(world, required(input.Resources, 'resourceIdSet'), required(input.Tags, 'tagSet'));
  return {};
});

export const deleteTags: Action = action<ec2.DeleteTagsRequest>((input, { world }) => {
  removeTags(world, required(input.Resources, 'resourceIdSet'), input.Tags);
  return {};
});

/** @throws Refusal `InvalidParameterValue`: tags for something that the call does not create. */
export function tagsFor(
  specifications: readonly ec2.TagSpecification[] | undefined,
  resource: string,
  others: readonly string[] = [],
): readonly Tag[] {
  const tags: Tag[] = [];
  for (const specification of specifications ?? []) {
    const type = specification.ResourceType ?? '';
    if (type === resource) tags.push(...(specification.Tags ?? []));
    else if (!others.includes(type)) {
      throw new Refusal('InvalidParameterValue', `'${type}' is not a valid taggable resource type for this operation.`);
    }
  }
  return tags;
}
