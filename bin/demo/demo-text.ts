/** The demo's one page: what EC2 shows, what is so, why, and what to type next. */
import type { DocumentSubnet } from '../../lambdas/contract/document.ts';
import { blockMap } from '../../lambdas/core/report/block-map.ts';
import { cheapestFirst } from '../../lambdas/core/report/breakers.ts';
import { type DocumentFinding, findingLines } from '../../lambdas/core/report/finding-text.ts';
import { count, counted, table, wrap } from '../../lambdas/core/report/layout.ts';
import { type FullSubnet, isFullSubnet } from '../../lambdas/core/report/ledger-words.ts';
import { COMMAND } from '../../lambdas/core/report/next-command.ts';
import type { Pen } from '../../lambdas/core/report/pen.ts';
import { typableFindings } from '../../lambdas/core/report/typable.ts';
import type { ReadSample } from './read-sample.ts';

/** Where the sample region lies as files, from the top of the repository. */
export const SAMPLE_FOLDER = 'examples/sample-region';
/** How a newcomer, who has cloned and not installed, calls the program. */
const FROM_CLONE = `npm run -s ${COMMAND} --`;
/** Other findings that are named, one line each. */
const OTHERS = 12;

export function demoText(pen: Pen, { region, subnet, url, calls }: ReadSample): string[] {
  const shown = subnet.subnets[0] as DocumentSubnet;
  if (!isFullSubnet(shown)) throw new Error('the sample subnet has no ledger');
  const blocks = subnet.blocks ?? [];
  const worst = subnet.findings?.[0];
  const enis = region.subnets.reduce((sum, { enis: own }) => sum + (own ?? 0), 0);
  const others = (region.findings ?? []).filter(({ id }) => id !== worst?.id);
  return [
    ...wrap(
      pen,
      `A sample region, made by simulated API calls, in the EC2 simulator on this machine (${url}). Read with the AWS SDK as any region is: ` +
        `${calls} calls, ${counted(region.subnets.length, 'subnet')}, ${counted(enis, 'network interface')}. No AWS account is used.`,
    ).map((line) => pen.paint('dim', line)),
    '',
    pen.paint('bold', 'WHAT EC2 SHOWS'),
    `  ${shown.name} (${shown.subnetId}, ${shown.cidr}, ${shown.availabilityZone}): ${count(shown.availableIps)} of ${count(shown.usableIps)} addresses available`,
    '',
    pen.paint('bold', 'WHAT HEADROOM FINDS'),
    ...(worst === undefined
      ? []
      : findingLines(pen, typableFindings([worst], { path: SAMPLE_FOLDER }, { command: FROM_CLONE }), 1)),
    '',
    pen.paint('bold', 'THE SUBNET, one cell a /28 (16 addresses)'),
    ...blockMap(pen, blocks),
    '',
    pen.paint('bold', 'WHY'),
    ...why(pen, shown, cheapestFirst(blocks)),
    '',
    pen.paint('bold', 'ALSO FOUND IN THE REGION'),
    ...otherLines(pen, others, region.subnets),
    '',
    pen.paint('bold', 'NEXT'),
    ...next(pen, shown),
  ];
}

function why(pen: Pen, subnet: FullSubnet, broken: ReturnType<typeof cheapestFirst>): string[] {
  const { usableIps, usedIps, freeIps, freePrefixes, bestCaseFreePrefixes, strandedIps } = subnet;
  const lone = broken.filter(({ interfaces }) => interfaces === 1).length;
  const cheapest = broken[0];
  const breaker = cheapest?.breakers[0];
  return [
    `${count(usableIps)} usable addresses = ${count(usedIps)} used + ${count(freeIps)} free, but prefix delegation hands out whole /28 blocks only, and ` +
      `${count(freePrefixes)} are whole: ${count(strandedIps)} free addresses are of no use to it. Single addresses are placed at random, and one is enough to ` +
      `break a block. Packed densely, the same holders would leave ${count(bestCaseFreePrefixes)}.`,
    ...(breaker === undefined
      ? []
      : [
          `${counted(lone, 'block is', 'blocks are')} broken by one interface alone; ${cheapest?.cidr} for instance by ${breaker.address} (${breaker.eniId}, ${breaker.class}).`,
        ]),
  ].flatMap((text) => wrap(pen, text, { indent: '  ' }));
}

function otherLines(pen: Pen, findings: readonly DocumentFinding[], subnets: readonly DocumentSubnet[]): string[] {
  const names = new Map(subnets.map(({ subnetId, name }) => [subnetId, name ?? subnetId]));
  const shown = findings.slice(0, OTHERS);
  const where = ({ subnetId, cluster, zone }: DocumentFinding) =>
    [subnetId === undefined ? undefined : names.get(subnetId), cluster, subnetId === undefined ? zone : undefined]
      .filter((part) => part !== undefined)
      .join(', ');
  const [, ...rows] = table(
    pen,
    [
      {
        title: '',
        text: ({ severity }) => severity,
        paint: ({ severity }, text) => pen.paint(severity, text),
      },
      { title: '', text: ({ code }) => code },
      { title: '', text: where, min: 10 },
    ],
    shown,
    '  ',
  );
  const left = findings.length - shown.length;
  return [...rows, ...(left > 0 ? [`  and ${count(left)} more`] : [])];
}

function next(pen: Pen, { subnetId }: FullSubnet): string[] {
  const commands = [
    [`${FROM_CLONE} assess --from ${SAMPLE_FOLDER}`, 'this region whole, as files'],
    [`${FROM_CLONE} explain ${subnetId} --from ${SAMPLE_FOLDER}`, 'every block'],
    [`${FROM_CLONE} assess --region eu-west-1`, 'your own account; reads only'],
  ] as const;
  return commands.flatMap(([command, meaning]) => [`  ${command}`, pen.paint('dim', `      ${meaning}`)]);
}
