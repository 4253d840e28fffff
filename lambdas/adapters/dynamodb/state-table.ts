import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type ItemKind, itemKey, TABLE_KEYS } from '../../contract/names.ts';
import type { StateTable, StoredItem } from '../../ports/state-table.ts';

/** Attributes beside the keys: the value as it is, and the number of writes that it has seen. */
const VALUE = 'value';
const VERSION = 'version';

const NAMES = { '#sk': TABLE_KEYS.sort, '#version': VERSION };

/**
 * The state table in DynamoDB.
 *
 * Whether an item is still as it was read is asked of DynamoDB with the write itself, by its version. An item that is past its time and not yet
 * removed counts as it stands: DynamoDB may take days, and what rests on the time looks at a time of its own.
 *
 * Errors are those of the SDK; a condition that did not hold is none.
 */
export function dynamoStateTable(client: DynamoDBClient, table: string): StateTable {
  return {
    async get(kind, subject) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: marshall(itemKey(kind, subject)), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : stored(Item);
    },

    async list(kind) {
      const found = new Map<string, StoredItem>();
      let from: Record<string, AttributeValue> | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName: table,
            ConsistentRead: true,
            KeyConditionExpression: '#pk = :kind',
            ExpressionAttributeNames: { '#pk': TABLE_KEYS.partition },
            ExpressionAttributeValues: marshall({ ':kind': kind satisfies ItemKind }),
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        for (const item of page.Items ?? []) found.set(String(item[TABLE_KEYS.sort]?.S), stored(item));
        from = page.LastEvaluatedKey;
      } while (from !== undefined);
      return found;
    },

    put: (kind, subject, value, { expected, expiresAt }) =>
      held(
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshall(
              {
                ...itemKey(kind, subject),
                [VALUE]: value,
                [VERSION]: (expected ?? 0) + 1,
                [TABLE_KEYS.expires]: expiresAt,
              },
              { removeUndefinedValues: true },
            ),
            ...unchanged(expected),
          }),
        ),
      ),

    remove: (kind, subject, expected) =>
      held(
        client.send(
          new DeleteItemCommand({ TableName: table, Key: marshall(itemKey(kind, subject)), ...unchanged(expected) }),
        ),
      ),
  };
}

function unchanged(expected: number | undefined) {
  return expected === undefined
    ? { ConditionExpression: 'attribute_not_exists(#sk)', ExpressionAttributeNames: { '#sk': NAMES['#sk'] } }
    : {
        ConditionExpression: '#version = :expected',
        ExpressionAttributeNames: { '#version': NAMES['#version'] },
        ExpressionAttributeValues: marshall({ ':expected': expected }),
      };
}

function stored(item: Record<string, AttributeValue>): StoredItem {
  const { [VALUE]: value, [VERSION]: version } = unmarshall(item);
  return { value: value as unknown, version: Number(version) };
}

async function held(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
