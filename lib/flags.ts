/** CDK feature flags, in code so that tests and `cdk synth` cannot differ. */
export const FEATURE_FLAGS: Readonly<Record<string, unknown>> = {
  // Rules of other accounts may not write to our queues.
  '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
  '@aws-cdk/core:target-partitions': ['aws', 'aws-cn', 'aws-us-gov'],
};
