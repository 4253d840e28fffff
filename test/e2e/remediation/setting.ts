/** What the stories of remediation have in common, but for their regions: a cluster, how its VPC CNI is set, and somebody who may approve. */
import { CreateClusterCommand } from '@aws-sdk/client-eks';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { factsPrefix } from '../../../lambdas/contract/names.ts';
import { ACCOUNT, type Testbed } from '../testbed.ts';
import { AWS_NODE, CLUSTER } from './region.ts';

/** Whom the configurations of the stories name as approver. */
export const APPROVER_ROLE = `arn:aws:iam::${ACCOUNT}:role/on-call`;
const SESSION = 'alice';
/** The same as IAM knows them. */
export const APPROVER = `arn:aws:sts::${ACCOUNT}:assumed-role/on-call/${SESSION}`;

/** The cluster, with its nodes in these subnets. */
export async function addCluster({ clients }: Testbed, subnetIds: readonly string[]): Promise<void> {
  await clients.eks.send(
    new CreateClusterCommand({
      name: CLUSTER,
      roleArn: `arn:aws:iam::${ACCOUNT}:role/eks`,
      resourcesVpcConfig: { subnetIds: [...subnetIds] },
    }),
  );
}

/** Puts the facts of the inside of the cluster where the deployed service reads them. */
export async function addFacts({ clients }: Testbed, bucket: string): Promise<void> {
  const Key = `${factsPrefix(CLUSTER)}daemonset.json`;
  await clients.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: JSON.stringify(AWS_NODE) }));
}

/** The environment of the command where an approver runs it. */
export async function asApprover({ clients, env }: Testbed): Promise<Readonly<Record<string, string>>> {
  const { Credentials } = await clients.sts.send(
    new AssumeRoleCommand({ RoleArn: APPROVER_ROLE, RoleSessionName: SESSION }),
  );
  return {
    ...env,
    AWS_ACCESS_KEY_ID: Credentials?.AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: Credentials?.SecretAccessKey ?? '',
    AWS_SESSION_TOKEN: Credentials?.SessionToken ?? '',
  };
}
