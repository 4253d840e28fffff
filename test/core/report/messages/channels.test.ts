import { describe, expect, test } from '@jest/globals';
import { DETAIL_TYPES } from '../../../../lambdas/contract/event-names.ts';
import { chatbotMessage } from '../../../../lambdas/core/report/messages/chatbot.ts';
import { digestMessage } from '../../../../lambdas/core/report/messages/digest.ts';
import { findingMessage } from '../../../../lambdas/core/report/messages/finding-message.ts';
import { plainText } from '../../../../lambdas/core/report/messages/plain-text.ts';
import { remediationMessage } from '../../../../lambdas/core/report/messages/remediation-message.ts';
import { slackMessage } from '../../../../lambdas/core/report/messages/slack.ts';
import { testMessage } from '../../../../lambdas/core/report/messages/test-message.ts';
import { findingDetail, remediationDetail } from '../../../support/bus-events.ts';

const RUNBOOK = 'https://wiki.example.org/headroom/runbook';

describe('a finding that came', () => {
  const message = findingMessage('raised', findingDetail(), { runbookUrl: RUNBOOK, map: ['10.0.0.0  P P . 3'] });

  test('as e-mail', () => {
    expect(plainText(message)).toEqual({
      subject: '[Headroom] CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
      body: `CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)

No free /28 is left in 10.0.0.0/20 although 1377 addresses are available.

What to do:
Open subnet-0c3 to prod.

Who holds what:
    headroom explain subnet-0a1 --region eu-central-1
No message until:
    headroom mute PREFIX_EXHAUSTED/subnet-0a1/prod --region eu-central-1 --until TIME --why TEXT

observed       0
threshold      1
available IPs  1,377
fragmentation  1

10.0.0.0  P P . 3

Runbook: https://wiki.example.org/headroom/runbook#prefix_exhausted
Console: https://console.aws.amazon.com/vpcconsole/home?region=eu-central-1#SubnetDetails:subnetId=subnet-0a1

account 111122223333, eu-central-1; first seen 2026-11-30 12:00 UTC; seen once; told by a scan
`,
    });
  });

  test('for Amazon Q Developer', () => {
    expect(chatbotMessage(message)).toEqual({
      version: '1.0',
      source: 'custom',
      id: 'PREFIX_EXHAUSTED/subnet-0a1/prod@2026-11-30T12:00:00.000Z#1',
      content: {
        textType: 'client-markdown',
        title: '🔴 CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
        description:
          'No free /28 is left in 10.0.0.0/20 although 1377 addresses are available.\nobserved: 0\nthreshold: 1\navailable IPs: 1,377\nfragmentation: 1\n```\n10.0.0.0  P P . 3\n```',
        nextSteps: [
          'Open subnet-0c3 to prod.',
          'Who holds what: headroom explain subnet-0a1 --region eu-central-1',
          'No message until: headroom mute PREFIX_EXHAUSTED/subnet-0a1/prod --region eu-central-1 --until TIME --why TEXT',
          'Runbook: https://wiki.example.org/headroom/runbook#prefix_exhausted',
          'Console: https://console.aws.amazon.com/vpcconsole/home?region=eu-central-1#SubnetDetails:subnetId=subnet-0a1',
        ],
        keywords: ['critical', 'account 111122223333, eu-central-1'],
      },
      metadata: {
        threadId: 'PREFIX_EXHAUSTED/subnet-0a1/prod',
        summary: 'CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
        eventType: 'Subnet Finding Raised',
        relatedResources: [
          'arn:aws:ec2:eu-central-1:111122223333:subnet/subnet-0a1',
          'arn:aws:ec2:eu-central-1:111122223333:vpc/vpc-0b2',
          'arn:aws:eks:eu-central-1:111122223333:cluster/prod',
        ],
        additionalContext: { severity: 'critical', headroom: 'true' },
      },
    });
  });

  test('for Slack', () => {
    const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
    expect(slackMessage(message)).toEqual({
      text: 'CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
      blocks: [
        {
          type: 'header',
          text: {
            type: 'plain_text',
            text: 'CRITICAL PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)',
            emoji: false,
          },
        },
        {
          type: 'section',
          text: mrkdwn('No free /28 is left in 10.0.0.0/20 although 1377 addresses are available.'),
        },
        { type: 'section', text: mrkdwn('*What to do*\nOpen subnet-0c3 to prod.') },
        {
          type: 'section',
          text: mrkdwn(
            'Who holds what: `headroom explain subnet-0a1 --region eu-central-1`\nNo message until: `headroom mute PREFIX_EXHAUSTED/subnet-0a1/prod --region eu-central-1 --until TIME --why TEXT`',
          ),
        },
        {
          type: 'section',
          fields: [
            mrkdwn('*observed*\n0'),
            mrkdwn('*threshold*\n1'),
            mrkdwn('*available IPs*\n1,377'),
            mrkdwn('*fragmentation*\n1'),
          ],
        },
        { type: 'section', text: mrkdwn('```\n10.0.0.0  P P . 3\n```') },
        {
          type: 'context',
          elements: [
            'Runbook: https://wiki.example.org/headroom/runbook#prefix_exhausted',
            'Console: https://console.aws.amazon.com/vpcconsole/home?region=eu-central-1#SubnetDetails:subnetId=subnet-0a1',
            'account 111122223333, eu-central-1',
            'first seen 2026-11-30 12:00 UTC',
            'seen once',
            'told by a scan',
          ].map((text) => ({ type: 'mrkdwn', text })),
        },
      ],
    });
  });
});

describe('what became of a finding', () => {
  const until = { lastSeen: '2026-11-30T12:40:00.000Z', count: 41 };

  test('cleared: says from when to when, and asks for nothing', () => {
    const { subject, body } = plainText(findingMessage('cleared', findingDetail(until)));
    expect(subject).toBe('[Headroom] OK Cleared: PREFIX_EXHAUSTED subnet-0a1 (euc1-az2, cluster prod)');
    expect(body).toContain('It was there from 2026-11-30 12:00 UTC to 2026-11-30 12:40 UTC.');
    expect(body).toContain('Was: No free /28 is left');
    expect(body).not.toContain('What to do');
  });

  test('worse than it was: says so', () => {
    const message = findingMessage('raised', findingDetail(), {}, 'warning');
    expect(message.cause[0]).toBe('Was warning, is critical now.');
    expect(findingMessage('raised', findingDetail(), {}, 'critical').cause[0]).toMatch(/^No free/);
  });

  test('came and went before anybody was told', () => {
    expect(plainText(findingMessage('passed', findingDetail(until))).body).toContain(
      'to 2026-11-30 12:40 UTC. It is gone already.',
    );
  });
});

describe('links lead to the partition of the region', () => {
  test.each([
    ['cn-north-1', 'https://console.amazonaws.cn/vpcconsole/', 'arn:aws-cn:'],
    ['us-gov-west-1', 'https://console.amazonaws-us-gov.com/vpcconsole/', 'arn:aws-us-gov:'],
    ['us-east-1', 'https://console.aws.amazon.com/vpcconsole/', 'arn:aws:'],
  ])('%s', (region, url, arn) => {
    const message = findingMessage('raised', findingDetail({ region }));
    expect(message.links[1]?.url).toMatch(new RegExp(`^${url.replaceAll('.', '\\.')}`));
    expect(message.resources.every((name) => name.startsWith(arn))).toBe(true);
  });
});

describe('a plan', () => {
  test.each([
    ['propose', ['headroom apply plan-1 --region eu-central-1', 'headroom refuse plan-1 --region eu-central-1']],
    ['auto', ['headroom refuse plan-1 --region eu-central-1']],
    ['observe', []],
  ] as const)('in mode %s shows the commands that would be answered', (mode, commands) => {
    const message = remediationMessage(DETAIL_TYPES.remediationPlanned, remediationDetail(), mode);
    expect(message.commands.map(({ command }) => command)).toEqual([
      'headroom plan --region eu-central-1',
      ...commands,
    ]);
    expect(plainText(message).body).toContain('plan     plan-1');
  });

  test('done: the exact command to take it back', () => {
    const message = remediationMessage(DETAIL_TYPES.remediationApplied, remediationDetail(), 'propose');
    expect(plainText(message).body).toContain('Take back:\n    headroom undo plan-1 --region eu-central-1');
  });

  test('failed: critical, with the code; refused: by whom', () => {
    const failed = remediationMessage(
      DETAIL_TYPES.remediationFailed,
      remediationDetail({ errorCode: 'FACTS_CHANGED' }),
      'auto',
    );
    expect(failed.tone).toBe('critical');
    expect(failed.facts).toContainEqual({ label: 'error', value: 'FACTS_CHANGED' });
    const by = 'arn:aws:sts::111122223333:assumed-role/on-call/jo';
    const refused = remediationMessage(DETAIL_TYPES.remediationRefused, remediationDetail({ by }), 'propose');
    expect(refused.facts).toContainEqual({ label: 'by', value: by });
  });
});

describe('a digest', () => {
  const warning = findingMessage(
    'raised',
    findingDetail({ id: 'w' }, { id: 'SUBNET_LOW/s', severity: 'warning', code: 'SUBNET_LOW' }),
  );
  const critical = findingMessage('raised', findingDetail());
  const plan = remediationMessage(DETAIL_TYPES.remediationPlanned, remediationDetail(), 'propose');

  test('counts, worst first, with the commands that decide', () => {
    const digest = digestMessage('d', 'first-scan', [warning, plan, critical]);
    expect(plainText(digest).subject).toBe('[Headroom] CRITICAL First scan: 1 critical, 2 warning');
    expect(digest.commands).toEqual([
      { label: 'All of it, with what to do', command: 'headroom assess --region eu-central-1 --all' },
    ]);
    expect(digest.entries.map(({ title, command }) => [title, command])).toEqual([
      [critical.title, undefined],
      [plan.title, 'headroom apply plan-1 --region eu-central-1'],
      [warning.title, undefined],
    ]);
  });

  test('of hundreds still fits, and says how many it leaves out', () => {
    const many = Array.from({ length: 700 }, (_, i) => ({
      ...critical,
      id: `${i}`,
      title: `finding ${i} ${'x'.repeat(80)}`,
    }));
    const digest = digestMessage('d', 'many', many);
    const { blocks } = slackMessage(digest);
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks)).toMatch(/\.\.\. and 6\d\d more/);
    expect(plainText(digest).body).toContain('... and 600 more');
    expect(chatbotMessage(digest).content.description).toContain('... and 680 more');
  });
});

test('a test message is marked in its subject and its text', () => {
  const message = testMessage({
    schemaVersion: 1,
    id: 't',
    account: '1',
    region: 'us-east-1',
    at: '2026-11-30T12:00:00Z',
    by: 'arn:aws:iam::1:user/jo',
  });
  const { subject, body } = plainText(message);
  expect([subject, slackMessage(message).text, chatbotMessage(message).content.title]).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('TEST')),
  );
  expect(body).toContain('TEST by arn:aws:iam::1:user/jo.');
});
