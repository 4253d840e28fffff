/**
 * `reading.json`: how the files beside it were read. Only `observe --out` writes it, since no command of AWS prints it; without it a folder counts as read
 * whole, from files whose making nobody knows (docs/adr/0022).
 */
import { wrongValue } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import {
  type EniReading,
  INPUT_NAMES,
  type InputName,
  type ReadFailure,
  type Reading,
  type ReadScope,
  type RegionFacts,
} from '../../core/subnet/snapshot.ts';
import { looksLike } from './documents.ts';
import {
  asObject,
  asText,
  countAt,
  type Fields,
  optionalFlagAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
  textsAt,
  wrongDocument,
} from './fields.ts';

/** Facts that are readings of an input, which a failure leaves unknown. */
const READINGS = {
  'cidr-reservations': 'reservations',
  vpcs: 'vpcs',
  'route-tables': 'routeTables',
  'network-acls': 'networkAcls',
  'availability-zones': 'zones',
  instances: 'instances',
  'instance-types': 'instanceTypes',
  clusters: 'clusters',
  nodegroups: 'nodegroups',
  addons: 'addons',
} as const satisfies Partial<Record<InputName, keyof RegionFacts>>;
type ReadingInput = keyof typeof READINGS;
const READING_INPUTS = Object.keys(READINGS) as ReadingInput[];

/** A failure, and the inputs that it leaves unknown: those that hang on a failed list too. */
interface ToldFailure {
  readonly failure: ReadFailure;
  readonly unknown: ReadonlySet<string>;
}

export interface HowRead {
  readonly scope?: ReadScope;
  readonly failures: readonly ToldFailure[];
  /** Absent where the interfaces were not asked for. */
  readonly enis?: Omit<Extract<EniReading, { state: 'read' }>, 'state'>;
}

/** The document of a reading. */
export function readingDocument(facts: RegionFacts, enis: EniReading): object {
  const leavesUnknown = (failure: ReadFailure) =>
    READING_INPUTS.filter((input) => {
      const reading: Reading<unknown> = facts[READINGS[input]];
      return reading.state === 'unknown' && reading.failures.includes(failure);
    });
  return {
    ...(facts.scope === undefined ? {} : { scope: facts.scope }),
    failures: facts.failures.map((failure) => ({ ...failure, unknown: leavesUnknown(failure) })),
    ...(enis.state === 'absent'
      ? {}
      : {
          networkInterfaces: {
            managedResourcesIncluded: enis.managedResourcesIncluded,
            availableIpsAfter: Object.fromEntries(enis.availableIpsAfter ?? []),
            failures: enis.failures,
          },
        }),
  };
}

export function decodeReading(document: unknown, place: Place): HowRead {
  const expected = 'what observe --out writes, an object with "failures"';
  const fields = asObject(document, place, expected);
  if (fields.failures === undefined) throw wrongDocument(place, looksLike(fields), expected);
  const scope = optionalObjectAt(fields, 'scope', place);
  const enis = optionalObjectAt(fields, 'networkInterfaces', place);
  return {
    ...(scope === undefined ? {} : toScope(scope, place.at('scope'))),
    failures: failuresAt(fields, place),
    ...(enis === undefined ? {} : { enis: toEniReading(enis, place.at('networkInterfaces')) }),
  };
}

function toScope(fields: Fields, place: Place): Pick<HowRead, 'scope'> {
  const scope = { vpcIds: textsAt(fields, 'vpcIds', place), subnetIds: textsAt(fields, 'subnetIds', place) };
  return scope.vpcIds.length + scope.subnetIds.length === 0 ? {} : { scope };
}

function toEniReading(fields: Fields, place: Place): NonNullable<HowRead['enis']> {
  const managedResourcesIncluded = optionalFlagAt(fields, 'managedResourcesIncluded', place);
  const counts = optionalObjectAt(fields, 'availableIpsAfter', place) ?? {};
  const inCounts = place.at('availableIpsAfter');
  return {
    ...(managedResourcesIncluded === undefined ? {} : { managedResourcesIncluded }),
    availableIpsAfter: new Map(Object.keys(counts).map((id) => [id, countAt(counts, id, inCounts)])),
    failures: failuresAt(fields, place).map(({ failure }) => failure),
  };
}

function failuresAt(fields: Fields, place: Place): readonly ToldFailure[] {
  return optionalListAt(fields, 'failures', place).map((item, index) => {
    const at = place.at('failures').at(index);
    return toFailure(asObject(item, at), at);
  });
}

function toFailure(fields: Fields, place: Place): ToldFailure {
  const input = INPUT_NAMES.find((name) => name === fields.input);
  if (input === undefined) {
    const named = asText(fields.input, place.at('input'));
    throw wrongValue(place.at('input'), named, 'is no input', `one of ${INPUT_NAMES.join(', ')}`);
  }
  const permission = optionalTextAt(fields, 'permission', place);
  const cluster = optionalTextAt(fields, 'cluster', place);
  const failure: ReadFailure = {
    input,
    call: textAt(fields, 'call', place, 'a call such as ec2:DescribeInstances'),
    code: textAt(fields, 'code', place, "AWS's error code"),
    ...(permission === undefined ? {} : { permission }),
    // Without the list it is every subnet; an empty one is none by id.
    ...(fields.subnetIds === undefined ? {} : { subnetIds: textsAt(fields, 'subnetIds', place) }),
    ...(cluster === undefined ? {} : { cluster }),
    message: optionalTextAt(fields, 'message', place) ?? '',
  };
  return { failure, unknown: new Set(textsAt(fields, 'unknown', place)) };
}

/** The facts of files, with what is known of their reading. What has no file and failed is unknown, and not something that nobody gave. */
export function withHowRead(facts: RegionFacts, { scope, failures }: HowRead): RegionFacts {
  const readings: { [Key in (typeof READINGS)[ReadingInput]]?: Reading<readonly never[]> } = {};
  for (const input of READING_INPUTS) {
    const own = failures.filter(({ unknown }) => unknown.has(input)).map(({ failure }) => failure);
    if (own.length === 0) continue;
    const key = READINGS[input];
    const reading = facts[key];
    const value = (reading.state === 'absent' ? [] : reading.value) as readonly never[];
    readings[key] = { state: 'unknown', value, failures: own };
  }
  return {
    ...facts,
    ...(scope === undefined ? {} : { scope }),
    ...readings,
    failures: [...facts.failures, ...failures.map(({ failure }) => failure)],
  };
}
