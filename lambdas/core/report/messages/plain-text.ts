/** A message as e-mail over SNS. */
import type { Message } from './message.ts';
import { TONE_WORDS } from './message.ts';
import { asciiLine, cutTo, drawingLine, oneLine } from './safe-text.ts';

export interface PlainText {
  readonly subject: string;
  readonly body: string;
}

/** SNS `Publish`: "less than 100 characters long"; many mail gateways spoil what is no ASCII. */
const MOST_SUBJECT = 99;
/** SNS takes 256 KiB (`Publish`, `Message`). A mail of a tenth of it is still read by nobody. */
const MOST_BODY = 24_000;
const MOST_ENTRIES = 100;

export function plainText(message: Message): PlainText {
  const { tone, title } = message;
  const heading = `${TONE_WORDS[tone]} ${title}`;
  const parts: readonly (readonly string[])[] = [
    [oneLine(heading)],
    message.cause.map(oneLine),
    section('What to do', message.steps),
    message.commands.flatMap(({ label, command }) => [`${oneLine(label)}:`, `    ${oneLine(command)}`]),
    entryLines(message),
    factLines(message),
    message.map.map(drawingLine),
    message.links.map(({ text, url }) => `${oneLine(text)}: ${oneLine(url)}`),
    [oneLine(message.footer.join('; '))],
  ];
  const body = parts
    .filter((lines) => lines.some((line) => line !== ''))
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return { subject: asciiLine(`[Headroom] ${heading}`, MOST_SUBJECT), body: `${cutTo(body, MOST_BODY)}\n` };
}

function section(name: string, sentences: readonly string[]): readonly string[] {
  return sentences.length === 0 ? [] : [`${name}:`, ...sentences.map(oneLine)];
}

function factLines({ facts }: Message): readonly string[] {
  const labels = facts.map(({ label }) => oneLine(label));
  const width = Math.max(0, ...labels.map((label) => label.length));
  return facts.map(({ value }, index) => `${(labels[index] ?? '').padEnd(width)}  ${oneLine(value)}`);
}

function entryLines({ entries }: Message): readonly string[] {
  const lines = entries
    .slice(0, MOST_ENTRIES)
    .flatMap(({ tone, title, text, command }) => [
      `${TONE_WORDS[tone].padEnd(8)} ${oneLine(title)}`,
      `         ${oneLine(text)}`,
      ...(command === undefined ? [] : [`         ${oneLine(command)}`]),
    ]);
  const more = entries.length - MOST_ENTRIES;
  return more > 0 ? [...lines, `... and ${more} more`] : lines;
}
