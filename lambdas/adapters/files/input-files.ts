/** Which files of a folder are input, by their names. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/input/input-error.ts';
import { Place } from '../../core/input/place.ts';
import { INPUT_NAMES, type InputName } from '../../core/subnet/snapshot.ts';
import { fileError } from './file-errors.ts';

export interface InputFile {
  readonly path: string;
  readonly place: Place;
}

/** What each file holds, in words. */
export const CONTENTS: Readonly<Record<InputName, string>> = {
  subnets: 'the output of describe-subnets',
  'network-interfaces': 'the output of describe-network-interfaces',
  'cidr-reservations': 'the output of get-subnet-cidr-reservations',
  vpcs: 'the output of describe-vpcs',
  'route-tables': 'the output of describe-route-tables',
  'network-acls': 'the output of describe-network-acls',
  'availability-zones': 'the output of describe-availability-zones',
  instances: 'the output of describe-instances',
  'instance-types': 'the output of describe-instance-types',
  clusters: 'the output of eks describe-cluster',
  nodegroups: 'the output of eks describe-nodegroup',
  addons: 'the output of eks describe-addon',
  nodes: 'the output of kubectl get nodes -o json',
  pods: 'the output of kubectl get pods -A -o json',
  nodeclasses: 'the output of kubectl get ec2nodeclasses -o json',
  nodepools: 'the output of kubectl get nodepools -o json',
  eniconfigs: 'the output of kubectl get eniconfigs -o json',
  daemonset: 'the output of kubectl get daemonset aws-node -n kube-system -o json',
  caller: 'the output of sts get-caller-identity',
  now: '{"now": ISO time}',
  reading: 'what observe --out writes of how it read',
};

/** Inputs that come in pages or one document for each thing: any name that starts so. */
const ANY_SUFFIX: ReadonlySet<InputName> = new Set<InputName>([
  'subnets',
  'network-interfaces',
  'cidr-reservations',
  'clusters',
  'nodegroups',
  'addons',
]);
/** Inputs of which there is one. */
const SINGLE: ReadonlySet<InputName> = new Set<InputName>(['daemonset', 'caller', 'now', 'reading']);
/** `pods.2.json`, `pods-page2.json`, `pods2.json`. */
const NUMBERED = String.raw`(?:[-._]?(?:page|part)?[-._]?\d+)?`;

const PATTERNS: readonly (readonly [InputName, RegExp])[] = INPUT_NAMES.map((name) => {
  const suffix = ANY_SUFFIX.has(name) ? '.*' : SINGLE.has(name) ? '' : NUMBERED;
  return [name, new RegExp(`^${name}${suffix}\\.json$`, 's')];
});

/** The input that a file of this name holds; `undefined` for a file that is none of ours. */
export function inputOfFile(fileName: string): InputName | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(fileName))?.[0];
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/**
 * The input files of a folder by input, pages in the order of their numbers.
 * Errors: `NOT_FOUND`, `UNREADABLE`, `EMPTY` for the folder; `NOT_FOUND` where it holds no `subnets*.json`.
 */
export async function listInputs(folder: string): Promise<ReadonlyMap<InputName, readonly InputFile[]>> {
  const place = Place.of(folder === '' ? '""' : folder);
  const wanted = 'a folder with subnets.json, the output of describe-subnets';
  const names = await readdir(folder).catch((cause: unknown) => {
    throw fileError(cause, place, wanted);
  });
  if (names.length === 0) throw new InputError('EMPTY', place, { found: 'is an empty folder', expected: wanted });
  names.sort((a, b) => BY_NUMBER.compare(a, b) || (a < b ? -1 : 1));
  const inputs = new Map<InputName, InputFile[]>();
  for (const name of names) {
    const input = inputOfFile(name);
    if (input === undefined) continue;
    const file = { path: join(folder, name), place: Place.of(name) };
    const files = inputs.get(input);
    if (files === undefined) inputs.set(input, [file]);
    else files.push(file);
  }
  if (!inputs.has('subnets')) {
    const some = names.slice(0, 5).join(', ');
    const found = `holds no subnets*.json (but ${some}${names.length > 5 ? `, and ${names.length - 5} more` : ''})`;
    throw new InputError('NOT_FOUND', place, { found, expected: wanted });
  }
  return inputs;
}
