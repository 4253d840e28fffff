/** docs/performance.md: what was measured, written from test/bench/results.json, so that no figure of a run is typed by hand; what the text around them says of causes is. */
import { join } from 'node:path';
import { kilobytes, number, range, table } from './figures.ts';
import { type Goal, goalsOf } from './goals.ts';
import type { Spread } from './measure.ts';
import type { Results, Run } from './results.ts';

export const PAGE_FILE = join(import.meta.dirname, '../../docs/performance.md');

const milliseconds = ({ median }: Spread) => number(median);
const made = ({ when, node, cores, rounds }: Run<unknown>) =>
  `${when}, Node ${node}, ${cores} shared cores, ${rounds} rounds.`;

const KERNEL_NAMES: Readonly<Record<string, string>> = {
  strings: 'Headroom, from address strings (1x)',
  integers: 'Headroom, from integers',
  floor: 'the floor: bits set, counted and folded, nothing else',
  'cidr-tools': 'cidr-tools 11',
  set: 'a Set of strings',
  bytearray: 'Python bytearray and inet_aton',
  ipaddress: 'Python `ipaddress` sets',
  netaddr: 'netaddr IPSet',
};

function kernel(run: Results['kernel']): string {
  const sets = ['S1', 'S2', 'S3a', 'S3b'];
  const names = (run.results.S1 ?? []).map(({ name }) => name);
  const cell = (set: string, name: string) => {
    const side = run.results[set]?.find((one) => one.name === name);
    if (side?.figures.ms === undefined) return '';
    return name === 'strings' ? `${milliseconds(side.figures.ms)} ms` : `${range(side.ratio)}x`;
  };
  const [packed, fragmented] = run.results.fragmentedAgainstPacked ?? [];
  const cost = (fragmented?.figures.ms?.median ?? 0) / (packed?.figures.ms?.median ?? 1);
  return [
    made(run),
    '',
    table(
      ['', ...sets],
      names.map((name) => [KERNEL_NAMES[name] ?? name, ...sets.map((set) => cell(set, name))]),
    ),
    '',
    `A fragmented /16 (S3a) costs ${number(cost)} times a packed one with as many holdings.`,
  ].join('\n');
}

const READING_NAMES: Readonly<Record<string, string>> = {
  scanner: 'the page scanner behind the SDK’s `protocol` option (1x)',
  paginator: 'SDK v3 paginator',
  'boto3-pages': 'boto3 paginator',
  headroom: 'Headroom: scanner, address maps, ledgers (1x)',
  sdk: 'SDK paginator and cidr-tools',
  boto3: 'boto3 and `ipaddress`',
};
/** Pages that count on each side of the pages alone. */
const COUNTED_PAGES = 20;

function reading(run: Results['reading']): string {
  const { pages, s2, s2At300ms, growth } = run.results;
  const pageRows = Object.entries(pages).flatMap(([addresses, { megabytes, sides }]) =>
    sides.map(({ name, figures, ratio }) => [
      `${addresses} addresses an interface, ${number(megabytes)} MB`,
      READING_NAMES[name] ?? name,
      number((figures.ms as Spread).median / COUNTED_PAGES),
      `${range(ratio)}x`,
    ]),
  );
  const wholeRows = [
    ...s2.map((side) => ['one sequence, no latency', side] as const),
    ...s2At300ms.map((side) => ['8 sequences, 300 ms a page', side] as const),
  ].map(([how, { name, figures, ratio }]) => [
    how,
    READING_NAMES[name] ?? name,
    number((figures.ms as Spread).median / 1000),
    figures.cpuMs === undefined ? '' : number(figures.cpuMs.median / 1000),
    figures.peakMb === undefined ? '' : number(figures.peakMb.median),
    `${range(ratio)}x`,
  ]);
  const growthRows = growth.map(({ name, figures }) => [
    name,
    number((figures.ms as Spread).median / 1000),
    number((figures.cpuMs as Spread).median / 1000),
    number((figures.peakMb as Spread).median),
  ]);
  return [
    made(run),
    '',
    'A page of 1,000 interfaces, processor time:',
    '',
    table(['page', '', 'ms a page', 'ratio'], pageRows),
    '',
    'Whole S2, 100 pages:',
    '',
    table(['', '', 'seconds', 'processor seconds', 'peak MB', 'ratio of seconds'], wholeRows),
    '',
    'The product alone, 8 sequences, no latency; the thousand pages are those of the same subnets with ten times as many interfaces:',
    '',
    table(['', 'seconds', 'processor seconds', 'peak MB'], growthRows),
  ].join('\n');
}

function offline(run: Results['offline']): string {
  const rows = run.results.map(({ name, megabytes, ms, peakMb }) => [
    name,
    megabytes === 0 ? '' : `${megabytes.toLocaleString('en-US')} MB`,
    `${range({ min: ms.min / 1000, median: ms.median / 1000, max: ms.max / 1000 })}`,
    range(peakMb),
  ]);
  return [made(run), '', table(['`headroom assess --from`', 'file', 'seconds', 'peak MB'], rows)].join('\n');
}

function bundles(run: Results['bundles']): string {
  const rows = run.results.map(({ name, size, defaultBytes, sides }) => {
    const ours = sides.find((side) => side.name === 'ours');
    return [
      name,
      kilobytes(size.bytesAtStart),
      kilobytes(size.bytes),
      kilobytes(defaultBytes),
      ours?.figures.ms === undefined ? '' : milliseconds(ours.figures.ms),
      ours === undefined ? '' : `${range(ours.ratio)}x`,
    ];
  });
  const head = ['function', 'kB at start', 'kB in all', 'kB by default', 'ms to load', 'against the default'];
  return [made(run), '', table(head, rows)].join('\n');
}

function scale(run: Results['scale']): string {
  const { s2, large, contended } = run.results;
  const row = (label: string, read: typeof s2) => [
    label,
    read.interfaces.toLocaleString('en-US'),
    read.subnets.toLocaleString('en-US'),
    number(read.ms / 1000),
    number(read.cpuMs / 1000),
    number(read.peakMb),
  ];
  const grown = (large.peakMb - s2.peakMb) * 1e6;
  return [
    made(run),
    '',
    table(
      ['', 'interfaces', 'subnets', 'seconds', 'processor seconds', 'peak MB'],
      [row('the size of S2', s2), row('ten times that', large)],
    ),
    '',
    `The simulator, which makes its pages as they are asked for, shares the two cores: seconds are its more than ours. Ten times the region costs ${number(large.cpuMs / s2.cpuMs)} times the processor time and`,
    `${Math.round(grown / (large.subnets - s2.subnets)).toLocaleString('en-US')} bytes of memory for each further subnet with its interfaces.`,
    '',
    `Where EC2’s documented rate is enforced (100 calls, 20 a second) and somebody else takes half of it: ${contended.calls} calls (the goal allows ${contended.allowedByGoal}) in ${number(contended.seconds)} seconds at a`,
    `quarter of the rate; ${contended.throttled} of ours were refused and ${contended.othersRefused} of the other’s ${contended.othersAsked}.`,
  ].join('\n');
}

/** Why goals are missed, where they are: of which id, and of which of its rows. */
const WHY_MISSED: readonly { readonly id: string; readonly rows: RegExp; readonly why: string }[] = [
  {
    id: 'G1',
    rows: /^S3b from strings/,
    why: 'addresses in random order have parts of one, two or three digits in no order that a processor could guess; to read one takes half as long again as where they lie side by side.',
  },
  {
    id: 'G4',
    rows: /^whole S2, against the SDK/,
    why: 'in the trial that the goal comes from the SDK’s side took 30 to 35 seconds and the scanner 1.7; here the SDK’s side is faster, and ours is not: a third of it is the socket’s, and the first ten pages are read while the code is being compiled.',
  },
  {
    id: 'G4',
    rows: /300 ms/,
    why: 'the wait decides: 104 pages by eight, and the subnets before and after, are four and a half seconds, which only more at once would shorten.',
  },
  {
    id: 'G7',
    rows: /^remediate, at start/,
    why: 'it needs five clients of the SDK in every run: what these share is 145 kB, each client another 6 to 24; and 170 kB is our own code, the assessment of a VPC and the plans that rest on it.',
  },
  {
    id: 'G7',
    rows: /^(?:approve|notify|widget|cleanup), time to load/,
    why: 'where the default is small, a third or more of what is left is Node’s own modules for https and cryptography, which both sides load.',
  },
];
/** Stands where nobody has said why; a test refuses it. */
export const NO_REASON = 'no reason is written down';

function goals(results: Results): string {
  const all = goalsOf(results);
  const rows = all.map(({ id, what, wanted, found, held }) => [id, what, wanted, found, held ? 'yes' : '**no**']);
  const lines = [table(['goal', 'what', 'wanted', 'found', 'held'], rows)];
  const missed = all.filter(({ held }) => !held);
  const reasonOf = (goal: Goal) => WHY_MISSED.find(({ id, rows: of }) => id === goal.id && of.test(goal.what))?.why;
  for (const [why = NO_REASON, of] of Map.groupBy(missed, reasonOf)) {
    lines.push('', `${of.map(({ id, what }) => `${id}, ${what}`).join('; ')}: ${why}`);
  }
  return lines.join('\n');
}

/** What the run writes between the lines that people wrote. */
export function performancePage(results: Results): string {
  return `# Speed and size

Written by \`npm run bench\` from its own results ([test/bench/results.json](../test/bench/results.json)); a test holds the two together. These machines are shared: times move by half, so only ratios within
one round count, and of those the median, with the least and the most beside it. Every comparison first checks that all sides give the same answer.

Data, made from a seed: S1 = 50 subnets /20, 60,000 addresses. S2 = 1,000 subnets /24 to /18, about 100,000 interfaces and 909,000 holdings, half of the subnets packed, half scattered. S3a = one /16 with one used
address in each /28. S3b = one /16, half of it used at random.

## Goals

They were set before anything was built, by what a first trial on Node 20 had measured. No figure counts unless all sides gave the same answer (G10); the number of metrics (G8) is held by a test. The size of a function is what it loads at start; what it is in all stands below.

${goals(results)}

## Kernel: addresses in, ledger out

${kernel(results.kernel)}

The strings are parsed each time; the integers are what the page scanner hands over. The ledger knows reservations, holders, ranges and strays, which the floor does not.

## Reading network interfaces

${reading(results.reading)}

Pages have EC2’s own spelling, order and indentation, and lie ready in a server of its own process. The scanner decodes what the SDK decodes, and hands whatever else it meets to the SDK’s decoder, counted
(\`decodedBySdk\`); \`npm run fuzz:reader -- --minutes 10\` holds the two together.

Scanner and Headroom are compiled as the functions are, the sides of the SDK by esbuild’s defaults. A page’s bytes cost a third of it before anybody looks at them: the socket’s, and the buffers’. The scan is another third, the rest the
SDK’s handling of a call and garbage collection.

## Files

${offline(results.offline)}

Interfaces are split and decoded one at a time; what is kept of one is its id, in about twelve bytes. The young generation of the JavaScript heap is kept small: it would otherwise grow with what passes through.

## Functions

${bundles(results.bundles)}

"By default" is what esbuild makes of the same handler (\`--bundle --platform=node --minify\`). What makes the difference: schemas, errors and members that nobody asks for are dropped, what a Lambda function never runs of the SDK is
left out, the configuration is not checked a second time, and what is needed rarely is a file of its own ([ADR 33](adr/0033-small-functions.md)). A usual run reads clusters as well, which loads another 20 kB in observe and, with the reader of a
region, 60 kB in remediate.

## Scale

${scale(results.scale)}

What breaks first, by these figures: not memory (at ten to twelve kilobytes a subnet, 1,024 MB hold more than seventy thousand of them) but the call rate. At a quarter of EC2’s documented rate a million interfaces take 1,000 calls and so 195
seconds, longer than the function runs; such a region needs a larger \`schedule.apiShare\`, or a scope for each deployment. A read that does not come to its end names the subnets that are missing, and they are counted in \`FailedSubnets\`.
`;
}
