/** Which command printed a document: so that a file of another command is told as such, not as a missing field. */
import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import { asList, asObject, type Fields, wrongDocument } from './fields.ts';

/** A command, by the key that only its output has. */
const COMMAND_BY_KEY: ReadonlyMap<string, string> = new Map([
  ['Subnets', 'describe-subnets'],
  ['NetworkInterfaces', 'describe-network-interfaces'],
  ['SubnetIpv4CidrReservations', 'get-subnet-cidr-reservations'],
  ['SubnetIpv6CidrReservations', 'get-subnet-cidr-reservations'],
  ['Vpcs', 'describe-vpcs'],
  ['RouteTables', 'describe-route-tables'],
  ['NetworkAcls', 'describe-network-acls'],
  ['AvailabilityZones', 'describe-availability-zones'],
  ['Reservations', 'describe-instances'],
  ['InstanceTypes', 'describe-instance-types'],
  ['SecurityGroups', 'describe-security-groups'],
  ['NatGateways', 'describe-nat-gateways'],
  ['cluster', 'eks describe-cluster'],
  ['clusters', 'eks list-clusters'],
  ['nodegroup', 'eks describe-nodegroup'],
  ['nodegroups', 'eks list-nodegroups'],
  ['addon', 'eks describe-addon'],
  ['addons', 'eks list-addons'],
  ['Records', 'CloudTrail'],
  ['Account', 'sts get-caller-identity'],
  ['now', 'now.json'],
  ['failures', 'reading.json'],
]);

/** What an object looks like: the output of a command it can be told by, else its first keys. */
export function looksLike(fields: Fields): string {
  const keys = Object.keys(fields);
  for (const key of keys) {
    const command = COMMAND_BY_KEY.get(key);
    if (command !== undefined) return `looks like ${command} output`;
  }
  const kind = fields.kind;
  if (typeof kind === 'string') return `looks like kubectl output of kind ${JSON.stringify(kind.slice(0, 60))}`;
  if (keys.length === 0) return 'is an object with no keys';
  const named = keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 40)));
  return `is an object with the keys ${named.join(', ')}${keys.length > 4 ? ', ...' : ''}`;
}

/** The command whose output has this key, if one is known. */
export function commandOfKey(key: string): string | undefined {
  return COMMAND_BY_KEY.get(key);
}

/** What a `describe-*` document must be. */
export interface Shape {
  /** `describe-subnets`. */
  readonly command: string;
  /** `Subnets`. */
  readonly key: string;
}

function expectedOf(shape: Shape): string {
  return `the output of ${shape.command}, an object with ${JSON.stringify(shape.key)}`;
}

/** The list in a `describe-*` document. Errors: `WRONG_DOCUMENT` where it is another command's, `WRONG_TYPE` where it is no list. */
export function listOf(document: unknown, place: Place, shape: Shape): readonly unknown[] {
  const fields = asObject(document, place, expectedOf(shape));
  const value = fields[shape.key];
  if (value === undefined) throw wrongDocument(place, looksLike(fields), expectedOf(shape));
  return asList(value, place.at(shape.key));
}

/** Decodes each item of a `describe-*` document. */
export function itemsOf<T>(
  document: unknown,
  place: Place,
  shape: Shape,
  decode: (fields: Fields, place: Place) => T,
): readonly T[] {
  const list = listOf(document, place, shape);
  const inside = place.at(shape.key);
  return list.map((item, index) => decode(asObject(item, inside.at(index)), inside.at(index)));
}

/** The object in an EKS `describe-*` document, with its envelope or bare. @param name the field that tells a bare one: `nodegroupName`. */
export function enveloped(document: unknown, place: Place, shape: Shape, name: string): [Fields, Place] {
  const expected = `the output of ${shape.command}`;
  const fields = asObject(document, place, expected);
  const inner = fields[shape.key];
  // A bare cluster has no key `cluster`; an envelope has nothing but it.
  if (inner !== undefined) return [asObject(inner, place.at(shape.key)), place.at(shape.key)];
  if (typeof fields[name] !== 'string') throw wrongDocument(place, looksLike(fields), expected);
  return [fields, place];
}

/** What a `kubectl get` document must hold. */
export interface KubeShape {
  /** `kubectl get nodes`. */
  readonly command: string;
  readonly kinds: readonly string[];
}

/** One object of a `kubectl get -o json` document. */
export interface KubeObject {
  /** Absent where neither the object nor its list says. */
  readonly kind?: string;
  readonly fields: Fields;
  readonly place: Place;
}

/** The objects of a `kubectl get -o json` document: one, or a list of them. Errors: `WRONG_DOCUMENT` where one is of another kind. */
export function kubeObjects(document: unknown, place: Place, shape: KubeShape): readonly KubeObject[] {
  const expected = `the output of ${shape.command} -o json`;
  const fields = asObject(document, place, expected);
  if (fields.items === undefined) {
    if (fields.kind === undefined && fields.metadata === undefined) {
      throw wrongDocument(place, looksLike(fields), expected);
    }
    return [kubeObject(fields, undefined, place, shape)];
  }
  const inside = place.at('items');
  const items = asList(fields.items, inside);
  // `kubectl get --raw` and client libraries name the kind once, on the list: `PodList`.
  const listKind = fields.kind;
  const implied = typeof listKind === 'string' && listKind !== 'List' ? listKind.replace(/List$/, '') : undefined;
  return items.map((item, index) => kubeObject(asObject(item, inside.at(index)), implied, inside.at(index), shape));
}

function kubeObject(fields: Fields, implied: string | undefined, place: Place, shape: KubeShape): KubeObject {
  const own = fields.kind;
  if (own !== undefined && own !== null && typeof own !== 'string') throw wrongType(place.at('kind'), own, 'text');
  const kind = own ?? implied;
  if (kind === undefined) return { fields, place };
  if (!shape.kinds.includes(kind)) {
    const expected = `the output of ${shape.command} -o json, objects of kind ${shape.kinds.join(' or ')}`;
    throw wrongDocument(place, `is of kind ${JSON.stringify(kind.slice(0, 60))}`, expected);
  }
  return { kind, fields, place };
}
