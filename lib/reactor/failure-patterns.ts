/**
 * Failures that AWS reports and that may be for want of addresses, as EventBridge patterns.
 *
 * They sort by call, not by error code: what a failure means is decided in one place, by the function, which also counts the shapes it
 * does not know. Reads are never delivered (CloudTrail's read-only events need a rule state that we do not use).
 */
import { type EventPattern, Match } from 'aws-cdk-lib/aws-events';

const CALL = ['AWS API Call via CloudTrail'];

const failed = (service: string, eventSource: string, eventName: string[]): EventPattern => ({
  source: [service],
  detailType: CALL,
  detail: { eventSource: [eventSource], eventName, errorCode: Match.exists() },
});

/** By construct id of the rule. */
export const FAILURE_PATTERNS: Readonly<Record<string, EventPattern>> = {
  /** Whatever takes an address or a /28: codes come with and without `Client.` and `Server.`, and as text in `InvalidParameterValue`. */
  Allocations: failed('aws.ec2', 'ec2.amazonaws.com', [
    'RunInstances',
    'CreateFleet',
    'CreateNetworkInterface',
    'AttachNetworkInterface',
    'AssignPrivateIpAddresses',
    'CreateNatGateway',
    'CreateVpcEndpoint',
    'ModifyVpcEndpoint',
    'CreateTransitGatewayVpcAttachment',
    'ModifyTransitGatewayVpcAttachment',
  ]),
  /** An instant fleet succeeds although parts of it failed: the errors stand inside the answer, so every one is looked into. */
  Launches: {
    source: ['aws.ec2'],
    detailType: CALL,
    detail: {
      eventSource: ['ec2.amazonaws.com'],
      eventName: ['CreateFleet', 'RunInstances'],
      errorCode: Match.doesNotExist(),
    },
  },
  LoadBalancers: failed('aws.elasticloadbalancing', 'elasticloadbalancing.amazonaws.com', [
    'CreateLoadBalancer',
    'SetSubnets',
    'AttachLoadBalancerToSubnets',
  ]),
  Clusters: failed('aws.eks', 'eks.amazonaws.com', [
    'CreateCluster',
    'UpdateClusterVersion',
    'UpdateClusterConfig',
    'CreateNodegroup',
    'UpdateNodegroupVersion',
    'UpdateNodegroupConfig',
    'CreateFargateProfile',
  ]),
  /** CloudTrail names Lambda's calls with their API version (`CreateFunction20150331`). */
  Functions: {
    source: ['aws.lambda'],
    detailType: CALL,
    detail: {
      eventSource: ['lambda.amazonaws.com'],
      eventName: Match.anyOf(Match.prefix('CreateFunction20'), Match.prefix('UpdateFunctionConfiguration20')),
      errorCode: Match.exists(),
    },
  },
  /** Needs no trail, and names the subnet. */
  AutoScaling: { source: ['aws.autoscaling'], detailType: ['EC2 Instance Launch Unsuccessful'] },
};
