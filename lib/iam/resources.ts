/** ARNs of what lies outside the stack, in the account, region and partition of the stack. */
import { Aws } from 'aws-cdk-lib';
import { RUN_TIME_ALARM_PATTERNS } from '../../lambdas/contract/names.ts';

function regional(service: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;
}

export const RUN_TIME_ALARM_ARNS = RUN_TIME_ALARM_PATTERNS.map((pattern) => regional('cloudwatch', `alarm:${pattern}`));

/** `*` and not the region alone: a multi-region trail is asked for where it is at home. */
export const ANY_TRAIL_ARN = `arn:${Aws.PARTITION}:cloudtrail:*:*:trail/*`;

/** Resource part of EKS ARNs; a name may be a wildcard. */
export const eksArns = {
  cluster: (name: string) => regional('eks', `cluster/${name}`),
  nodegroups: (cluster: string) => regional('eks', `nodegroup/${cluster}/*/*`),
  addons: (cluster: string) => regional('eks', `addon/${cluster}/*/*`),
};

/** Every function of the account: for the condition that tells a function's own calls from those Lambda makes for it. */
export const ANY_FUNCTION_ARN = `arn:${Aws.PARTITION}:lambda:*:${Aws.ACCOUNT_ID}:function:*`;

/** `kms:ViaService` values of a service; the end of the name differs between partitions. */
export function viaService(services: readonly string[]): readonly string[] {
  return services.map((service) => `${service}.${Aws.REGION}.amazonaws.com*`);
}

/** ARNs of EC2 resources; a subnet that another account shares has that account's number in its ARN. */
export const ec2Arns = {
  subnets: (owner: 'own' | 'any') => ec2('subnet/*', owner),
  interfaces: ec2('network-interface/*', 'own'),
  vpc: (id: string) => ec2(`vpc/${id}`, 'any'),
};

function ec2(resource: string, owner: 'own' | 'any'): string {
  return `arn:${Aws.PARTITION}:ec2:${Aws.REGION}:${owner === 'own' ? Aws.ACCOUNT_ID : '*'}:${resource}`;
}

/** ARN of an SSM parameter by its name, which begins with a slash. */
export function parameterArn(name: string): string {
  return regional('ssm', `parameter${name}`);
}
