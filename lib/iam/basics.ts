/** Statements that several functions have. */
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Permission } from './permission.ts';
import { ANY_FUNCTION_ARN, viaService } from './resources.ts';

export function writeOwnLogs(logGroupArn: string): Permission {
  return {
    sid: 'WriteOwnLogs',
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroupArn],
    why: 'Lambda names the log streams of the one log group itself',
  };
}

export function consumeQueue(queueArn: string): Permission {
  return {
    sid: 'ConsumeQueue',
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    resources: [queueArn],
    why: 'the event source mapping polls with the role of the function',
  };
}

export function sendDeadLetters(queueArn: string): Permission {
  return {
    sid: 'SendDeadLetters',
    actions: ['sqs:SendMessage'],
    resources: [queueArn],
    why: 'Lambda puts what failed for good there, with the role of the function',
  };
}

export function useKey(keyArn: string, services: readonly string[]): Permission {
  return {
    sid: 'UseKey',
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: [keyArn],
    conditions: { StringLike: { 'kms:ViaService': viaService(services) } },
    why: `what ${services.join(', ')} hold is encrypted with the key`,
  };
}

/**
 * What Lambda itself needs to attach a function to a VPC. The denial keeps the function's code from using it: calls that code makes carry the
 * function's ARN, those that Lambda makes for it do not (Lambda developer guide, "Security best practices" of VPC functions).
 */
export const ATTACH_TO_VPC: readonly Permission[] = [
  {
    sid: 'LambdaAttachesToVpc',
    actions: [
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:AssignPrivateIpAddresses',
      'ec2:UnassignPrivateIpAddresses',
    ],
    resources: ['*'],
    why: 'Lambda makes the interfaces of a function in a VPC with the function’s role, and asks for all of them on every resource',
  },
  {
    sid: 'CodeAttachesNothing',
    effect: iam.Effect.DENY,
    actions: [
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:AssignPrivateIpAddresses',
      'ec2:UnassignPrivateIpAddresses',
    ],
    resources: ['*'],
    conditions: { ArnLike: { 'lambda:SourceFunctionArn': ANY_FUNCTION_ARN } },
    why: 'the code of no function may use what Lambda needs',
  },
];
