/**
 * A message in the custom schema of Amazon Q Developer in chat applications (its administrator guide, "Custom notifications"). Whatever is not of this schema is dropped there without
 * a word, so nothing else may go to the chat topic.
 */
import { escapedTo, escapeMarkup } from './markup.ts';
import { type Message, TONE_WORDS, type Tone } from './message.ts';
import { cutTo, drawingLine, oneLine } from './safe-text.ts';

export interface ChatbotMessage {
  readonly version: '1.0';
  readonly source: 'custom';
  readonly id: string;
  readonly content: {
    readonly textType: 'client-markdown';
    readonly title: string;
    readonly description: string;
    readonly nextSteps: readonly string[];
    readonly keywords: readonly string[];
  };
  readonly metadata: {
    readonly threadId: string;
    readonly summary: string;
    readonly eventType: string;
    readonly relatedResources: readonly string[];
    readonly additionalContext: Readonly<Record<string, string>>;
  };
}

/** No limits are documented: these keep a message a screenful, in Slack and in Teams. */
const MOST = { title: 240, description: 3_000, step: 400, steps: 6, keyword: 80, id: 250, entries: 20 } as const;

const SIGNS: Readonly<Record<Tone, string>> = { critical: '🔴', warning: '🟠', info: '🔵', good: '🟢' };

export function chatbotMessage(message: Message): ChatbotMessage {
  const { tone, title, cause, steps, commands, facts, links, entries } = message;
  const shown = entries.slice(0, MOST.entries).map((entry) => `${SIGNS[entry.tone]} ${entry.title}`);
  const more = entries.length - shown.length;
  const text = [
    ...cause,
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...shown,
    ...(more > 0 ? [`... and ${more} more`] : []),
  ].map(oneLine);
  const map = message.map.length === 0 ? '' : `\n\`\`\`\n${message.map.map(fenced).join('\n')}\n\`\`\``;
  const prose = escapedTo(text.filter((line) => line !== '').join('\n') || oneLine(title), MOST.description);
  // Half a drawing says something else than the whole.
  const description = prose.length + map.length <= MOST.description ? `${prose}${map}` : prose;
  return {
    version: '1.0',
    source: 'custom',
    id: cutTo(oneLine(message.id), MOST.id),
    content: {
      textType: 'client-markdown',
      title: escaped(`${SIGNS[tone]} ${TONE_WORDS[tone]} ${title}`, MOST.title),
      description: description === '' ? '-' : description,
      nextSteps: [
        ...steps,
        ...commands.map(({ label, command }) => `${label}: ${command}`),
        ...links.map((link) => `${link.text}: ${link.url}`),
      ]
        .slice(0, MOST.steps)
        .map((step) => escaped(step, MOST.step)),
      keywords: [TONE_WORDS[tone].toLowerCase(), ...message.footer.slice(0, 1)].map((word) =>
        escaped(word, MOST.keyword),
      ),
    },
    metadata: {
      threadId: cutTo(oneLine(message.thread), MOST.id),
      summary: escaped(`${TONE_WORDS[tone]} ${title}`, MOST.title),
      eventType: oneLine(message.eventType),
      relatedResources: message.resources.map((arn) => cutTo(oneLine(arn), MOST.id)),
      additionalContext: { severity: tone, headroom: 'true' },
    },
  };
}

function escaped(text: string, most: number): string {
  return escapedTo(oneLine(text), most);
}

function fenced(line: string): string {
  return escapeMarkup(drawingLine(line).replaceAll('`', "'"));
}
