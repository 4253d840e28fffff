import { GetTopicAttributesCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { TopicFacts } from '../../core/publish/service-findings.ts';

/** How many subscribers of each topic are confirmed: SNS counts them among the topic's attributes. */
export async function readTopics(
  client: SNSClient,
  topics: readonly Pick<TopicFacts, 'arn' | 'level'>[],
): Promise<readonly TopicFacts[]> {
  return Promise.all(
    topics.map(async ({ arn, level }) => {
      const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
      return {
        arn,
        level,
        confirmed: Number(Attributes.SubscriptionsConfirmed ?? 0),
        pending: Number(Attributes.SubscriptionsPending ?? 0),
      };
    }),
  );
}
