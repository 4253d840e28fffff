import { DescribeClusterCommand, type EKSClient } from '@aws-sdk/client-eks';
import { awsCode } from '../aws-error.ts';

/** Whether EKS has a cluster of this name; rejects where it does not say. */
export async function clusterExists(client: EKSClient, name: string): Promise<boolean> {
  try {
    await client.send(new DescribeClusterCommand({ name }));
    return true;
  } catch (error) {
    if (awsCode(error) === 'ResourceNotFoundException') return false;
    throw error;
  }
}
