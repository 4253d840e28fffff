import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DETAIL_TYPES } from '../../../../lambdas/contract/event-names.ts';
import type { FindingDetail } from '../../../../lambdas/contract/events.ts';
import { FINDING_CODES, SEVERITIES } from '../../../../lambdas/contract/finding.ts';
import { MODES } from '../../../../lambdas/contract/modes.ts';
import { type ChatbotMessage, chatbotMessage } from '../../../../lambdas/core/report/messages/chatbot.ts';
import { digestMessage } from '../../../../lambdas/core/report/messages/digest.ts';
import { findingMessage } from '../../../../lambdas/core/report/messages/finding-message.ts';
import type { Message } from '../../../../lambdas/core/report/messages/message.ts';
import { plainText } from '../../../../lambdas/core/report/messages/plain-text.ts';
import { remediationMessage } from '../../../../lambdas/core/report/messages/remediation-message.ts';
import { slackMessage } from '../../../../lambdas/core/report/messages/slack.ts';
import { slackViolations } from '../../../e2e/slack-stand-in.ts';
import { findingDetail, remediationDetail } from '../../../support/bus-events.ts';

const BLOB = `Encoded authorization failure message: ${'aZ09-_'.repeat(90)}`;

/** What people can put into names and tags, and what AWS puts into errors. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '<!channel> <@U012> <https://evil.example|here>',
    '`*_~ ```code``` &amp; & < >',
    '\u202Egnp.exe\u0000\u001b[31m\r\n\u2028',
    '<script>alert(1)</script>"\'\\',
    'x'.repeat(255),
    '&'.repeat(4_000),
    '\ud800 lone',
    '👩‍👩‍👧‍👦'.repeat(60),
    BLOB,
    `denied. ${BLOB} `,
    '',
    ' ',
  ),
);

const optional = fc.option(hostile, { nil: undefined });
const value = fc.oneof(hostile, fc.double(), fc.constant(null), fc.array(hostile, { maxLength: 3 }));

const details: fc.Arbitrary<FindingDetail> = fc
  .record({
    over: fc.record({
      id: hostile,
      account: hostile,
      region: hostile,
      firstSeen: hostile,
      lastSeen: hostile,
      count: fc.nat(),
    }),
    finding: fc.record({
      id: hostile,
      code: fc.constantFrom(...FINDING_CODES),
      severity: fc.constantFrom(...SEVERITIES),
      observed: value,
      threshold: value,
      message: hostile,
      evidence: fc.dictionary(hostile, value, { maxKeys: 12 }),
    }),
    places: fc.record({
      subnetId: optional,
      zone: optional,
      zoneId: optional,
      cluster: optional,
      vpcId: optional,
      remedy: optional,
    }),
  })
  .map(({ over, finding, places }) => {
    const detail = findingDetail(over, finding);
    const given = Object.fromEntries(Object.entries(places).filter(([, text]) => text !== undefined));
    const { subnetId: _s, zone: _z, zoneId: _i, cluster: _c, vpcId: _v, remedy: _r, ...bare } = detail.finding;
    return { ...detail, finding: { ...bare, ...given } };
  });

const single: fc.Arbitrary<Message> = fc.oneof(
  fc
    .tuple(fc.constantFrom('raised', 'cleared', 'passed'), details, fc.array(hostile, { maxLength: 40 }))
    .map(([change, detail, map]) => findingMessage(change, detail, { map })),
  fc
    .tuple(
      fc.constantFrom(
        DETAIL_TYPES.remediationPlanned,
        DETAIL_TYPES.remediationApplied,
        DETAIL_TYPES.remediationFailed,
        DETAIL_TYPES.remediationRefused,
      ),
      fc.record({
        planId: hostile,
        findingId: hostile,
        summary: hostile,
        reason: hostile,
        cluster: hostile,
        region: hostile,
      }),
      fc.constantFrom(...MODES),
    )
    .map(([type, over, mode]) => remediationMessage(type, remediationDetail(over), mode)),
);

const anyMessage = fc.oneof(
  { weight: 4, arbitrary: single },
  {
    weight: 1,
    arbitrary: fc
      .tuple(hostile, fc.array(single, { minLength: 1, maxLength: 60 }))
      .map(([id, messages]) => digestMessage(id, 'many', messages)),
  },
);

/** Characters that hide, turn the reading direction or steer a terminal; the line feed alone may stand. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;
const visible = (text: string) => !HIDDEN.test(text.replaceAll('\n', ''));
/** All texts of a structure. */
function textsOf(thing: unknown): readonly string[] {
  if (typeof thing === 'string') return [thing];
  return typeof thing === 'object' && thing !== null ? Object.values(thing).flatMap(textsOf) : [];
}

describe('whatever a finding or plan holds', () => {
  test('Slack takes the message: within every limit, and nothing in it is markup but ours', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const made = slackMessage(message);
        expect(slackViolations(made)).toEqual([]);
        for (const text of textsOf(made)) {
          expect(text).not.toMatch(/[<>]/);
          expect(text.replace(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
          expect(visible(text)).toBe(true);
          expect(text).not.toMatch(/[A-Za-z0-9+/=_-]{300,}/);
        }
        expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      }),
      { numRuns: 150 },
    );
  });

  test('Amazon Q Developer takes the message: the required fields are there, and nothing but known ones', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const made: ChatbotMessage = chatbotMessage(message);
        expect(Object.keys(made).sort()).toEqual(['content', 'id', 'metadata', 'source', 'version']);
        expect([made.version, made.source, made.content.textType]).toEqual(['1.0', 'custom', 'client-markdown']);
        expect(made.content.description.trim()).not.toBe('');
        expect(made.content.description.length).toBeLessThanOrEqual(3_000);
        expect(made.content.title.length).toBeLessThanOrEqual(240);
        expect(Object.values(made.metadata.additionalContext).every((text) => typeof text === 'string')).toBe(true);
        for (const text of [...textsOf(made.content), made.metadata.summary]) {
          expect(text).not.toMatch(/[<>]/);
          expect(visible(text)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('SNS takes the mail: a subject of printable ASCII below 100 characters, a body far below 256 KiB', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const { subject, body } = plainText(message);
        expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
        expect(Buffer.byteLength(body)).toBeLessThan(128 * 1024);
        expect(body.trim()).not.toBe('');
        expect(visible(body)).toBe(true);
        expect(body).not.toContain('Encoded authorization');
      }),
      { numRuns: 150 },
    );
  });
});
