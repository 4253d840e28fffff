/** What an event says by itself, before any lookup. */
import type { EventClass } from '../../contract/event-class.ts';
import type { Asked } from './asked.ts';

/** One failure of an event: that of the call, or one inside a successful answer. */
export interface ClassifiedItem {
  /** `PREFIX_OR_IP_CAPACITY` where the event leaves it open; the ledger of the subnet may decide. */
  readonly class: EventClass;
  /** As AWS wrote it, `Client.` included; absent where only a text was given. */
  readonly code?: string;
  /** What AWS said, cleaned; may be empty. */
  readonly message: string;
  /** Subnets that the event ties to this failure. */
  readonly subnetIds: readonly string[];
  /** Whether any of {@link subnetIds} may be the one: a request that named several, and an error that named none. */
  readonly anyOf: boolean;
  /** Interfaces whose subnet is meant, where the event names no subnet. */
  readonly eniIds: readonly string[];
  readonly asked: Asked;
}

export interface ClassifiedEvent {
  /** `eventID` of the call; else the id of the envelope; the same in every delivery. `null` where there is none. */
  readonly eventId: string | null;
  /** Name of the call, or the detail type of an event that is none. */
  readonly eventName: string | null;
  readonly account?: string;
  readonly region?: string;
  /** When it happened, epoch milliseconds. */
  readonly time?: number;
  /** Service or agent that made the call. */
  readonly caller?: string;
  /** Every failure, in the order of the event; empty where it succeeded. */
  readonly items: readonly ClassifiedItem[];
  /** Instances came up although items failed. */
  readonly launched: boolean;
  /** CloudTrail left parts out: what is missing may hold failures. */
  readonly omitted: boolean;
  /** Subnets that the event names anywhere. */
  readonly namedSubnets: readonly string[];
  /** False for a shape nobody knows, or a part that could not be read as what it should be. */
  readonly understood: boolean;
}
