/** A message as Slack's Block Kit, within its limits (Slack, "Block Kit reference: blocks"). */
import { escapedTo } from './markup.ts';
import { type Message, TONE_WORDS, type Tone } from './message.ts';
import { drawingLine, oneLine } from './safe-text.ts';

interface TextObject {
  readonly type: 'mrkdwn' | 'plain_text';
  readonly text: string;
  readonly emoji?: boolean;
  /** No links, channels or people are made of what a text happens to hold. */
  readonly verbatim?: boolean;
}

export type SlackBlock =
  | { readonly type: 'header'; readonly text: TextObject }
  | { readonly type: 'section'; readonly text: TextObject }
  | { readonly type: 'section'; readonly fields: readonly TextObject[] }
  | { readonly type: 'context'; readonly elements: readonly TextObject[] };

export interface SlackMessage {
  /** Shown in notifications and by clients without blocks. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
}

const MOST = {
  header: 150,
  section: 3_000,
  field: 2_000,
  fields: 10,
  blocks: 50,
  /** Of all blocks as JSON: Slack has been seen to refuse `msg_blocks_too_long` from about 13,200 characters. */
  whole: 12_000,
} as const;

const SIGNS: Readonly<Record<Tone, string>> = {
  critical: ':red_circle:',
  warning: ':large_orange_circle:',
  info: ':large_blue_circle:',
  good: ':large_green_circle:',
};

/** How much of each part is shown; each step gives up what is missed least. */
interface Room {
  readonly prose: number;
  readonly entry: number;
  readonly entries: number;
  readonly facts: boolean;
  readonly map: boolean;
}

const ROOMS: readonly Room[] = [
  { prose: 2_000, entry: 400, entries: 40, facts: true, map: true },
  { prose: 2_000, entry: 240, entries: 25, facts: true, map: false },
  { prose: 1_200, entry: 200, entries: 15, facts: false, map: false },
  { prose: 500, entry: 120, entries: 10, facts: false, map: false },
];

export function slackMessage(message: Message): SlackMessage {
  const text = escapedTo(oneLine(`${TONE_WORDS[message.tone]} ${message.title}`), MOST.header);
  for (const room of ROOMS) {
    const blocks = blocksOf(message, room).slice(0, MOST.blocks);
    if (JSON.stringify(blocks).length <= MOST.whole) return { text, blocks };
  }
  // Whatever a text is made of, its heading alone always fits.
  return { text, blocks: [heading(message)] };
}

function heading({ tone, title }: Message): SlackBlock {
  const text = escapedTo(oneLine(`${TONE_WORDS[tone]} ${title}`), MOST.header);
  return { type: 'header', text: { type: 'plain_text', text, emoji: false } };
}

function blocksOf(message: Message, room: Room): SlackBlock[] {
  const { cause, steps, commands, facts, links, footer } = message;
  return [
    heading(message),
    ...section(cause.map(oneLine).join('\n'), room.prose),
    ...section(steps.map(oneLine).join('\n'), room.prose, '*What to do*\n'),
    ...commandSection(commands, room),
    ...entrySections(message, room),
    ...(room.facts && facts.length > 0
      ? [{ type: 'section' as const, fields: facts.slice(0, MOST.fields).map(fieldOf) }]
      : []),
    ...(room.map ? mapSection(message.map) : []),
    ...context([...links.map(({ text, url }) => `${text}: ${url}`), ...footer]),
  ];
}

/** Nothing for an empty text: Slack refuses one. */
function section(text: string, most: number, before = ''): readonly SlackBlock[] {
  if (text.trim() === '') return [];
  return [{ type: 'section', text: markup(`${before}${escapedTo(text, most - before.length)}`) }];
}

function markup(text: string): TextObject {
  return { type: 'mrkdwn', text, verbatim: true };
}

function code(text: string, most: number): string {
  // A backtick would end the code.
  return `\`${escapedTo(oneLine(text).replaceAll('`', "'"), most)}\``;
}

function commandSection(commands: Message['commands'], room: Room): readonly SlackBlock[] {
  if (commands.length === 0) return [];
  const each = Math.floor(room.prose / commands.length / 2);
  const lines = commands.map(({ label, command }) => `${escapedTo(oneLine(label), 60)}: ${code(command, each)}`);
  return [{ type: 'section', text: markup(lines.join('\n')) }];
}

function fieldOf({ label, value }: Message['facts'][number]): TextObject {
  return markup(`*${escapedTo(oneLine(label), 60)}*\n${escapedTo(oneLine(value), 300) || '-'}`);
}

function entrySections({ entries }: Message, room: Room): readonly SlackBlock[] {
  const shown = entries.slice(0, room.entries);
  const more = entries.length - shown.length;
  return [
    ...shown.map(({ tone, title, text, command }) => {
      const head = `${SIGNS[tone]} *${escapedTo(oneLine(title), Math.floor(room.entry / 2))}*`;
      const rest = oneLine(text) === '' ? '' : `\n${escapedTo(oneLine(text), room.entry)}`;
      const way = command === undefined ? '' : `\n${code(command, 160)}`;
      return { type: 'section' as const, text: markup(`${head}${rest}${way}`) };
    }),
    ...(more > 0 ? section(`... and ${more} more`, room.entry) : []),
  ];
}

function mapSection(map: readonly string[]): readonly SlackBlock[] {
  if (map.length === 0) return [];
  const lines = map.map((line) => drawingLine(line).replaceAll('`', "'"));
  const text = escapedTo(lines.join('\n'), MOST.section);
  // Half a drawing says something else than the whole.
  return text.endsWith('…') || text.length > MOST.section - 10
    ? []
    : [{ type: 'section', text: markup(`\`\`\`\n${text}\n\`\`\``) }];
}

function context(texts: readonly string[]): readonly SlackBlock[] {
  const elements = texts
    .map((text) => escapedTo(oneLine(text), 300))
    .filter((text) => text !== '')
    .slice(0, MOST.fields)
    .map((text): TextObject => ({ type: 'mrkdwn', text }));
  return elements.length === 0 ? [] : [{ type: 'context', elements }];
}
