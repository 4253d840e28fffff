import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { ALARM_PREFIX } from '../../lambdas/contract/names.ts';

/** The one key of topics, queues and bucket: made here, or brought along (then its own policy must let the same services in). */
export class Encryption extends Construct {
  readonly key: kms.IKey;

  constructor(scope: Construct, id: string, props: { readonly keyArn?: string | undefined }) {
    super(scope, id);
    const arn = props.keyArn ?? this.makeKey().keyArn;
    // As an imported key, ours too: else every construct that uses it would add statements of its own to the policy.
    this.key = kms.Key.fromKeyArn(this, 'Imported', arn);
  }

  private makeKey(): kms.Key {
    const key = new kms.Key(this, 'Key', {
      description: 'Headroom: topics, queues and snapshots',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const letIn = (sid: string, service: string, conditions?: Record<string, Record<string, string>>) =>
      key.addToResourcePolicy(
        new iam.PolicyStatement({
          sid,
          principals: [new iam.ServicePrincipal(service)],
          actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
          resources: ['*'],
          ...(conditions === undefined ? {} : { conditions }),
        }),
      );
    const thisAccount = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    const ourAlarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:${ALARM_PREFIX}*`;
    letIn('AlarmsToTopics', 'cloudwatch.amazonaws.com', { ...thisAccount, ArnLike: { 'aws:SourceArn': ourAlarms } });
    letIn('TopicsToSubscribedQueues', 'sns.amazonaws.com', thisAccount);
    // No condition: EventBridge sends no source keys with what it delivers to a queue, and every event would be lost in silence.
    letIn('RulesToQueues', 'events.amazonaws.com');
    return key;
  }
}
