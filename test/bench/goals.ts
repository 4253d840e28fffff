/** The goals for speed and size, each beside the figure that a run has found for it. */
import { kilobytes, number, range } from './figures.ts';
import type { Compared, Spread } from './measure.ts';
import { GROWTH_ROWS } from './reading/rows.ts';
import type { Results } from './results.ts';

export interface Goal {
  /** `G1` ... of the goals that were set before anything was built. */
  readonly id: string;
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly held: boolean;
}

function sideOf(sides: readonly Compared[] | undefined, name: string): Compared | undefined {
  return sides?.find((side) => side.name === name);
}

function median(sides: readonly Compared[], name: string, figure: string): number {
  const found = sideOf(sides, name)?.figures[figure]?.median;
  if (found === undefined) throw new Error(`no ${figure} of ${name} in the results`);
  return found;
}

/** At least so many times as fast; no goal where the other side was not there to be measured. */
function timesAsFast(
  id: string,
  what: string,
  sides: readonly Compared[] | undefined,
  other: string,
  least: number,
): Goal[] {
  const ratio = sideOf(sides, other)?.ratio;
  if (ratio === undefined) return [];
  return [{ id, what, wanted: `${least}x at least`, found: `${range(ratio)}x`, held: ratio.median >= least }];
}

function atMost(id: string, what: string, unit: string, found: number, most: number): Goal {
  return { id, what, wanted: `${number(most)}${unit} at most`, found: `${number(found)}${unit}`, held: found <= most };
}

const KERNEL_GOALS: readonly (readonly [set: string, other: string, least: number])[] = [
  ['S1', 'cidr-tools', 5],
  ['S1', 'bytearray', 4],
  ['S1', 'ipaddress', 60],
  ['S1', 'netaddr', 100],
  ['S2', 'cidr-tools', 5],
  ['S2', 'bytearray', 4],
  ['S2', 'ipaddress', 60],
  ['S2', 'netaddr', 100],
  ['S3a', 'cidr-tools', 15],
  ['S3b', 'cidr-tools', 15],
];

function kernelGoals({ results }: Results['kernel']): Goal[] {
  const ofStrings = KERNEL_GOALS.flatMap(([set, other, least]) =>
    timesAsFast('G1', `${set} from strings, against ${other}`, results[set], other, least),
  );
  const ofIntegers = ['S1', 'S2'].map((set) => {
    const sides = results[set] ?? [];
    const ratio = median(sides, 'integers', 'ms') / median(sides, 'floor', 'ms');
    return atMost('G1', `${set} from integers, against the floor`, 'x', ratio, 2);
  });
  const fragmentation = results.fragmentedAgainstPacked ?? [];
  const cost = median(fragmentation, 'fragmented', 'ms') / median(fragmentation, 'packed', 'ms');
  return [...ofStrings, ...ofIntegers, atMost('G2', 'a fragmented /16 against a packed one', 'x', cost, 3)];
}

/** Interfaces of the growth rows: a hundred pages, and a thousand in the same subnets. */
const GROWN_BY = 900_000;
/** Bytes for each of them that memory may grow by, beside a tenth of what it was. */
const BYTES_AN_ENI = 16;

function readingGoals({ results }: Results['reading']): Goal[] {
  const { pages, s2, s2At300ms, growth } = results;
  const ofPages = Object.entries(pages).flatMap(([addresses, { sides }]) => [
    ...timesAsFast(
      'G3',
      `a page of ${addresses} addresses an interface, against the SDK’s paginator`,
      sides,
      'paginator',
      8,
    ),
    ...timesAsFast('G3', `a page of ${addresses} addresses an interface, against boto3`, sides, 'boto3-pages', 18),
  ]);
  const small = median(growth, GROWTH_ROWS.hundredPages, 'peakMb');
  const large = median(growth, GROWTH_ROWS.thousandPages, 'peakMb');
  const steps = median(growth, GROWTH_ROWS.hundredPages, 'ms') / median(growth, GROWTH_ROWS.tenPages, 'ms');
  return [
    ...ofPages,
    ...timesAsFast('G4', 'whole S2, against the SDK and cidr-tools', s2, 'sdk', 10),
    ...timesAsFast('G4', 'whole S2, against boto3 and `ipaddress`', s2, 'boto3', 20),
    ...timesAsFast('G4', 'S2 at 300 ms a page and 8 sequences, against the SDK', s2At300ms, 'sdk', 4),
    atMost('G5', 'peak memory of S2', ' MB', median(s2, 'headroom', 'peakMb'), 160),
    // Its row is there only if the run came to its end.
    atMost('G5', 'peak memory with a 64 MB old space', ' MB', median(growth, GROWTH_ROWS.smallSpace, 'peakMb'), 160),
    atMost(
      'G5',
      'peak memory of ten times the interfaces in the same subnets',
      ' MB',
      large,
      small * 1.1 + (GROWN_BY * BYTES_AN_ENI) / 1e6,
    ),
    atMost('G6', '100 pages against 10', 'x', steps, 11),
  ];
}

/** Kilobytes of a function, at start. */
const MOST_BYTES = 300_000;
const MOST_BYTES_OF_OBSERVE = 450_000;
/** Of the time that a default bundle takes to load. */
const LOADING_SHARE = 1 / 3;

function bundleGoals({ results }: Results['bundles']): Goal[] {
  return results.flatMap(({ name, size, sides }) => {
    const most = name === 'observe' ? MOST_BYTES_OF_OBSERVE : MOST_BYTES;
    const ratio = sideOf(sides, 'ours')?.ratio as Spread;
    return [
      {
        id: 'G7',
        what: `${name}, at start`,
        wanted: `${kilobytes(most)} kB at most`,
        found: `${kilobytes(size.bytesAtStart)} kB`,
        held: size.bytesAtStart <= most,
      },
      {
        id: 'G7',
        what: `${name}, time to load against a default bundle`,
        wanted: 'a third at most',
        found: `${range(ratio)}x`,
        held: ratio.median <= LOADING_SHARE,
      },
    ];
  });
}

function scaleGoals({ results }: Results['scale']): Goal[] {
  const { calls, allowedByGoal, throttled } = results.contended;
  return [
    atMost('G9', 'calls for S2', '', calls, allowedByGoal),
    atMost('G9', 'of them refused, beside somebody who takes half of the rate', '', throttled, 0),
  ];
}

export function goalsOf(results: Results): readonly Goal[] {
  return [
    ...kernelGoals(results.kernel),
    ...readingGoals(results.reading),
    ...bundleGoals(results.bundles),
    ...scaleGoals(results.scale),
  ];
}
