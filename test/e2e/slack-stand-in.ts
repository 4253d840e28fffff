import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it was posted. */
export interface SlackPost {
  readonly at: number;
  readonly path: string;
  readonly message: SlackMessage;
  /** What Slack would have refused, empty for a good message. */
  readonly violations: readonly string[];
  readonly answered: number;
}

/** The part of a webhook message that is looked at. */
export interface SlackMessage {
  readonly text?: string;
  readonly blocks?: readonly SlackBlock[];
}

/** A Block Kit block; which members it has depends on its type. */
export interface SlackBlock {
  readonly type: string;
  readonly block_id?: string;
  readonly text?: { readonly type: string; readonly text: string };
  readonly fields?: readonly { readonly type: string; readonly text: string }[];
  readonly elements?: readonly unknown[];
}

/** How the stand-in behaves from now on. */
export type SlackMood =
  | { readonly kind: 'well' }
  /** 429 with `Retry-After` for the next `times` posts, then well. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number; readonly times: number }
  /** 404 `no_service`: the webhook was removed. */
  | { readonly kind: 'gone' }
  /** 500 for the next `times` posts, then well. */
  | { readonly kind: 'failing'; readonly times: number };

/** A local Slack incoming webhook. */
export interface SlackStandIn {
  readonly url: string;
  /** Every post in order, refused ones too. */
  readonly posts: () => readonly SlackPost[];
  readonly clear: () => void;
  readonly behave: (mood: SlackMood) => void;
  readonly stop: () => Promise<void>;
}

/** Block Kit limits, in characters and counts. Source: Slack's "Block Kit reference: blocks". */
const LIMITS = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  fields: 10,
  fieldText: 2_000,
  contextElements: 10,
  actionsElements: 25,
  blockId: 255,
  /** Slack answers `msg_blocks_too_long` from about 13,200 characters in all blocks; seen, not documented. */
  allText: 13_200,
} as const;

const length = (text: string | undefined): number => [...(text ?? '')].length;

const blockViolations = (block: SlackBlock, index: number): string[] => {
  const found: string[] = [];
  const where = `blocks[${index}] (${block.type})`;
  const limit = (what: string, value: number, most: number): void => {
    if (value > most) found.push(`${where}: ${what} is ${value}, at most ${most}`);
  };
  limit('block_id', length(block.block_id), LIMITS.blockId);
  if (block.type === 'header') {
    limit('text', length(block.text?.text), LIMITS.headerText);
    if (block.text?.type !== 'plain_text') found.push(`${where}: text must be plain_text`);
  }
  if (block.type === 'section') {
    limit('text', length(block.text?.text), LIMITS.sectionText);
    limit('fields', block.fields?.length ?? 0, LIMITS.fields);
    for (const field of block.fields ?? []) limit('a field', length(field.text), LIMITS.fieldText);
    if (block.text === undefined && block.fields === undefined) found.push(`${where}: has neither text nor fields`);
  }
  if (block.type === 'context') limit('elements', block.elements?.length ?? 0, LIMITS.contextElements);
  if (block.type === 'actions') limit('elements', block.elements?.length ?? 0, LIMITS.actionsElements);
  const texts = [block.text?.text, ...(block.fields ?? []).map((field) => field.text)];
  if (texts.some((text) => text === '')) found.push(`${where}: an empty text`);
  return found;
};

/** What Slack would refuse in a message; empty for a good one. */
export const slackViolations = (message: SlackMessage): string[] => {
  const blocks = message.blocks ?? [];
  if (blocks.length === 0 && length(message.text) === 0) return ['no_text'];
  const found = blocks.flatMap(blockViolations);
  if (blocks.length > LIMITS.blocks) found.push(`${blocks.length} blocks, at most ${LIMITS.blocks}`);
  const all = length(JSON.stringify(blocks));
  if (all > LIMITS.allText) found.push(`the blocks have ${all} characters, at most ${LIMITS.allText}`);
  return found;
};

/** Starts the stand-in on loopback, on a port that the system chooses. */
export const startSlackStandIn = async (): Promise<SlackStandIn> => {
  const posts: SlackPost[] = [];
  let mood: SlackMood = { kind: 'well' };

  const refusal = (): { status: number; body: string; headers?: Record<string, string> } | undefined => {
    const current = mood;
    if (current.kind === 'well') return undefined;
    if (current.kind === 'gone') return { status: 404, body: 'no_service' };
    mood = current.times > 1 ? { ...current, times: current.times - 1 } : { kind: 'well' };
    if (current.kind === 'failing') return { status: 500, body: 'rollup_error' };
    return { status: 429, body: 'rate_limited', headers: { 'retry-after': String(current.retryAfterSeconds) } };
  };

  const receive = (path: string, body: string, response: ServerResponse): void => {
    const message = JSON.parse(body) as SlackMessage;
    const violations = slackViolations(message);
    const answer =
      refusal() ??
      (violations.length > 0
        ? { status: 400, body: violations[0] === 'no_text' ? 'no_text' : 'invalid_blocks' }
        : { status: 200, body: 'ok' });
    posts.push({ at: Date.now(), path, message, violations, answered: answer.status });
    response.writeHead(answer.status, { 'content-type': 'text/html', ...answer.headers }).end(answer.body);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        receive(request.url ?? '/', Buffer.concat(chunks).toString('utf8'), response);
      } catch {
        response.writeHead(400).end('invalid_payload');
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    // The path of a real webhook, so that whatever checks its shape is checked too.
    url: `http://127.0.0.1:${port}/services/T00000000/B00000000/standin`,
    posts: () => [...posts],
    clear: () => {
      posts.length = 0;
    },
    behave: (next) => {
      mood = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
