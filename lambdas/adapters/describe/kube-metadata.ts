/** What every Kubernetes object has. */
import type { Place } from '../../core/input/place.ts';
import type { KubeObject } from './documents.ts';
import { type Fields, objectAt, optionalObjectAt, optionalTextAt, textAt } from './fields.ts';

/** `metadata.name`. */
export function nameOf(object: KubeObject): string {
  return textAt(objectAt(object.fields, 'metadata', object.place), 'name', object.place.at('metadata'), 'a name');
}

/** `metadata.namespace`; objects of the default namespace may leave it out. */
export function namespaceOf(object: KubeObject): string {
  const metadata = objectAt(object.fields, 'metadata', object.place);
  return optionalTextAt(metadata, 'namespace', object.place.at('metadata')) ?? 'default';
}

/** The object under a path of keys, with its place; empty where one of them is missing. */
export function under(object: KubeObject, ...keys: readonly string[]): [Fields, Place] {
  let fields: Fields = object.fields;
  let place = object.place;
  for (const key of keys) {
    fields = optionalObjectAt(fields, key, place) ?? {};
    place = place.at(key);
  }
  return [fields, place];
}
