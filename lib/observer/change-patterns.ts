/** What changes the room in a subnet, as EventBridge patterns. Failed calls change nothing, so none of these takes them. */
import { type EventPattern, Match } from 'aws-cdk-lib/aws-events';

const CALL = 'AWS API Call via CloudTrail';
const SUCCEEDED = Match.doesNotExist();

/** By construct id of the rule. Calls reach EventBridge only where a trail logs them; the tick finds the same a little later. */
export const CHANGE_PATTERNS: Readonly<Record<string, EventPattern>> = {
  /** `running` is when addresses are taken for good, `terminated` when they are free again; the states between say nothing. */
  Instances: {
    source: ['aws.ec2'],
    detailType: ['EC2 Instance State-change Notification'],
    detail: { state: ['running', 'terminated'] },
  },
  Subnets: {
    source: ['aws.ec2'],
    detailType: [CALL],
    detail: {
      eventSource: ['ec2.amazonaws.com'],
      eventName: [
        'CreateSubnet',
        'DeleteSubnet',
        'AssociateVpcCidrBlock',
        'DisassociateVpcCidrBlock',
        'CreateSubnetCidrReservation',
        'DeleteSubnetCidrReservation',
      ],
      errorCode: SUCCEEDED,
    },
  },
  /** Tags of subnets alone: Karpenter and the VPC CNI tag every interface they make. */
  SubnetTags: {
    source: ['aws.ec2'],
    detailType: [CALL],
    detail: {
      eventSource: ['ec2.amazonaws.com'],
      eventName: ['CreateTags', 'DeleteTags'],
      requestParameters: { resourcesSet: { items: { resourceId: Match.prefix('subnet-') } } },
      errorCode: SUCCEEDED,
    },
  },
  Clusters: {
    source: ['aws.eks'],
    detailType: [CALL],
    detail: {
      eventSource: ['eks.amazonaws.com'],
      eventName: [
        'CreateCluster',
        'DeleteCluster',
        'UpdateClusterConfig',
        'UpdateClusterVersion',
        'CreateNodegroup',
        'DeleteNodegroup',
        'UpdateNodegroupConfig',
        'UpdateNodegroupVersion',
        'CreateAddon',
        'DeleteAddon',
        'UpdateAddon',
      ],
      errorCode: SUCCEEDED,
    },
  },
  /** EKS tells of its add-ons by itself, without a trail. */
  Addons: { source: ['aws.eks'], detailType: Match.prefix('EKS Addon') },
};
