import type { Testbed } from '../testbed.ts';
import { deployedPolicy, type Judgement, judge, type Standing } from './judge.ts';

/** What the machinery of AWS does with a function's role: grants that no call of the function itself uses. */
export const USED_BY_AWS: Readonly<Record<string, string>> = {
  'kms:Decrypt': 'S3 and SQS ask the key with the function’s role; that is no call of the function',
  'kms:GenerateDataKey': 'S3 and SQS ask the key with the function’s role; that is no call of the function',
  'logs:CreateLogStream': 'Lambda writes the log with the function’s role',
  'logs:PutLogEvents': 'Lambda writes the log with the function’s role',
  'sqs:DeleteMessage': 'Lambda polls the queue with the function’s role',
  'sqs:GetQueueAttributes': 'Lambda polls the queue with the function’s role',
  'sqs:ReceiveMessage': 'Lambda polls the queue with the function’s role',
};

/** Holds every recorded call of the functions whose name holds `name` to their deployed role; unused grants without those of {@link USED_BY_AWS}. */
export async function judgeFunctions(
  testbed: Pick<Testbed, 'recordedCalls' | 'endpoint'>,
  name: string,
  standing?: Standing,
): Promise<Judgement & { readonly calls: number }> {
  const own = testbed.recordedCalls().filter(({ functionName }) => functionName.includes(name));
  const roles = new Set(own.map(({ roleArn }) => roleArn));
  const [role] = roles;
  if (role === undefined || roles.size > 1) throw new Error(`${name}: calls of ${roles.size} roles, expected one`);
  const { denied, unused } = await judge(own, await deployedPolicy(testbed.endpoint, role, 'headroom'), standing);
  return { denied, unused: unused.filter((action) => !(action in USED_BY_AWS)), calls: own.length };
}
