/** Tags: lists of keys and values as EC2 has them, and plain maps as EKS and Kubernetes do. */
import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { Tags } from '../../core/subnet/snapshot.ts';
import { asObject, asText, type Fields } from './fields.ts';

const NO_TAGS: Tags = new Map();

/** `Tags` or, on network interfaces, `TagSet`. A value that is missing or `null` is the empty one. */
export function tagListAt(fields: Fields, place: Place): Tags {
  const key = fields.TagSet === undefined || fields.TagSet === null ? 'Tags' : 'TagSet';
  const list = fields[key];
  if (list === undefined || list === null) return NO_TAGS;
  if (!Array.isArray(list)) throw wrongType(place.at(key), list, 'a list of tags');
  if (list.length === 0) return NO_TAGS;
  const tags = new Map<string, string>();
  for (let i = 0; i < list.length; i++) {
    const tag = list[i] as Fields | null | undefined;
    if (typeof tag !== 'object' || tag === null) throw wrongType(place.at(key).at(i), tag, 'a tag');
    const name = tag.Key;
    const value = tag.Value ?? '';
    if (typeof name !== 'string') throw wrongType(place.at(key).at(i).at('Key'), name, 'text');
    if (typeof value !== 'string') throw wrongType(place.at(key).at(i).at('Value'), value, 'text');
    tags.set(name, value);
  }
  return tags;
}

/** An object of text values; missing or `null` is an empty one. */
export function tagMapAt(fields: Fields, key: string, place: Place): Tags {
  const value = fields[key];
  if (value === undefined || value === null) return NO_TAGS;
  const inside = place.at(key);
  const tags = new Map<string, string>();
  for (const [name, item] of Object.entries(asObject(value, inside))) tags.set(name, asText(item, inside.at(name)));
  return tags;
}
