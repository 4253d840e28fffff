/** Brings messages to every channel, each to each once, and remembers after every step how far it came. */
import type { MessageItem } from '../../contract/notify-items.ts';
import { type DigestReason, digestMessage } from '../../core/report/messages/digest.ts';
import type { Message } from '../../core/report/messages/message.ts';
import { type Channel, ChannelError, type NotifyWorld } from '../../ports/notifying.ts';
import { expiresAt, HeldElsewhere, type Read } from './items.ts';

/** More than these at once make one digest: a chat takes about a message a second, and nobody reads thirty. */
export const MOST_SINGLE = 5;
/** Kept back for writing down how far it came. */
const RESERVE_MS = 5_000;
/** How long a run may hold a message: longer than the function can run (60 s), and shorter than the queue waits before it hands it out again (360 s). */
const LEASE_MS = 90_000;
/** The mark of the way past a channel that is gone, among the channels that were told. */
const LAST_RESORT = 'last-resort';

export interface Delivery {
  /** Id of the event. */
  readonly id: string;
  readonly message: Message;
  readonly item: Read<MessageItem>;
}

interface Open {
  readonly id: string;
  readonly message: Message;
  value: MessageItem;
  version: number;
}

/**
 * @param reason - why these belong together; without it they are told one by one, unless there are too many.
 * @returns the ids that every channel has. The others come again.
 */
export async function deliver(
  world: NotifyWorld,
  deliveries: readonly Delivery[],
  reason?: DigestReason,
): Promise<ReadonlySet<string>> {
  const open = await claimed(world, deliveries);
  for (const channel of world.channels) await throughChannel(world, channel, open, reason);
  const done = new Set<string>();
  for (const one of open) {
    if (world.channels.every(({ name }) => one.value.told[name] !== undefined)) done.add(one.id);
    await write(world, one, { ...one.value, lease: 0 }).catch((error: unknown) =>
      // The lease ends by itself.
      world.log('warn', 'a message was not given back', { id: one.id, error: String(error) }),
    );
  }
  for (const { id, item } of deliveries) if (complete(world, item.value)) done.add(id);
  return done;
}

function complete({ channels }: NotifyWorld, { told }: MessageItem): boolean {
  return channels.every(({ name }) => told[name] !== undefined);
}

/** What nobody else is at, and this run may work on from now. */
async function claimed(world: NotifyWorld, deliveries: readonly Delivery[]): Promise<readonly Open[]> {
  const claims: Open[] = [];
  for (const { id, message, item } of deliveries) {
    if (complete(world, item.value)) continue;
    const now = world.clock.now();
    const one: Open = { id, message, value: item.value, version: item.version };
    if (item.value.lease > now) {
      world.log('info', 'another run is telling this', { id });
      continue;
    }
    try {
      await write(world, one, { ...item.value, lease: now + LEASE_MS });
      claims.push(one);
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error;
      world.log('info', 'another run was faster', { id });
    }
  }
  return claims;
}

async function throughChannel(
  world: NotifyWorld,
  channel: Channel,
  open: readonly Open[],
  reason: DigestReason | undefined,
): Promise<void> {
  const waiting = open.filter(({ value }) => value.told[channel.name] === undefined);
  for (const part of parts(waiting, reason)) {
    const patience = world.clock.remaining() - RESERVE_MS;
    if (patience <= 0) {
      world.log('warn', 'no time left: the rest comes again by the queue', { channel: channel.name });
      return;
    }
    try {
      await channel.send(part.message, patience);
      await mark(world, part.of, channel.name);
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error;
      await failed(world, channel, part, error);
      // A message that is refused says nothing of the next one; a channel that is busy or gone takes none.
      if (error.code !== 'REFUSED') return;
    }
  }
}

interface Part {
  readonly message: Message;
  readonly of: readonly Open[];
}

function parts(waiting: readonly Open[], reason: DigestReason | undefined): readonly Part[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const together = reason === undefined ? waiting.length > MOST_SINGLE : waiting.length > 1 || reason === 'first-scan';
  if (!together) return waiting.map((one) => ({ message: one.message, of: [one] }));
  const messages = waiting.map(({ message }) => message);
  return [{ message: digestMessage(`digest/${first.id}`, reason ?? 'many', messages), of: waiting }];
}

async function mark(world: NotifyWorld, of: readonly Open[], name: string): Promise<void> {
  const at = new Date(world.clock.now()).toISOString();
  for (const one of of) {
    const { [name]: _, ...stillFailed } = one.value.failed ?? {};
    await write(world, one, { ...one.value, told: { ...one.value.told, [name]: at }, failed: stillFailed });
  }
}

async function failed(world: NotifyWorld, channel: Channel, part: Part, error: ChannelError): Promise<void> {
  const { name } = channel;
  const ids = part.of.map(({ id }) => id);
  world.log('error', `${name} did not take a message`, { channel: name, code: error.code, reason: error.message, ids });
  for (const one of part.of) {
    await write(world, one, {
      ...one.value,
      failed: { ...one.value.failed, [name]: `${error.code}: ${error.message}` },
    });
  }
  // People who read that channel alone are told another way, once; the queue keeps the message until the channel is mended.
  if (error.code !== 'GONE' || part.of.every(({ value }) => value.told[LAST_RESORT] !== undefined)) return;
  try {
    await world.lastResort.send(part.message, name, error.message);
    await mark(world, part.of, LAST_RESORT);
  } catch (last) {
    // The next try takes this way again; until then the queue has the message.
    if (!(last instanceof ChannelError)) throw last;
    world.log('error', 'the topics of alarms did not take it either', { code: last.code, reason: last.message, ids });
  }
}

async function write(world: NotifyWorld, one: Open, value: MessageItem): Promise<void> {
  const options = { expected: one.version, expiresAt: expiresAt(world.clock.now()) };
  if (!(await world.state.put('message', one.id, value, options))) {
    throw new HeldElsewhere(`another run wrote about ${one.id}`);
  }
  one.value = value;
  one.version += 1;
}
