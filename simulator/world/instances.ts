/** Instances: launched into a subnet, stopped, terminated. */
import { Refusal } from '../refusal.ts';
import { attachAs, instanceOf, interfacesOf, unattached } from './attachments.ts';
import { createInterface, limitsOf, removeInterface } from './interfaces.ts';
import type { WorldState } from './state.ts';
import type { Instance, NetworkInterface, Tag } from './stored.ts';

/** One network interface of a launch. */
export interface LaunchInterface {
  readonly deviceIndex: number;
  readonly networkCardIndex?: number;
  readonly subnetId: string;
  readonly primary?: string;
  readonly addresses?: readonly string[];
  readonly secondaryCount?: number;
  readonly prefixes?: readonly string[];
  readonly prefixCount?: number;
  readonly interfaceType?: string;
  readonly description?: string;
  readonly groups?: readonly string[];
  readonly deleteOnTermination?: boolean;
}

export interface LaunchSpec {
  readonly instanceType: string;
  readonly interfaces: readonly LaunchInterface[];
  readonly minCount: number;
  readonly maxCount: number;
  readonly tags?: readonly Tag[];
  readonly interfaceTags?: readonly Tag[];
}

const STATES = {
  running: { Code: 16, Name: 'running' },
  terminated: { Code: 48, Name: 'terminated' },
  stopped: { Code: 80, Name: 'stopped' },
} as const;

/**
 * Starts as many instances as fit, at least `minCount` or none.
 *
 * @throws Refusal as `createInterface`; `InsufficientInstanceCapacity`: the pool is empty; `InvalidParameterValue`: no such instance type.
 */
export function launch(state: WorldState, spec: LaunchSpec): Instance[] {
  if (limitsOf(state, spec.instanceType) === undefined) {
    throw new Refusal('InvalidParameterValue', `Invalid value '${spec.instanceType}' for InstanceType.`);
  }
  const started: Instance[] = [];
  const launchId = state.newId('r');
  for (let i = 0; i < spec.maxCount; i++) {
    try {
      started.push(launchOne(state, spec, launchId));
    } catch (error) {
      if (error instanceof Refusal && started.length >= Math.max(1, spec.minCount)) break;
      for (const instance of started) undo(state, instance);
      throw error;
    }
  }
  return started;
}

function launchOne(state: WorldState, spec: LaunchSpec, launchId: string): Instance {
  const first = spec.interfaces[0];
  if (first === undefined)
    throw new Refusal('MissingInput', 'No subnets found for the default VPC. Please specify a subnet.');
  const subnet = state.subnet(first.subnetId);
  if (state.emptyPools.has(`${spec.instanceType}:${subnet.AvailabilityZone}`)) {
    const message = `We currently do not have sufficient ${spec.instanceType} capacity in the Availability Zone you requested (${subnet.AvailabilityZone}).`;
    throw new Refusal('InsufficientInstanceCapacity', message, 500);
  }
  const created: { readonly eni: NetworkInterface; readonly wanted: LaunchInterface }[] = [];
  try {
    for (const wanted of spec.interfaces) created.push({ eni: create(state, spec, wanted), wanted });
  } catch (error) {
    for (const { eni } of created) removeInterface(state, eni);
    throw error;
  }
  const instance: Instance = {
    InstanceId: state.newId('i'),
    InstanceType: spec.instanceType as NonNullable<Instance['InstanceType']>,
    LaunchTime: new Date(state.clock()).toISOString(),
    Placement: { AvailabilityZone: subnet.AvailabilityZone },
    PrivateIpAddress: created[0]?.eni.PrivateIpAddress,
    State: STATES.running,
    SubnetId: first.subnetId,
    VpcId: subnet.VpcId,
    Tags: [...(spec.tags ?? [])],
    launch: { ReservationId: launchId, OwnerId: state.account },
  };
  state.instances.set(instance.InstanceId ?? '', instance);
  for (const { eni, wanted } of created) attachAs(state, eni, instance, wanted, wanted.deleteOnTermination ?? true);
  return instance;
}

function create(state: WorldState, spec: LaunchSpec, wanted: LaunchInterface): NetworkInterface {
  const description = wanted.description ?? (wanted.deviceIndex === 0 ? 'Primary network interface' : '');
  const { secondaryCount: count, ...rest } = wanted;
  return createInterface(
    state,
    { ...rest, description, ...(count === undefined ? {} : { count }), tags: spec.interfaceTags ?? [] },
    'launch',
  );
}

function undo(state: WorldState, instance: Instance): void {
  for (const eni of interfacesOf(state, instance.InstanceId ?? '')) removeInterface(state, eni);
  state.instances.delete(instance.InstanceId ?? '');
}

/** Terminates an instance: its interfaces go or stay by their own setting. Terminated ones stay describable for an hour (docs/simulator.md L5). */
export function terminate(state: WorldState, instanceId: string): Instance {
  const before = instanceOf(state, instanceId);
  for (const eni of interfacesOf(state, instanceId)) {
    if (eni.Attachment?.DeleteOnTermination === true) removeInterface(state, eni);
    else state.storeInterface(unattached(eni));
  }
  const { SubnetId: _, VpcId: __, PrivateIpAddress: ___, ...rest } = before;
  state.instances.set(instanceId, { ...rest, State: STATES.terminated });
  state.later(TERMINATED_MS, () => state.instances.delete(instanceId));
  return before;
}

const TERMINATED_MS = 60 * 60_000;

/** Stops an instance. It keeps every address (docs/simulator.md A9). */
export function stop(state: WorldState, instanceId: string): Instance {
  const before = instanceOf(state, instanceId);
  if (before.State?.Name === 'terminated') {
    const message = `This instance '${instanceId}' is not in a state from which it can be stopped.`;
    throw new Refusal('IncorrectInstanceState', message);
  }
  state.instances.set(instanceId, { ...before, State: STATES.stopped });
  return before;
}
