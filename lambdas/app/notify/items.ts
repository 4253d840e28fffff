/** The items of the table as notify reads them. One that is not what it should be is an error: nothing is told by guess, and nothing lost in silence. */
import { HeadroomError } from '../../contract/headroom-error.ts';
import {
  type HeldItem,
  heldItemSchema,
  type MessageItem,
  type MuteItem,
  messageItemSchema,
  muteItemSchema,
  type ToldItem,
  toldItemSchema,
} from '../../contract/notify-items.ts';
import type { StateTable, StoredItem } from '../../ports/state-table.ts';

/** Seconds that an item is kept: longer than a message can wait in a queue (4 days), and then among the dead letters (14 days). */
const KEPT_SECONDS = 30 * 86_400;

export interface Read<T> {
  readonly value: T;
  readonly version: number;
}

export function expiresAt(now: number): number {
  return Math.ceil(now / 1000) + KEPT_SECONDS;
}

export async function readMessage(state: StateTable, eventId: string): Promise<Read<MessageItem> | undefined> {
  return parsed(await state.get('message', eventId), (value) => messageItemSchema.parse(value));
}

export async function readTold(state: StateTable, findingId: string): Promise<Read<ToldItem> | undefined> {
  return parsed(await state.get('told', findingId), (value) => toldItemSchema.parse(value));
}

export async function readMute(state: StateTable, findingId: string): Promise<MuteItem | undefined> {
  return parsed(await state.get('mute', findingId), (value) => muteItemSchema.parse(value))?.value;
}

export async function readHeld(state: StateTable, eventId: string): Promise<Read<HeldItem> | undefined> {
  return parsed(await state.get('held', eventId), heldOf);
}

export async function listHeld(state: StateTable): Promise<ReadonlyMap<string, Read<HeldItem>>> {
  const items = await state.list('held');
  return new Map([...items].map(([id, { value, version }]) => [id, { value: heldOf(value), version }]));
}

function heldOf(value: unknown): HeldItem {
  return heldItemSchema.parse(value);
}

function parsed<T>(item: StoredItem | undefined, parse: (value: unknown) => T): Read<T> | undefined {
  return item === undefined ? undefined : { value: parse(item.value), version: item.version };
}

/** Another run is at the same item: what it leaves undone comes again by the queue. */
export class HeldElsewhere extends HeadroomError {
  override readonly name = 'HeldElsewhere';
  readonly code = 'HELD_ELSEWHERE';
  readonly retryable = true;
}
