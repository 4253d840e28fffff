/** Each class by the codes and texts that people have reported; the sources stand in docs/events.md. */
import { describe, expect, test } from '@jest/globals';
import { ENI, record, resolved, SUBNET_A, SUBNET_B } from '../../support/events.ts';

describe('a failed call', () => {
  test.each([
    [
      'Client.InsufficientFreeAddressesInSubnet',
      'The specified subnet does not have enough free addresses to satisfy the request.',
      'IP_EXHAUSTED',
    ],
    ['InsufficientFreeAddressesInSubnet', '', 'IP_EXHAUSTED'],
    [
      'Client.InsufficientCidrBlocks',
      'The specified subnet does not have enough free cidr blocks to satisfy the request.',
      'PREFIX_EXHAUSTED',
    ],
    [
      'InsufficientCidrBlocks',
      'There are not enough free cidr blocks in the specified subnet to satisfy the request.',
      'PREFIX_EXHAUSTED',
    ],
    [
      'Client.InvalidParameterValue',
      "There aren't sufficient free Ipv4 addresses or prefixes",
      'PREFIX_OR_IP_CAPACITY',
    ],
    [
      'Client.InvalidParameterValue',
      'THERE AREN’T SUFFICIENT FREE IPV4 ADDRESSES OR PREFIXES',
      'PREFIX_OR_IP_CAPACITY',
    ],
    ['Client.InvalidParameterValue', "There aren't sufficient free IPv4 addresses in the subnet", 'IP_EXHAUSTED'],
    ['Client.InvalidParameterValue', 'Value () for parameter groupId is invalid.', 'CONFIG'],
    ['Client.PrivateIpAddressLimitExceeded', 'Number of private addresses will exceed limit.', 'INSTANCE_ENI_LIMIT'],
    ['Client.AttachmentLimitExceeded', 'Interface count 3 exceeds the limit for m1.small', 'INSTANCE_ENI_LIMIT'],
    ['Client.InvalidParameterValue', 'Interface count 9 exceeds the limit for c5.large', 'INSTANCE_ENI_LIMIT'],
    [
      'Client.NetworkInterfaceLimitExceeded',
      'The maximum number of network interfaces has been reached.',
      'ACCOUNT_QUOTA',
    ],
    ['Client.ResourceLimitExceeded', 'The network address usage of the VPC would exceed its limit', 'ACCOUNT_QUOTA'],
    ['Client.VcpuLimitExceeded', 'You have requested more vCPU capacity than your current limit', 'ACCOUNT_QUOTA'],
    ['ENILimitReachedException', '', 'ACCOUNT_QUOTA'],
    [
      'Client.UnauthorizedOperation',
      'A subnet in this vpc is shared but the provided object is not owned by you',
      'SHARED_SUBNET_OWNERSHIP',
    ],
    ['Client.UnauthorizedOperation', 'You are not authorized to perform this operation.', 'PERMISSION'],
    [
      'AccessDenied',
      'User is not authorized to perform: ec2:RunInstances on resource: arn:aws:ec2:eu-west-1:2:subnet/subnet-00000000',
      'PERMISSION',
    ],
    ['AccessDeniedException', '', 'PERMISSION'],
    ['Client.AuthFailure.ServiceLinkedRoleCreationNotPermitted', '', 'PERMISSION'],
    ['Client.RequestLimitExceeded', 'Request limit exceeded.', 'THROTTLED'],
    ['ThrottlingException', 'Rate exceeded', 'THROTTLED'],
    ['TooManyRequestsException', '', 'THROTTLED'],
    [
      'Client.OperationNotPermitted',
      'Unpaginated request is not permitted for this account.',
      'API_BLOCKED_UNPAGINATED',
    ],
    ['Client.DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', 'DRY_RUN'],
    ['Client.InvalidSubnetID.NotFound', "The subnet ID 'subnet-0000000000000000a' does not exist", 'CONFIG'],
    [
      'Client.InvalidParameterCombination',
      'IPv4 addresses cannot be assigned: the subnet is an IPv6-only subnet',
      'CONFIG_IPV6_ONLY_SUBNET',
    ],
    [
      'Server.InsufficientInstanceCapacity',
      'We currently do not have sufficient m5.large capacity in the Availability Zone',
      'NOT_CAPACITY',
    ],
    ['Server.InternalError', 'An internal error has occurred', 'NOT_CAPACITY'],
    ['SubnetIPAddressLimitReachedException', '', 'IP_EXHAUSTED'],
  ])('%s "%s" is %s', (errorCode, errorMessage, wanted) => {
    // Without a number of addresses or prefixes, so that the request decides nothing.
    const requestParameters = { networkInterfaceId: ENI };
    expect(resolved(record({ errorCode, errorMessage, requestParameters })).class).toBe(wanted);
  });

  test.each([
    [{ eventName: 'RunInstances', errorCode: 'InsufficientFreeAddressesInSubnet' }, 'IP_EXHAUSTED'],
    [{ errorCode: 'Client.InsufficientCidrBlocks' }, 'PREFIX_EXHAUSTED'],
    [{ eventName: 'RunInstances', errorCode: 'SomethingNew' }, 'NOT_CAPACITY'],
    [{ detail: { eventName: 'RunInstances', errorCode: 'InsufficientFreeAddressesInSubnet' } }, 'IP_EXHAUSTED'],
    [{ Errors: [{ ErrorCode: 'InsufficientFreeAddressesInSubnet' }] }, 'IP_EXHAUSTED'],
    [{ Error: { inner: { errorCode: 'SomethingNew' } } }, 'NOT_CAPACITY'],
  ])('of which only a part was pasted goes by its error code: %j', (pasted, expected) => {
    expect(resolved(pasted)).toMatchObject({ class: expected, subnets: [] });
  });

  test('of EKS for the control plane names the subnets that lack addresses', () => {
    const errorMessage = `Provided subnets ${SUBNET_A} Free IPs: 0 ${SUBNET_B} Free IPs: 3 , need at least 5 IPs in each subnet to be free for this operation`;
    const call = {
      eventSource: 'eks.amazonaws.com',
      eventName: 'UpdateClusterVersion',
      requestParameters: { name: 'prod' },
    };
    const event = resolved(record({ ...call, errorCode: 'InvalidRequestException', errorMessage }));
    expect(event).toMatchObject({ class: 'EKS_UPGRADE_HEADROOM', subnets: [SUBNET_A, SUBNET_B] });
  });

  test('for single addresses alone can only have lacked those', () => {
    const errorMessage = "There aren't sufficient free Ipv4 addresses or prefixes";
    const requestParameters = { subnetId: SUBNET_A, secondaryPrivateIpAddressCount: 14 };
    const event = resolved(
      record({
        eventName: 'CreateNetworkInterface',
        errorCode: 'Client.InvalidParameterValue',
        errorMessage,
        requestParameters,
      }),
    );
    expect(event).toMatchObject({ class: 'IP_EXHAUSTED', subnets: [SUBNET_A] });
  });

  test('names no subnet for a class that is not about one', () => {
    const requestParameters = { subnetId: SUBNET_A };
    expect(
      resolved(record({ errorCode: 'Client.UnauthorizedOperation', errorMessage: SUBNET_A, requestParameters }))
        .subnets,
    ).toEqual([]);
  });

  test('is not led astray by an id that somebody wrote into a description', () => {
    const requestParameters = { subnetId: SUBNET_A, description: `was in ${SUBNET_B}` };
    const errorCode = 'Client.InsufficientFreeAddressesInSubnet';
    expect(resolved(record({ eventName: 'CreateNetworkInterface', errorCode, requestParameters })).subnets).toEqual([
      SUBNET_A,
    ]);
  });

  test('of an interface that cannot be resolved keeps its class, with no subnet', () => {
    const event = resolved(record({ errorCode: 'Client.InsufficientCidrBlocks' }));
    expect(event).toMatchObject({ class: 'PREFIX_EXHAUSTED', subnets: [], items: [{ eniIds: [ENI] }] });
  });

  test('without a code is told by its text, and as not understood', () => {
    const event = resolved(record({ errorMessage: 'There are not enough free addresses in the subnet' }));
    expect(event).toMatchObject({ class: 'IP_EXHAUSTED', understood: false });
  });

  test.each([[7], [{ code: 'x' }], [['InsufficientCidrBlocks']], [true]])(
    'with the odd error code %j is no crash and not taken for a success',
    (errorCode) => {
      expect(resolved(record({ errorCode }))).toMatchObject({ class: 'NOT_CAPACITY', understood: false });
    },
  );
});

const failure = (subnetId: string, errorCode = 'InsufficientFreeAddressesInSubnet') => ({
  errorCode,
  errorMessage: '',
  launchTemplateAndOverrides: { overrides: { subnetId } },
});
const fleet = (response: unknown, name = 'CreateFleet') =>
  resolved(record({ eventName: name, requestParameters: null, responseElements: response }));

describe('failures inside a successful answer', () => {
  test.each([
    ['one alone', { CreateFleetResponse: { errorSet: { item: failure(SUBNET_A) } } }],
    ['a list', { CreateFleetResponse: { errorSet: { item: [failure(SUBNET_A), failure(SUBNET_A)] } } }],
    ['a plain array', { CreateFleetResponse: { errorSet: [failure(SUBNET_A)] } }],
    ['without the wrapper', { errorSet: { items: [failure(SUBNET_A)] } }],
    [
      'as the SDK spells it',
      {
        Errors: [
          {
            ErrorCode: 'InsufficientFreeAddressesInSubnet',
            LaunchTemplateAndOverrides: { Overrides: { SubnetId: SUBNET_A } },
          },
        ],
      },
    ],
  ])('%s', (_name, response) => {
    for (const call of ['CreateFleet', 'RunInstances']) {
      expect(fleet(response, call)).toMatchObject({ class: 'IP_EXHAUSTED', subnets: [SUBNET_A], understood: true });
    }
  });

  test.each([[''], [null], [{}], [[]], [{ item: '' }], [undefined]])('none, where the list is %j', (errorSet) => {
    expect(fleet({ CreateFleetResponse: { errorSet, fleetInstanceSet: '' } })).toMatchObject({
      class: 'NONE',
      items: [],
      understood: true,
    });
  });

  test('a list that holds something without a code is not taken for none', () => {
    expect(fleet({ CreateFleetResponse: { errorSet: { item: 'InsufficientFreeAddr' } } }).understood).toBe(false);
  });

  test('the first class in the order of the table wins, and the others stay in the items', () => {
    const list = [
      failure(SUBNET_B, 'UnfulfillableCapacity'),
      failure(SUBNET_B, 'InsufficientCidrBlocks'),
      failure(SUBNET_A),
    ];
    const event = fleet({ CreateFleetResponse: { errorSet: { item: list } } });
    expect(event).toMatchObject({ class: 'IP_EXHAUSTED', subnets: [SUBNET_A] });
    expect(event.items.map((item) => item.class)).toEqual(['NOT_CAPACITY', 'PREFIX_EXHAUSTED', 'IP_EXHAUSTED']);
  });
});

describe('events that are no calls', () => {
  const notice = (type: string, detail: object) => ({
    id: 'n-1',
    'detail-type': type,
    source: 'aws.autoscaling',
    detail,
  });

  test('Auto Scaling tells of a full subnet in words alone', () => {
    const detail = {
      StatusMessage:
        "There are not enough free addresses in subnet 'subnet-66d3dd2c' to satisfy the requested number of instances. Launching EC2 instance failed.",
      Details: { 'Subnet ID': 'subnet-66d3dd2c', 'Availability Zone': 'us-east-2c' },
    };
    const event = resolved(notice('EC2 Instance Launch Unsuccessful', detail));
    expect(event).toMatchObject({
      class: 'IP_EXHAUSTED',
      subnets: ['subnet-66d3dd2c'],
      eventId: 'n-1',
      eventName: 'EC2 Instance Launch Unsuccessful',
    });
  });

  test.each([
    ['Could not launch On-Demand Instances. VcpuLimitExceeded - You have requested more', 'ACCOUNT_QUOTA'],
    ['Could not launch Spot Instances. InsufficientInstanceCapacity - There is no capacity', 'NOT_CAPACITY'],
    ['Could not launch. InsufficientFreeAddressesInSubnet - no room', 'IP_EXHAUSTED'],
    ['', 'NOT_CAPACITY'],
  ])('of Auto Scaling, "%s" is %s', (StatusMessage, wanted) => {
    const event = resolved(
      notice('EC2 Instance Launch Unsuccessful', { StatusMessage, Details: { 'Subnet ID': SUBNET_A } }),
    );
    expect(event.class).toBe(wanted);
    expect(event.subnets).toEqual(wanted === 'IP_EXHAUSTED' ? [SUBNET_A] : []);
  });

  test('a change of state is no failure', () => {
    const detail = { 'instance-id': 'i-00000000000000001', state: 'running' };
    expect(resolved(notice('EC2 Instance State-change Notification', detail))).toMatchObject({
      class: 'NONE',
      understood: true,
    });
  });
});

describe('parts that CloudTrail left out', () => {
  test('make the named subnets be read again, and nothing is taken for known', () => {
    const requestParameters = { subnetId: SUBNET_A, groupSet: { omitted: true, originalSize: 130_000 } };
    const event = resolved(
      record({ eventName: 'CreateFleet', requestParameters, responseElements: { omitted: true } }),
    );
    expect(event).toMatchObject({ class: 'NONE', omitted: true, namedSubnets: [SUBNET_A] });
  });

  test('of a failed request leave its class, and what was asked for unknown', () => {
    const errorMessage = "There aren't sufficient free Ipv4 addresses or prefixes";
    const event = resolved(
      record({ errorCode: 'Client.InvalidParameterValue', errorMessage, requestParameters: { omitted: true } }),
    );
    expect(event).toMatchObject({
      class: 'PREFIX_OR_IP_CAPACITY',
      omitted: true,
      items: [{ asked: { addresses: 0, prefixes: 0 } }],
    });
  });
});
