import { DETAIL_TYPES } from '../../../contract/event-names.ts';
import type { TestDetail } from '../../../contract/events.ts';
import type { Message } from './message.ts';
import { readableTime } from './safe-text.ts';

/** The message of `headroom test-alert`: marked as a test in every line that could be taken for an alarm. */
export function testMessage({ id, account, region, by, at }: TestDetail): Message {
  return {
    id,
    tone: 'info',
    title: 'TEST: a test of the messages, nothing is wrong',
    cause: [`TEST by ${by}. If you can read this, what Headroom finds reaches you here too.`],
    steps: [],
    facts: [],
    commands: [],
    entries: [],
    map: [],
    links: [],
    thread: id,
    eventType: DETAIL_TYPES.testAlert,
    resources: [],
    footer: [`account ${account}, ${region}`, readableTime(at)],
  };
}
