/** Many messages as one. */

import { byTone, type Message, TONE_WORDS, type Tone } from './message.ts';
import { COMMAND_LABELS } from './remediation-message.ts';
import { shellWord } from './safe-text.ts';

/** Why several were put together. */
export type DigestReason = 'first-scan' | 'quiet-hours' | 'muted' | 'many';

const INTRODUCTIONS: Readonly<Record<DigestReason, string>> = {
  'first-scan': 'The first scan is done. This is everything it found; from now on there is a message for each change.',
  'quiet-hours': 'Held back in quiet hours.',
  muted: 'The mutes of these findings have ended, and they are still there.',
  many: 'These came together.',
};

/** @param messages - at least one; each tells of another fact. */
export function digestMessage(id: string, reason: DigestReason, messages: readonly Message[]): Message {
  const sorted = [...messages].sort((a, b) => byTone(a, b) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
  const [worst] = sorted;
  if (worst === undefined) throw new RangeError('a digest of nothing');
  return {
    id,
    tone: worst.tone,
    title: `${reason === 'first-scan' ? 'First scan: ' : ''}${countsOf(sorted)}`,
    cause: [INTRODUCTIONS[reason]],
    steps: [],
    facts: [],
    commands: [{ label: 'All of it, with what to do', command: assessCommand(worst.region) }],
    entries: sorted.map(({ tone, title, cause, commands }) => ({
      tone,
      title,
      text: cause.join(' '),
      ...decidingCommand(commands),
    })),
    map: worst.map,
    links: [],
    thread: id,
    eventType: 'Digest',
    resources: [],
    ...(worst.region === undefined ? {} : { region: worst.region }),
    footer: worst.footer.slice(0, 1),
  };
}

function assessCommand(region: string | undefined): string {
  return `headroom assess --region ${region === undefined ? 'REGION' : shellWord(region)} --all`;
}

/** The command that decides something: looking is said once for all. */
function decidingCommand(commands: Message['commands']): { readonly command?: string } {
  const deciding = commands.find(({ label }) => label === COMMAND_LABELS.apply || label === COMMAND_LABELS.undo);
  return deciding === undefined ? {} : { command: deciding.command };
}

function countsOf(messages: readonly Message[]): string {
  const counts = (['critical', 'warning', 'info', 'good'] as const satisfies readonly Tone[])
    .map((tone) => [tone, messages.filter((message) => message.tone === tone).length] as const)
    .filter(([, count]) => count > 0);
  return counts.map(([tone, count]) => `${count} ${TONE_WORDS[tone].toLowerCase()}`).join(', ');
}
