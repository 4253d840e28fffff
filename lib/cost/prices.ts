/**
 * US dollars, us-east-1, on demand, without the free tier; other regions differ by up to a third.
 *
 * CloudWatch: domain facts of 2026-11-30 (price pages and excerpts of 2026). The others: the services' price pages of the same time.
 * The estimate wants their order of size, not their last digit: metrics are nine tenths of the sum.
 */
export const PRICES = {
  asOf: '2026-11-30',
  region: 'us-east-1',
  /** A custom metric a month, of the first 10,000. */
  customMetric: 0.3,
  /** A standard alarm on one metric, a month. */
  alarm: 0.1,
  /** A dashboard a month, beyond the three that are free. */
  dashboard: 3,
  /** A PutMetricData request. */
  putMetricData: 0.01 / 1000,
  /** A GB-second of an arm64 function. */
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  /** A customer managed KMS key a month. */
  kmsKey: 1,
  /** A write and a read unit of an on-demand table. */
  dynamodbWrite: 0.625 / 1e6,
  dynamodbRead: 0.125 / 1e6,
  s3Put: 0.005 / 1000,
  s3GbMonth: 0.023,
  sqsRequest: 0.4 / 1e6,
  logsGb: 0.5,
} as const;
