import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { BUCKET_PREFIXES, TABLE_KEYS } from '../../lambdas/contract/names.ts';

export interface StorageProps {
  readonly key: IKey;
  readonly snapshotRetentionSeconds: number;
}

/** All that remembers: a table of small facts with conditional writes, and a bucket of gzipped snapshots. */
export class Storage extends Construct {
  readonly table: dynamodb.Table;
  readonly bucket: s3.Bucket;

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id);
    const text = dynamodb.AttributeType.STRING;
    this.table = new dynamodb.Table(this, 'Table', {
      partitionKey: { name: TABLE_KEYS.partition, type: text },
      sortKey: { name: TABLE_KEYS.sort, type: text },
      timeToLiveAttribute: TABLE_KEYS.expires,
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      // The undo ledger stands here: previous values of tags that nobody else remembers.
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.bucket = new s3.Bucket(this, 'Bucket', {
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: props.key,
      // One data key for many objects: else each snapshot is a paid call to KMS.
      bucketKeyEnabled: true,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      lifecycleRules: [
        {
          id: 'snapshots',
          prefix: BUCKET_PREFIXES.snapshots,
          expiration: Duration.seconds(props.snapshotRetentionSeconds),
        },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'access logs would be a second bucket to keep and to pay; CloudTrail data events tell the same to those who want it',
    });
  }
}
