/** Attaching network interfaces to instances and taking them off. */
import { Refusal } from '../refusal.ts';
import { checkSlots, interfaceOf, limitsOf, slotsUsed } from './interfaces.ts';
import type { WorldState } from './state.ts';
import type { Instance, NetworkInterface } from './stored.ts';

export interface AttachSpec {
  readonly eniId: string;
  readonly instanceId: string;
  readonly deviceIndex: number;
  readonly networkCardIndex?: number;
}

/** Attaches an interface; gives the attachment's id. It is `attaching` for as long as the rules say. */
export function attach(state: WorldState, spec: AttachSpec): string {
  const eni = interfaceOf(state, spec.eniId);
  const instance = instanceOf(state, spec.instanceId);
  if (eni.Status !== 'available') {
    throw new Refusal('InvalidNetworkInterface.InUse', `Interface: [${spec.eniId}] in use.`);
  }
  if (eni.AvailabilityZone !== instance.Placement?.AvailabilityZone) {
    const message =
      'You may not attach a network interface to an instance if they are not in the same availability zone';
    throw new Refusal('InvalidParameterCombination', message);
  }
  const attached = interfacesOf(state, spec.instanceId);
  if (attached.some((other) => other.Attachment?.DeviceIndex === spec.deviceIndex)) {
    const message = `Instance '${spec.instanceId}' already has an interface attached at device index '${spec.deviceIndex}'.`;
    throw new Refusal('InvalidParameterValue', message);
  }
  const limit = limitsOf(state, instance.InstanceType)?.NetworkInfo?.MaximumNetworkInterfaces;
  if (limit !== undefined && attached.length >= limit) {
    const message = `Interface count ${attached.length + 1} exceeds the limit for ${instance.InstanceType}`;
    throw new Refusal('AttachmentLimitExceeded', message);
  }
  checkSlots(state, instance, slotsUsed(eni));
  return attachAs(state, eni, instance, spec, false);
}

/** Attaches without checks, as a launch does. */
export function attachAs(
  state: WorldState,
  eni: NetworkInterface,
  instance: Instance,
  spec: Omit<AttachSpec, 'eniId' | 'instanceId'>,
  deleteOnTermination: boolean,
): string {
  const attachmentId = state.newId('eni-attach');
  const slow = state.rules.transitionMs > 0;
  const attached = (status: 'attaching' | 'attached'): NetworkInterface => ({
    ...interfaceOf(state, eni.NetworkInterfaceId ?? ''),
    Status: 'in-use',
    Attachment: {
      AttachTime: new Date(state.clock()).toISOString(),
      AttachmentId: attachmentId,
      DeleteOnTermination: deleteOnTermination,
      DeviceIndex: spec.deviceIndex,
      NetworkCardIndex: spec.networkCardIndex ?? 0,
      InstanceId: instance.InstanceId,
      InstanceOwnerId: state.account,
      Status: status,
    },
  });
  state.storeInterface(attached(slow ? 'attaching' : 'attached'));
  if (slow) {
    state.later(state.rules.transitionMs, () => {
      const current = state.interfaces.get(eni.NetworkInterfaceId ?? '');
      if (current?.Attachment?.AttachmentId !== attachmentId || current.Attachment.Status !== 'attaching') return;
      state.storeInterface({ ...current, Attachment: { ...current.Attachment, Status: 'attached' } });
    });
  }
  return attachmentId;
}

/** Takes an interface off its instance. It is `detaching` for as long as the rules say, then `available`. */
export function detach(state: WorldState, attachmentId: string): void {
  const eni = attachmentOf(state, attachmentId);
  if (eni.Attachment?.DeviceIndex === 0) {
    const message = 'The network interface at device index 0 cannot be detached.';
    throw new Refusal('OperationNotPermitted', message);
  }
  if (eni.RequesterManaged === true || eni.Attachment?.InstanceOwnerId?.startsWith('amazon-') === true) {
    throw new Refusal('OperationNotPermitted', `You are not allowed to manage '${attachmentId}' attachments.`);
  }
  if (state.rules.transitionMs > 0) {
    state.storeInterface({ ...eni, Status: 'detaching', Attachment: { ...eni.Attachment, Status: 'detaching' } });
  }
  state.later(state.rules.transitionMs, () => {
    const current = state.interfaces.get(eni.NetworkInterfaceId ?? '');
    if (current?.Attachment?.AttachmentId === attachmentId) state.storeInterface(unattached(current));
  });
}

export function unattached(eni: NetworkInterface): NetworkInterface {
  const { Attachment: _, ...rest } = eni;
  return { ...rest, Status: 'available' };
}

/** @throws Refusal `InvalidInstanceID.NotFound` */
export function instanceOf(state: WorldState, instanceId: string): Instance {
  const instance = state.instances.get(instanceId);
  if (instance === undefined) {
    throw new Refusal('InvalidInstanceID.NotFound', `The instance ID '${instanceId}' does not exist`);
  }
  return instance;
}

export function interfacesOf(state: WorldState, instanceId: string): NetworkInterface[] {
  const found: NetworkInterface[] = [];
  for (const eni of state.interfaces.values()) if (eni.Attachment?.InstanceId === instanceId) found.push(eni);
  return found;
}

function attachmentOf(state: WorldState, attachmentId: string): NetworkInterface {
  for (const eni of state.interfaces.values()) if (eni.Attachment?.AttachmentId === attachmentId) return eni;
  throw new Refusal('InvalidAttachmentID.NotFound', `The attachment ID '${attachmentId}' does not exist`);
}
