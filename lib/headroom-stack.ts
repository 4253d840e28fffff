import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../lambdas/contract/config.ts';
import { BUS_NAME, STACK_OUTPUTS } from '../lambdas/contract/names.ts';
import { Cleanup } from './cleanup/cleanup.ts';
import type { TemplateCounts } from './cost/estimate.ts';
import type { FunctionCode } from './function/headroom-function.ts';
import { enabledActions } from './iam/remediate.ts';
import { HeadroomDashboard } from './monitoring/dashboard.ts';
import { ServiceAlarms, type WatchedFunction } from './monitoring/service-alarms.ts';
import { Notifier } from './notifier/notifier.ts';
import { OBSERVE_MEMORY_MIB, OBSERVE_TIMEOUT_SECONDS, Observer } from './observer/observer.ts';
import { Reactor } from './reactor/reactor.ts';
import { Remediator } from './remediator/remediator.ts';
import { Encryption } from './storage/encryption.ts';
import { Storage } from './storage/storage.ts';
import { Topics } from './topics/topics.ts';
import { Widget } from './widget/widget.ts';

export interface HeadroomStackProps extends StackProps {
  readonly config: Config;
  readonly code: FunctionCode;
}

/** Headroom in one account and region. */
export class HeadroomStack extends Stack {
  /** What the cost is estimated from. */
  readonly counts: TemplateCounts;

  constructor(scope: Construct, id: string, props: HeadroomStackProps) {
    super(scope, id, { description: 'Headroom: what room EKS subnets truly have', ...props });
    const { config, code } = props;

    const { key } = new Encryption(this, 'Encryption', { keyArn: config.deployment.kmsKeyArn });
    const storage = new Storage(this, 'Storage', {
      key,
      snapshotRetentionSeconds: config.deployment.snapshotRetention,
    });
    const topics = new Topics(this, 'Topics', { key, config });
    const bus = new EventBus(this, 'Bus', { eventBusName: BUS_NAME });

    const observer = new Observer(this, 'Observer', { config, code, key, storage, topics, bus });
    const reactor = new Reactor(this, 'Reactor', { config, code, key, storage, bus });
    const notifier = new Notifier(this, 'Notifier', { config, code, key, storage, topics, bus });
    const remediator =
      enabledActions(config).length === 0
        ? undefined
        : new Remediator(this, 'Remediator', { config, code, key, storage, bus });
    const widget = new Widget(this, 'Widget', { config, code, key, storage });
    new Cleanup(this, 'Cleanup', { config, code, observer, storage });

    const functions: readonly WatchedFunction[] = [
      { name: 'observe', ...observer },
      { name: 'react', ...reactor },
      { name: 'notify', ...notifier },
      ...(remediator === undefined
        ? []
        : [
            { name: 'remediate', function: remediator.function, work: remediator.work } as const,
            { name: 'approve', function: remediator.approve } as const,
          ]),
    ];
    const { alarms } = new ServiceAlarms(this, 'Alarms', {
      config,
      functions,
      critical: topics.critical,
      warning: topics.warning,
      observeTimeoutSeconds: OBSERVE_TIMEOUT_SECONDS,
    });
    const { dashboard } = new HeadroomDashboard(this, 'Monitoring', {
      functions,
      alarms,
      widgetFunctionArn: widget.function.function.functionArn,
    });

    this.counts = {
      alarms: alarms.length,
      queuesWithConsumer: functions.filter(({ work }) => work !== undefined).length,
      observeMemoryMiB: OBSERVE_MEMORY_MIB,
    };
    this.bound(config.deployment.permissionsBoundaryArn);
    this.outputs({
      table: storage.table.tableName,
      bucket: storage.bucket.bucketName,
      bus: bus.eventBusName,
      criticalTopic: topics.critical.topicArn,
      warningTopic: topics.warning.topicArn,
      messagesTopic: topics.messages.topicArn,
      chatTopic: topics.chat.topicArn,
      observeFunction: observer.function.function.functionName,
      dashboard: dashboard.dashboardName,
      key: key.keyArn,
      ...slackSecretOf(config),
      ...(remediator === undefined ? {} : { approvalUrl: remediator.approvalUrl }),
    });
  }

  /** Every role, also those made later, under the boundary that the organisation asks for. */
  private bound(policyArn: string | undefined): void {
    if (policyArn === undefined) return;
    PermissionsBoundary.of(this).apply(ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', policyArn));
  }

  private outputs(values: Partial<Record<keyof typeof STACK_OUTPUTS, string>>): void {
    for (const [key, value] of Object.entries(values)) {
      const name = STACK_OUTPUTS[key as keyof typeof STACK_OUTPUTS];
      new CfnOutput(this, name, { value });
    }
  }
}

/** The secret's ARN, which is no secret itself. */
function slackSecretOf({ notifications }: Config): { readonly slackSecret?: string } {
  const { slackWebhookSecretArn } = notifications;
  return slackWebhookSecretArn === undefined ? {} : { slackSecret: slackWebhookSecretArn };
}
