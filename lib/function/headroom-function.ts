import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Config } from '../../lambdas/contract/config.ts';
import { type EnvironmentKey, variablesToSet } from '../../lambdas/contract/environment.ts';
import { CONFIG_FILE_NAME, type FunctionName } from '../../lambdas/contract/names.ts';
import { ATTACH_TO_VPC, writeOwnLogs } from '../iam/basics.ts';
import { acknowledgeWildcards, type Permission, policyDocument } from '../iam/permission.ts';

/** Gives the code of a function: bundled in the app, inline in tests of the template. */
export type FunctionCode = (name: FunctionName) => lambda.Code;

/** Values of the environment that the constructs know; what every function gets alike is filled in here. */
export type EnvironmentValues = Partial<Record<EnvironmentKey, string>>;

export interface HeadroomFunctionProps {
  readonly name: FunctionName;
  readonly description: string;
  readonly code: FunctionCode;
  readonly config: Config;
  readonly permissions: readonly Permission[];
  readonly environment: EnvironmentValues;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
}

/** A function with its own role, log group and exactly the environment it reads. */
export class HeadroomFunction extends Construct {
  readonly function: lambda.Function;
  readonly role: iam.Role;
  readonly name: FunctionName;
  /** Everything its role allows, with reasons. */
  readonly permissions: readonly Permission[];

  constructor(scope: Construct, id: string, props: HeadroomFunctionProps) {
    super(scope, id);
    const { deployment } = props.config;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: deployment.logRetention / 86_400,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.name = props.name;
    this.permissions = [
      writeOwnLogs(logGroup.logGroupArn),
      ...(deployment.vpc === undefined ? [] : ATTACH_TO_VPC),
      ...props.permissions,
    ];
    this.role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `Headroom ${props.name}: exactly what docs/permissions.md lists`,
      inlinePolicies: { headroom: policyDocument(this.permissions) },
    });
    acknowledgeWildcards(this.role, this.permissions);
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      code: props.code(props.name),
      handler: 'index.handler',
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: Duration.seconds(props.timeoutSeconds),
      logGroup,
      environment: environmentOf(props),
      // Without this the CDK would widen the role behind our back wherever it grants something.
      role: this.role.withoutPolicyUpdates(),
    });
    if (deployment.vpc !== undefined) attachToVpc(this.function, deployment.vpc);
  }
}

function environmentOf({ name, environment }: HeadroomFunctionProps): Record<string, string> {
  const known: EnvironmentValues = {
    account: Aws.ACCOUNT_ID,
    partition: Aws.PARTITION,
    configFile: CONFIG_FILE_NAME,
    ...environment,
  };
  return Object.fromEntries(
    [...variablesToSet(name)].map(([key, variable]) => {
      const value = known[key];
      if (value === undefined) throw new Error(`nothing is known for ${variable}, which ${name} reads`);
      return [variable, value];
    }),
  );
}

/** By id alone: looking the VPC up would need the account at synth time. */
function attachToVpc(target: lambda.Function, vpc: NonNullable<Config['deployment']['vpc']>): void {
  const resource = target.node.defaultChild;
  if (!(resource instanceof lambda.CfnFunction))
    throw new Error('a Lambda function without its CloudFormation resource');
  resource.vpcConfig = { subnetIds: [...vpc.subnetIds], securityGroupIds: [...vpc.securityGroupIds] };
}
