import { join } from 'node:path';
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { FunctionUrlAuthType, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';

/** A stack with one of each thing that the testbed has to carry. Not the service: a test of the ground it stands on. */
const tinyStack = (app: App): void => {
  const stack = new Stack(app, 'Tiny');
  const queue = new Queue(stack, 'Changes');
  const alarms = new Queue(stack, 'AlarmEvents');
  const table = new Table(stack, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const bucket = new Bucket(stack, 'Bucket', { removalPolicy: RemovalPolicy.DESTROY });
  const topic = new Topic(stack, 'Pages');
  const failed = new Queue(stack, 'Failed');
  const fn = new NodejsFunction(stack, 'Function', {
    entry: join(import.meta.dirname, 'handler.ts'),
    handler: 'handler',
    runtime: Runtime.NODEJS_24_X,
    timeout: Duration.seconds(20),
    onFailure: new SqsDestination(failed),
    environment: { TABLE: table.tableName, BUCKET: bucket.bucketName },
    bundling: { format: OutputFormat.ESM, mainFields: ['module', 'main'], externalModules: [] },
  });
  table.grantReadWriteData(fn);
  bucket.grantReadWrite(fn);
  fn.addEventSource(new SqsEventSource(queue));
  const url = fn.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
  new Rule(stack, 'Tick', { schedule: Schedule.rate(Duration.minutes(1)), targets: [new LambdaFunction(fn)] });
  new Rule(stack, 'Ec2Events', { eventPattern: { source: ['aws.ec2'] }, targets: [new SqsQueue(queue)] });
  new Rule(stack, 'Failing', { eventPattern: { source: ['tiny'] }, targets: [new LambdaFunction(fn)] });
  new Rule(stack, 'AlarmChanges', {
    eventPattern: { source: ['aws.cloudwatch'], detailType: ['CloudWatch Alarm State Change'] },
    targets: [new SqsQueue(alarms)],
  });

  const members = ['blue', 'green'].map((cluster) => {
    const alarm = new Alarm(stack, `Severity-${cluster}`, {
      alarmName: `tiny/${cluster}`,
      metric: new Metric({
        namespace: 'Tiny',
        metricName: 'Severity',
        dimensionsMap: { Cluster: cluster },
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 2,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.IGNORE,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    return alarm;
  });
  const shared = new CompositeAlarm(stack, 'Shared', {
    compositeAlarmName: 'tiny/shared',
    alarmRule: AlarmRule.anyOf(...members.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
  });
  shared.addAlarmAction(new SnsAction(topic));

  new CfnOutput(stack, 'TopicArn', { value: topic.topicArn });
  new CfnOutput(stack, 'QueueUrl', { value: queue.queueUrl });
  new CfnOutput(stack, 'AlarmQueueUrl', { value: alarms.queueUrl });
  new CfnOutput(stack, 'FailedQueueUrl', { value: failed.queueUrl });
  new CfnOutput(stack, 'TableName', { value: table.tableName });
  new CfnOutput(stack, 'BucketName', { value: bucket.bucketName });
  new CfnOutput(stack, 'FunctionUrl', { value: url.url });
  new CfnOutput(stack, 'FunctionName', { value: fn.functionName });
};

/** A stack that is there to be destroyed. */
const doomedStack = (app: App): void => {
  const stack = new Stack(app, 'Doomed');
  const topic = new Topic(stack, 'Topic', { topicName: 'doomed' });
  const alarm = new Alarm(stack, 'Alarm', {
    alarmName: 'doomed',
    metric: new Metric({ namespace: 'Doomed', metricName: 'Metric' }),
    threshold: 1,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.MISSING,
  });
  alarm.addAlarmAction(new SnsAction(topic));
  new CompositeAlarm(stack, 'Composite', {
    compositeAlarmName: 'doomed-composite',
    alarmRule: AlarmRule.fromAlarm(alarm, AlarmState.ALARM),
  });
};

const app = new App();
tinyStack(app);
doomedStack(app);
app.synth();
