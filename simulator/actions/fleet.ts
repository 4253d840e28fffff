/** CreateFleet of type `instant`: it succeeds even where no instance starts, and tells what failed inside the answer. */
import type * as ec2 from '@aws-sdk/client-ec2';
import { Refusal } from '../refusal.ts';
import type { LaunchTemplate } from '../world/state.ts';
import type { World } from '../world/world.ts';
import { type Action, action, type Call, required } from './call.ts';
import { tagsFor } from './tagging.ts';
import { primaryOf, templateOf } from './write-instances.ts';

/** One place to launch: an override with the launch template it belongs to. */
interface Pool {
  readonly specification: ec2.FleetLaunchTemplateSpecificationRequest | undefined;
  readonly template: LaunchTemplate;
  readonly override: ec2.FleetLaunchTemplateOverridesRequest;
}

interface Failure {
  readonly pool: Pool;
  readonly refusal: Refusal;
}

/**
 * Each instance goes to the first pool that can take it, by priority and then in the order given. A pool that refused once is not tried again
 * in the call, and is told of once (docs/simulator.md F1, F2: how EC2 picks among pools that can serve is its own affair and not modelled).
 */
export const createFleet: Action = action<ec2.CreateFleetRequest>((input, call) => {
  if (input.Type !== 'instant') {
    throw new Refusal('UnsupportedOperation', 'The simulator has only fleets of type instant.');
  }
  const lifecycle = input.TargetCapacitySpecification?.DefaultTargetCapacityType ?? 'on-demand';
  const total = required(input.TargetCapacitySpecification?.TotalTargetCapacity, 'totalTargetCapacity');
  const pools = poolsOf(call.world, input);
  const started = new Map<Pool, string[]>();
  const failures: Failure[] = [];
  const open = new Set(pools);
  for (let capacity = 0; capacity < total; capacity++) {
    if (!startOne(call, input, open, started, failures)) break;
  }
  return {
    FleetId: fleetId(call.world),
    Errors: failures.map(({ pool, refusal }) => ({
      LaunchTemplateAndOverrides: described(pool),
      Lifecycle: lifecycle,
      ErrorCode: refusal.code,
      ErrorMessage: refusal.message,
    })),
    Instances: [...started].map(([pool, InstanceIds]) => ({
      LaunchTemplateAndOverrides: described(pool),
      Lifecycle: lifecycle,
      InstanceIds,
      InstanceType: pool.override.InstanceType ?? pool.template.instanceType,
    })),
  };
});

function startOne(
  call: Call,
  input: Partial<ec2.CreateFleetRequest>,
  open: Set<Pool>,
  started: Map<Pool, string[]>,
  failures: Failure[],
): boolean {
  for (const pool of open) {
    try {
      const [instance] = call.world.launch({
        instanceType: required(pool.override.InstanceType ?? pool.template.instanceType, 'instanceType'),
        interfaces: [primaryOf(required(pool.override.SubnetId ?? pool.template.subnetId, 'subnetId'), pool.template)],
        tags: tagsFor(input.TagSpecifications, 'instance', [
          'fleet',
          'volume',
          'network-interface',
          'spot-instances-request',
        ]),
        interfaceTags: tagsFor(input.TagSpecifications, 'network-interface', [
          'fleet',
          'volume',
          'instance',
          'spot-instances-request',
        ]),
      });
      started.set(pool, [...(started.get(pool) ?? []), instance?.InstanceId ?? '']);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failures.push({ pool, refusal: error });
      open.delete(pool);
    }
  }
  return false;
}

function poolsOf(world: World, input: Partial<ec2.CreateFleetRequest>): Pool[] {
  const pools: Pool[] = [];
  for (const config of required(input.LaunchTemplateConfigs, 'launchTemplateConfigs')) {
    const specification = config.LaunchTemplateSpecification;
    const template = templateOf(world, specification?.LaunchTemplateId ?? specification?.LaunchTemplateName);
    for (const override of config.Overrides ?? [{}]) pools.push({ specification, template, override });
  }
  const keys = pools.map(({ override, template }) =>
    [
      override.InstanceType ?? template.instanceType,
      override.SubnetId ?? template.subnetId,
      override.AvailabilityZone,
    ].join(),
  );
  if (new Set(keys).size < keys.length) {
    throw new Refusal('InvalidFleetConfig', 'The fleet configuration contains duplicate instance pools.');
  }
  const priority = (pool: Pool): number => pool.override.Priority ?? Number.POSITIVE_INFINITY;
  return pools.sort((one, other) => (priority(one) === priority(other) ? 0 : priority(one) - priority(other)));
}

function described(pool: Pool): object {
  const { InstanceType, SubnetId, AvailabilityZone, Priority, MaxPrice, WeightedCapacity } = pool.override;
  return {
    LaunchTemplateSpecification: pool.specification,
    Overrides: { InstanceType, SubnetId, AvailabilityZone, Priority, MaxPrice, WeightedCapacity },
  };
}

function fleetId(world: World): string {
  const hex = world.ids.hex17() + world.ids.hex17();
  return `fleet-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
