import type { TestDetail } from '../contract/events.ts';
import type { MessageItem } from '../contract/notify-items.ts';

/** What CloudWatch says of an alarm's action; `pending`: nothing yet. */
export type ActionOutcome =
  | { readonly state: 'pending' }
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly why: string };

/** The ways that alarms and messages really take. */
export interface TestPaths {
  /** Makes an alarm marked as a test that tells the topic of its level, and puts it into ALARM. */
  raiseTestAlarm(level: 'critical' | 'warning', text: string): Promise<void>;
  testAlarmAction(level: 'critical' | 'warning'): Promise<ActionOutcome>;
  /** Takes the alarm away; one that is not there is fine. */
  removeTestAlarm(level: 'critical' | 'warning'): Promise<void>;
  /** Puts the event on the bus, as findings are. */
  sendTestEvent(detail: TestDetail): Promise<void>;
  /** What notify wrote about the event; `undefined`: nothing yet. */
  testMessage(eventId: string): Promise<MessageItem | undefined>;
}

export interface TestTime {
  /** Epoch milliseconds. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}
