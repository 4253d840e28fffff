import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { dynamoStateTable } from '../../../lambdas/adapters/dynamodb/state-table.ts';
import { type AwsAnswer, type AwsStandIn, startAwsStandIn } from '../../support/aws-stand-in.ts';

let aws: AwsStandIn | undefined;
afterEach(async () => {
  await aws?.stop();
  aws = undefined;
});

async function table(...answers: readonly AwsAnswer[]) {
  let next = 0;
  aws = await startAwsStandIn(() => answers[next++]);
  const client = new DynamoDBClient({
    region: 'us-east-1',
    endpoint: aws.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  return dynamoStateTable(client, 'the-table');
}

const ok = (body: object): AwsAnswer => ({ body: JSON.stringify(body) });
const refused: AwsAnswer = {
  status: 400,
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException', message: 'no' }),
};
const item = (subject: string, version: number) => ({
  pk: { S: 'mute' },
  sk: { S: subject },
  value: { M: { why: { S: 'known' } } },
  version: { N: String(version) },
});

describe('the state table on the wire', () => {
  test('reads consistently; an item that is not there is undefined', async () => {
    const state = await table(ok({ Item: item('A', 3) }), ok({}));
    expect(await state.get('mute', 'A')).toEqual({ value: { why: 'known' }, version: 3 });
    expect(await state.get('mute', 'B')).toBeUndefined();
    expect(aws?.calls[0]?.parameters).toMatchObject({
      TableName: 'the-table',
      Key: { pk: { S: 'mute' }, sk: { S: 'A' } },
      ConsistentRead: true,
    });
  });

  test('lists every page of a kind', async () => {
    const state = await table(
      ok({ Items: [item('A', 1)], LastEvaluatedKey: { pk: { S: 'mute' }, sk: { S: 'A' } } }),
      ok({ Items: [item('B', 2)] }),
    );
    expect([...(await state.list('mute')).keys()]).toEqual(['A', 'B']);
    expect(aws?.calls.map(({ parameters }) => parameters.ExclusiveStartKey)).toEqual([
      undefined,
      { pk: { S: 'mute' }, sk: { S: 'A' } },
    ]);
  });

  test('a new item must not be there yet; a known one must be as it was read', async () => {
    const state = await table(ok({}), ok({}), ok({}));
    expect(await state.put('mute', 'A', { why: 'known' }, { expected: undefined, expiresAt: 1_800_000_000 })).toBe(
      true,
    );
    expect(await state.put('mute', 'A', { why: 'known' }, { expected: 3 })).toBe(true);
    expect(await state.remove('mute', 'A', 4)).toBe(true);
    const [first, second, third] = (aws?.calls ?? []).map(({ action, parameters }) => ({ action, ...parameters }));
    expect(first).toMatchObject({
      action: 'PutItem',
      Item: { ...item('A', 1), expiresAt: { N: '1800000000' } },
      ConditionExpression: 'attribute_not_exists(#sk)',
      ExpressionAttributeNames: { '#sk': 'sk' },
    });
    expect(second).toMatchObject({
      Item: item('A', 4),
      ConditionExpression: '#version = :expected',
      ExpressionAttributeValues: { ':expected': { N: '3' } },
    });
    expect(second).not.toHaveProperty('Item.expiresAt');
    expect(third).toMatchObject({
      action: 'DeleteItem',
      ConditionExpression: '#version = :expected',
      ExpressionAttributeValues: { ':expected': { N: '4' } },
    });
  });

  test('somebody was faster: false, and no error; anything else is one', async () => {
    const state = await table(refused, refused, {
      status: 400,
      body: JSON.stringify({ __type: 'AccessDeniedException' }),
    });
    expect(await state.put('mute', 'A', {}, { expected: 1 })).toBe(false);
    expect(await state.remove('mute', 'A', 1)).toBe(false);
    await expect(state.put('mute', 'A', {}, { expected: 1 })).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});
