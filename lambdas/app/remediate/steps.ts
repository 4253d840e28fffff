/** The writes of a plan, one call each: what is so already is left out, and each leaves its previous value before it is made. */
import { TAGS } from '../../contract/tags.ts';
import type { Write } from '../../core/remediate/plan.ts';
import { CNI_DESCRIPTION, hasNodeTag } from '../../core/subnet/eni-class.ts';
import type { EniRecord, Tags } from '../../core/subnet/snapshot.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { dropIntent, type Intent, intentOf, putIntent, recordChange } from './plan-book.ts';
import type { VpcLock } from './vpc-lock.ts';

/** What came of one write. */
export type StepOutcome =
  | { readonly kind: 'written' | 'already-so' }
  /** Not made, since what it was about is no longer so. */
  | { readonly kind: 'skipped'; readonly why: string };

export interface StepContext {
  readonly world: RemediateWorld;
  readonly lock: VpcLock;
  readonly planId: string;
  readonly vpcId: string;
}

/**
 * Settles the intent that a dead run left: either its write took effect, then it goes into the undo ledger; or it did not, then nothing happened.
 *
 * EC2 reads may lag behind its writes, so an intent is judged only once it is older than the lag.
 */
export async function settleIntent({ world, planId }: StepContext): Promise<void> {
  const intent = await intentOf(world.state, planId);
  if (intent === undefined) return;
  const wait = intent.at + READ_LAG_MS - world.clock.now();
  if (wait > 0) await world.clock.wait(wait);
  const made = await effectOf(world, intent);
  if (made !== undefined) await recordChange(world.state, made);
  await dropIntent(world.state, planId);
}

/** EC2 shows a change within seconds as a rule (EC2 API reference, "Eventual consistency"); a run takes over after minutes. */
const READ_LAG_MS = 30_000;

async function effectOf({ reader }: RemediateWorld, intent: Intent): Promise<Intent | undefined> {
  const { change } = intent;
  switch (change.kind) {
    case 'tags': {
      const tags = await tagsOf(reader, change.resourceId);
      const there =
        tags !== undefined && Object.entries(change.written).every(([key, value]) => tags.get(key) === value);
      return there ? intent : undefined;
    }
    case 'reservation': {
      const reservationId = (await reader.reservations(change.subnetId)).get(change.cidr);
      return reservationId === undefined ? undefined : { ...intent, change: { ...change, reservationId } };
    }
    case 'interface':
      return (await reader.interfaces([change.eniId])).has(change.eniId) ? undefined : intent;
  }
}

async function tagsOf(reader: RemediateWorld['reader'], id: string): Promise<Tags | undefined> {
  return id.startsWith('eni-')
    ? (await reader.interfaces([id])).get(id)?.tags
    : (await reader.subnetTags([id])).get(id);
}

/** Reads, compares, writes. @throws what the writer throws; `LeaseLost` before a write. */
export async function step(context: StepContext, write: Write): Promise<StepOutcome> {
  switch (write.kind) {
    case 'setTags':
      return setTags(context, write);
    case 'createReservation':
      return createReservation(context, write);
    case 'deleteInterface':
      return deleteInterface(context, write.eniId);
  }
}

async function setTags(context: StepContext, write: Extract<Write, { kind: 'setTags' }>): Promise<StepOutcome> {
  const { world } = context;
  const { resourceId, stamp } = write;
  if (resourceId.startsWith('eni-')) {
    const refusal = notLeaked((await world.reader.interfaces([resourceId])).get(resourceId));
    if (refusal !== undefined) return { kind: 'skipped', why: refusal };
  }
  const before = await tagsOf(world.reader, resourceId);
  if (before === undefined) return { kind: 'skipped', why: `${resourceId} is gone` };
  if (before.has(TAGS.protected)) return { kind: 'skipped', why: `${resourceId} carries ${TAGS.protected}` };
  const taken = Object.entries(write.tags).find(([key, value]) => (before.get(key) ?? value) !== value);
  if (taken !== undefined)
    return { kind: 'skipped', why: `${taken[0]} of ${resourceId} is ${before.get(taken[0])} by now` };
  const written = Object.fromEntries([
    ...Object.entries(write.tags).filter(([key]) => !before.has(key)),
    ...(stamp === undefined || before.has(stamp) ? [] : [[stamp, new Date(world.clock.now()).toISOString()]]),
  ]) as { readonly [key: string]: string };
  if (Object.keys(written).length === 0) return { kind: 'already-so' };
  const previous = Object.fromEntries(Object.keys(written).map((key) => [key, null]));
  await made(context, { kind: 'tags', resourceId, written, previous }, async () => {
    await world.writer.setTags([resourceId], written);
    return undefined;
  });
  return { kind: 'written' };
}

async function createReservation(
  context: StepContext,
  { subnetId, cidr }: Extract<Write, { kind: 'createReservation' }>,
): Promise<StepOutcome> {
  const { reader, writer } = context.world;
  if ((await reader.reservations(subnetId)).has(cidr)) return { kind: 'already-so' };
  await made(context, { kind: 'reservation', subnetId, cidr, reservationId: '' }, () =>
    writer.createReservation(subnetId, cidr),
  );
  return { kind: 'written' };
}

async function deleteInterface(context: StepContext, eniId: string): Promise<StepOutcome> {
  const { reader, writer } = context.world;
  const eni = (await reader.interfaces([eniId])).get(eniId);
  if (eni === undefined) return { kind: 'already-so' };
  const refusal = eni.tags.has(TAGS.quarantinedAt) ? notLeaked(eni) : `${eniId} is not in quarantine`;
  if (refusal !== undefined) return { kind: 'skipped', why: refusal };
  await made(context, { kind: 'interface', eniId }, async () => {
    await writer.deleteInterface(eniId);
    return undefined;
  });
  return { kind: 'written' };
}

/** The proofs that can change from one moment to the next, once more; the others stand in the decision. */
function notLeaked(eni: EniRecord | undefined): string | undefined {
  if (eni === undefined) return 'it is gone';
  if (eni.status !== 'available' || eni.attachment !== undefined) return `${eni.eniId} is ${eni.status}`;
  if (eni.requesterManaged || eni.operatorManaged) return `${eni.eniId} belongs to a service`;
  if (eni.tags.has(TAGS.protected)) return `${eni.eniId} carries ${TAGS.protected}`;
  if (!eni.description.startsWith(CNI_DESCRIPTION) || !hasNodeTag(eni.tags))
    return `${eni.eniId} was not made by the VPC CNI`;
  return undefined;
}

/** Intent, lease, write, ledger: in this order, so that a crash anywhere leaves enough to go on with. */
async function made(
  { world, lock, planId, vpcId }: StepContext,
  change: Intent['change'],
  write: () => Promise<string | undefined>,
): Promise<void> {
  const intent: Intent = { planId, vpcId, at: world.clock.now(), change };
  await putIntent(world.state, intent);
  await lock.check();
  const id = await write();
  const done = change.kind === 'reservation' && typeof id === 'string' ? { ...change, reservationId: id } : change;
  await recordChange(world.state, { ...intent, change: done });
  await dropIntent(world.state, planId);
}
