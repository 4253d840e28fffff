import { Aws } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { ALARM_PREFIX } from '../../lambdas/contract/names.ts';

/** Critical and warning alarms, plain-text messages, and messages for Amazon Q Developer; each made here or brought along. */
export class Topics extends Construct {
  readonly critical: sns.ITopic;
  readonly warning: sns.ITopic;
  readonly messages: sns.ITopic;
  readonly chat: sns.ITopic;

  constructor(scope: Construct, id: string, props: { readonly key: IKey; readonly config: Config }) {
    super(scope, id);
    const { criticalTopicArn, warningTopicArn, messagesTopicArn, chatTopicArn, email } = props.config.notifications;
    const topic = (name: string, arn: string | undefined, displayName: string) =>
      arn === undefined ? this.makeTopic(name, displayName, props.key) : sns.Topic.fromTopicArn(this, name, arn);
    this.critical = topic('Critical', criticalTopicArn, 'Headroom critical');
    this.warning = topic('Warning', warningTopicArn, 'Headroom warning');
    this.messages = topic('Messages', messagesTopicArn, 'Headroom');
    this.chat = topic('Chat', chatTopicArn, 'Headroom chat');
    for (const readable of [this.critical, this.warning, this.messages]) {
      for (const address of email) readable.addSubscription(new EmailSubscription(address));
    }
  }

  private makeTopic(name: string, displayName: string, key: IKey): sns.Topic {
    const made = new sns.Topic(this, name, { displayName, masterKey: key, enforceSSL: true });
    // A policy of its own replaces the default one, under which alarms of the account could publish.
    made.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'AlarmsMayPublish',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [made.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: {
            'aws:SourceArn': `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:${ALARM_PREFIX}*`,
          },
        },
      }),
    );
    return made;
  }
}
