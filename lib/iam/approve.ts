import { EVENT_SOURCE } from '../../lambdas/contract/event-names.ts';
import type { Permission } from './permission.ts';

export interface ApproveResources {
  readonly tableArn: string;
  readonly busArn: string;
  readonly queueArn: string;
}

/** What approve may do: note an answer, say so, wake remediate. It can change nothing in EC2. */
export function approvePermissions({ tableArn, busArn, queueArn }: ApproveResources): readonly Permission[] {
  return [
    {
      sid: 'NoteAnswers',
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tableArn],
      why: 'who approved, refused or wants undone what, and when',
    },
    {
      sid: 'SendEvents',
      actions: ['events:PutEvents'],
      resources: [busArn],
      conditions: { 'ForAllValues:StringEquals': { 'events:source': EVENT_SOURCE } },
      why: 'answers go to our own bus, under our own source',
    },
    { sid: 'WakeRemediate', actions: ['sqs:SendMessage'], resources: [queueArn], why: 'so that it is done at once' },
  ];
}
