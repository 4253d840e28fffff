/** The message about a plan and what became of it. */

import { DETAIL_TYPES, type DetailType } from '../../../contract/event-names.ts';
import type { RemediationDetail } from '../../../contract/events.ts';
import type { Action, Mode } from '../../../contract/modes.ts';
import type { MessageContext } from './finding-message.ts';
import type { Command, Message, Tone } from './message.ts';
import { consoleLink, resourceArns, runbookLink } from './places.ts';
import { readableTime, shellWord } from './safe-text.ts';

export type RemediationType = Exclude<DetailType, `Subnet Finding ${string}` | 'Test Alert'>;

const ACTION_WORDS: Readonly<Record<Action, string>> = {
  activateStandby: 'open a standby subnet',
  reservePrefixes: 'reserve a range for prefixes',
  cleanLeakedEnis: 'clean up leaked interfaces',
};

interface Wording {
  readonly tone: Tone;
  readonly title: (mode: Mode) => string;
  readonly steps: (mode: Mode) => readonly string[];
  readonly commands: (mode: Mode) => readonly ('apply' | 'refuse' | 'undo')[];
}

const WORDING: Readonly<Record<RemediationType, Wording>> = {
  [DETAIL_TYPES.remediationPlanned]: {
    tone: 'warning',
    title: (mode) => (mode === 'propose' ? 'Asks to' : mode === 'auto' ? 'Is about to' : 'Would, if it were allowed,'),
    steps: (mode) => (mode === 'propose' ? ['Look at the plan, then approve or refuse it.'] : []),
    commands: (mode) => (mode === 'propose' ? ['apply', 'refuse'] : mode === 'auto' ? ['refuse'] : []),
  },
  [DETAIL_TYPES.remediationApproved]: {
    tone: 'info',
    title: () => 'Approved: to',
    steps: () => [],
    commands: () => [],
  },
  [DETAIL_TYPES.remediationRefused]: {
    tone: 'info',
    title: () => 'Refused: to',
    steps: () => [],
    commands: () => [],
  },
  [DETAIL_TYPES.remediationApplied]: {
    tone: 'good',
    title: () => 'Done: to',
    steps: () => ['Put the change into your infrastructure code too, or its next run takes it back.'],
    commands: () => ['undo'],
  },
  [DETAIL_TYPES.remediationFailed]: {
    tone: 'critical',
    title: () => 'Failed: to',
    steps: () => ['The shortage is still there: do by hand what the runbook says.'],
    commands: () => [],
  },
  [DETAIL_TYPES.remediationUndone]: {
    tone: 'info',
    title: () => 'Taken back: to',
    steps: () => [],
    commands: () => [],
  },
};

/** How a command about a plan is introduced. */
export const COMMAND_LABELS = { apply: 'Approve', refuse: 'Refuse', undo: 'Take back' } as const;

/** @param mode - what the configuration allows for the action: only then is a command shown that would be answered. */
export function remediationMessage(
  type: RemediationType,
  detail: RemediationDetail,
  mode: Mode,
  context: MessageContext = {},
): Message {
  const { planId, findingId, action, cluster, subnetId, account, region, by, errorCode } = detail;
  const wording = WORDING[type];
  const home = { account, region };
  const subject = { subnetId, cluster };
  const console_ = consoleLink(home, subject);
  const about = [subnetId, cluster === undefined ? undefined : `cluster ${cluster}`].filter(
    (part) => part !== undefined,
  );
  const commands: readonly Command[] = [
    ...(type === DETAIL_TYPES.remediationPlanned
      ? [{ label: 'Show plans', command: `headroom plan --region ${shellWord(region)}` }]
      : []),
    ...wording.commands(mode).map((name) => ({
      label: COMMAND_LABELS[name],
      command: `headroom ${name} ${shellWord(planId)} --region ${shellWord(region)}`,
    })),
  ];
  return {
    id: detail.id,
    tone: wording.tone,
    title: `${wording.title(mode)} ${ACTION_WORDS[action]}${about.length === 0 ? '' : ` (${about.join(', ')})`}`,
    cause: [detail.summary, detail.reason].filter((text) => text !== ''),
    steps: wording.steps(mode),
    facts: [
      { label: 'plan', value: planId },
      { label: 'finding', value: findingId },
      ...(by === undefined ? [] : [{ label: 'by', value: by }]),
      ...(errorCode === undefined ? [] : [{ label: 'error', value: errorCode }]),
    ],
    commands,
    entries: [],
    map: [],
    links: [
      runbookLink(findingId.split('/')[0] ?? findingId, context.runbookUrl),
      ...(console_ === undefined ? [] : [console_]),
    ],
    thread: findingId,
    eventType: type,
    resources: resourceArns(home, subject),
    region,
    footer: [`account ${account}, ${region}`, readableTime(detail.at)],
  };
}
