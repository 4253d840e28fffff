/** What is said of failed requests: severity, numbers and words. */
import { expect, test } from '@jest/globals';
import { eventFinding } from '../../../lambdas/core/react/event-findings.ts';
import type { Fold } from '../../../lambdas/core/react/fold.ts';
import { room, SUBNET_A } from '../../support/events.ts';

function said(change: Partial<Fold> = {}) {
  return eventFinding({
    code: 'SUBNET_EXHAUSTED',
    subnetId: SUBNET_A,
    room: room({ availableIps: 3 }),
    count: 1,
    eventIds: ['e-1'],
    classes: ['IP_EXHAUSTED'],
    codes: ['InsufficientFreeAddressesInSubnet'],
    callers: ['amazon-vpc-cni-k8s'],
    asked: { addresses: 0, prefixes: 0 },
    message: '',
    ...change,
  });
}

test.each([
  ['SUBNET_EXHAUSTED', 'critical', 0],
  ['PREFIX_EXHAUSTED', 'critical', 0],
  ['ELB_HEADROOM_LOW', 'warning', 8],
  ['EKS_UPGRADE_BLOCKED', 'warning', 5],
] as const)('%s is %s, held against %i', (code, severity, threshold) => {
  expect(said({ code })).toMatchObject({ code, severity, threshold });
});

test('one request and several, with what AWS said where it said something', () => {
  expect(said().message).toBe(
    `1 request in ${SUBNET_A} was refused: not enough free addresses. EC2 counts 3 available of 251 usable.`,
  );
  expect(said({ count: 2, message: 'no "room"' }).message).toBe(
    `2 requests in ${SUBNET_A} were refused: not enough free addresses. EC2 counts 3 available of 251 usable. AWS said: "no \\"room\\""`,
  );
});

test('a count of addresses is no answer where a prefix was missing', () => {
  const { message } = said({ code: 'PREFIX_EXHAUSTED', asked: { addresses: 0, prefixes: 1 } });
  expect(message).toContain('1 request for a prefix in');
  expect(message).toContain('EC2 counts 3 available of 251 usable, which says nothing about whole /28s.');
});

test('one event that says so by its code is enough to be sure of prefixes', () => {
  const counts = { code: 'PREFIX_EXHAUSTED', room: room({ confidence: 'counts-only', freePrefixes: null }) } as const;
  const confidence = (...codes: string[]) =>
    said({ ...counts, classes: ['PREFIX_EXHAUSTED'], codes }).evidence.confidence;
  expect(confidence('InvalidParameterValue', 'Client.InsufficientCidrBlocks')).toBe(
    'said-by-event; ledger counts-only',
  );
  expect(confidence('InvalidParameterValue')).toContain('confirm with ENI scan');
});
