import type { AwsEvent } from '../../core/observe/changes.ts';

/** As much of what Lambda hands over for a queue as is looked at. */
export interface QueueMessages {
  readonly Records: readonly {
    readonly body: string;
    readonly attributes: { readonly SentTimestamp: string };
  }[];
}

export interface QueuedChange {
  readonly event: AwsEvent;
  /** Epoch milliseconds. */
  readonly sentAt: number;
}

/** Why the function was called: the schedule, or messages of the queue with the events of AWS in them. */
export function changesOf(event: object | QueueMessages): 'tick' | readonly QueuedChange[] {
  if (!('Records' in event)) return 'tick';
  return event.Records.map(({ body, attributes }) => ({
    event: eventOf(body),
    sentAt: Number(attributes.SentTimestamp),
  }));
}

/** A message that is no event of AWS was put there by hand: it asks for a scan all the same. */
function eventOf(body: string): AwsEvent {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
