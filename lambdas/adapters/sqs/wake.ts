import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Has remediate look at a VPC. Two messages are as good as one: what is to be done stands in the table. */
export function wakeRemediate(client: SQSClient, queueUrl: string) {
  return async (vpcId: string): Promise<void> => {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ look: [vpcId] }) }));
  };
}
