/** Which subnets and interfaces a request is about: only what stands under a key that says so, never what somebody wrote into a description. */
import { eniIdsIn, subnetIdsIn } from './ids.ts';
import { objectsIn } from './json.ts';

const SUBNET_KEY = /subnet/i;
const ENI_KEY = /networkinterfaceids?$/i;

export function requestedSubnets(request: unknown): readonly string[] {
  return under(request, SUBNET_KEY, subnetIdsIn);
}

export function requestedEnis(request: unknown): readonly string[] {
  return under(request, ENI_KEY, eniIdsIn);
}

function under(request: unknown, key: RegExp, idsIn: (value: unknown) => readonly string[]): readonly string[] {
  const ids = new Set<string>();
  for (const object of objectsIn(request)) {
    for (const [name, value] of Object.entries(object)) if (key.test(name)) for (const id of idsIn(value)) ids.add(id);
  }
  return [...ids];
}
