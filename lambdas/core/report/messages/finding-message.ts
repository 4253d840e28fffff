/** The message about one finding that came or went. */

import { DETAIL_TYPES } from '../../../contract/event-names.ts';
import type { FindingDetail } from '../../../contract/events.ts';
import type { EvidenceValue } from '../../../contract/finding.ts';
import { typable } from '../typable.ts';
import type { Fact, Message } from './message.ts';
import { consoleLink, resourceArns, runbookLink } from './places.ts';
import { cutTo, readableTime, shellWord, wordsOf } from './safe-text.ts';

/** What is known beside the event. */
export interface MessageContext {
  /** Where docs/runbook.md can be read. */
  readonly runbookUrl?: string | undefined;
  /** The subnet's /28s in plain text. */
  readonly map?: readonly string[] | undefined;
}

/** What became of a finding: it came, it went, or both before anybody was told. */
export type FindingChange = 'raised' | 'cleared' | 'passed';

/** Further numbers shown beside observed and threshold; the rest stands in the report. */
const MOST_EVIDENCE = 8;
const MOST_VALUE = 200;

export function findingMessage(
  change: FindingChange,
  detail: FindingDetail,
  context: MessageContext = {},
  before?: string,
): Message {
  const { finding, region, account } = detail;
  const raised = change === 'raised';
  const home = { account, region };
  const console_ = consoleLink(home, finding);
  return {
    id: detail.id,
    tone: raised ? finding.severity : 'good',
    title: `${WORDS[change]}${finding.code}${subjectOf(finding)}`,
    cause: raised ? [...escalation(before, finding.severity), finding.message] : past(change, detail),
    steps: raised && finding.remedy !== undefined ? [typable(finding.remedy, { region })] : [],
    facts: raised ? numbersOf(detail) : [],
    commands: raised ? commandsOf(detail) : [],
    entries: [],
    map: raised ? (context.map ?? []) : [],
    links: [runbookLink(finding.code, context.runbookUrl), ...(console_ === undefined ? [] : [console_])],
    thread: finding.id,
    eventType: raised ? DETAIL_TYPES.findingRaised : DETAIL_TYPES.findingCleared,
    resources: resourceArns(home, finding),
    region,
    footer: [
      `account ${account}, ${region}`,
      `first seen ${readableTime(detail.firstSeen)}`,
      `seen ${detail.count === 1 ? 'once' : `${detail.count} times`}`,
      detail.origin === 'react' ? 'told by a failed call' : 'told by a scan',
    ],
  };
}

const WORDS: Readonly<Record<FindingChange, string>> = { raised: '', cleared: 'Cleared: ', passed: 'Came and went: ' };

/** ` subnet-1 (use1-az1, cluster prod)`: what the finding is about, worth a place in a subject line. */
export function subjectOf(finding: FindingDetail['finding']): string {
  const { subnetId, zone, zoneId, cluster, vpcId } = finding;
  const where = [zoneId ?? zone, cluster === undefined ? undefined : `cluster ${cluster}`].filter(
    (part) => part !== undefined,
  );
  const what = subnetId ?? (where.length === 0 ? vpcId : undefined);
  const around = where.length === 0 ? '' : what === undefined ? ` ${where.join(', ')}` : ` (${where.join(', ')})`;
  return `${what === undefined ? '' : ` ${what}`}${around}`;
}

function escalation(before: string | undefined, now: string): readonly string[] {
  return before === undefined || before === now ? [] : [`Was ${before}, is ${now} now.`];
}

function past(change: FindingChange, { finding, firstSeen, lastSeen }: FindingDetail): readonly string[] {
  const span = `It was there from ${readableTime(firstSeen)} to ${readableTime(lastSeen)}.`;
  return change === 'cleared'
    ? [span, `Was: ${finding.message}`]
    : [`${span} It is gone already.`, `Was: ${finding.message}`];
}

function numbersOf({ finding }: FindingDetail): readonly Fact[] {
  const { observed, threshold, evidence } = finding;
  const main = { observed, ...(threshold === undefined ? {} : { threshold }) };
  const more = Object.entries(evidence)
    .filter(([, value]) => isShort(value))
    .slice(0, MOST_EVIDENCE);
  return [...Object.entries(main), ...more].flatMap(([name, value]) => {
    const shown = valueText(value);
    return shown === undefined ? [] : [{ label: wordsOf(name), value: cutTo(shown, MOST_VALUE) }];
  });
}

function isShort(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function valueText(value: EvidenceValue | unknown): string | undefined {
  if (typeof value === 'number') return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
  if (typeof value === 'string') return value === '' ? undefined : value;
  return value === null || value === undefined ? undefined : JSON.stringify(value);
}

function commandsOf({ finding, region }: FindingDetail) {
  const at = `--region ${shellWord(region)}`;
  const { subnetId, id } = finding;
  return [
    ...(subnetId === undefined
      ? []
      : [{ label: 'Who holds what', command: `headroom explain ${shellWord(subnetId)} ${at}` }]),
    { label: 'No message until', command: `headroom mute ${shellWord(id)} ${at} --until TIME --why TEXT` },
  ];
}
