/** Whether a plan that was written works: its tags read back and the consumer's next pick is the standby; its reservation stands; its interfaces are gone. */
import type { Decision, Write } from '../../core/remediate/plan.ts';
import { simulate, simulationWords } from '../../core/remediate/simulate.ts';
import type { RemediateWorld } from '../../ports/remediating.ts';
import { type Look, look } from './look.ts';
import type { Subject } from './subject.ts';

/** Pauses between looks, milliseconds: EC2 shows a change within seconds as a rule. */
const PAUSES_MS = [0, 5_000, 10_000, 15_000];
/** The stated time: what does not show by then has failed. Seconds. */
export const VERIFY_WITHIN_SECONDS = PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 1000;

export interface Verified {
  readonly works: boolean;
  readonly why: string;
  /** The last whole look, where one was needed. */
  readonly look?: Look;
}

/** @param writes that were made or found made. */
export async function verify(
  world: RemediateWorld,
  subject: Subject,
  decision: Decision,
  writes: readonly Write[],
): Promise<Verified> {
  let last: Verified = { works: false, why: 'not looked at' };
  for (const pause of PAUSES_MS) {
    if (pause > 0) await world.clock.wait(pause);
    last =
      decision.action === 'activateStandby' ? await picked(world, subject, decision) : await readBack(world, writes);
    if (last.works) return last;
  }
  return { ...last, why: `${last.why}, ${VERIFY_WITHIN_SECONDS} s after the write` };
}

async function picked(world: RemediateWorld, subject: Subject, decision: Decision): Promise<Verified> {
  const { subnetId = '', cluster = '', relieves = '', vpcId } = decision;
  const seen = await look(world, subject, vpcId);
  const tags = seen.context.subnets.get(subnetId)?.facts.tags;
  const [write] = decision.writes;
  const wanted = write?.kind === 'setTags' ? Object.entries(write.tags) : [];
  const missing = wanted.filter(([key, value]) => tags?.get(key) !== value).map(([key]) => key);
  if (missing.length > 0)
    return { works: false, why: `${missing.join(', ')} does not read back from ${subnetId}`, look: seen };
  const node = seen.context.subnets.get(relieves)?.facts;
  if (node === undefined) return { works: false, why: `${relieves} is gone`, look: seen };
  const simulation = simulate(seen.context, seen.context, cluster, subnetId, node);
  return {
    works: simulation.changes,
    why: simulation.changes
      ? `the tags read back, and ${subnetId} is picked next`
      : simulationWords(simulation, subnetId),
    look: seen,
  };
}

async function readBack({ reader }: RemediateWorld, writes: readonly Write[]): Promise<Verified> {
  const left: string[] = [];
  const enis = writes.flatMap((write) =>
    write.kind === 'deleteInterface' ? [write.eniId] : write.kind === 'setTags' ? [write.resourceId] : [],
  );
  const found = enis.length === 0 ? new Map() : await reader.interfaces(enis);
  for (const write of writes) {
    if (write.kind === 'createReservation') {
      if (!(await reader.reservations(write.subnetId)).has(write.cidr)) left.push(`${write.cidr} of ${write.subnetId}`);
    } else if (write.kind === 'deleteInterface') {
      if (found.has(write.eniId)) left.push(write.eniId);
    } else if (write.stamp !== undefined && found.get(write.resourceId)?.tags.has(write.stamp) === false) {
      // One that is gone by now holds nothing any more.
      left.push(write.resourceId);
    }
  }
  return left.length === 0
    ? { works: true, why: 'everything reads back' }
    : {
        works: false,
        why: `${left.slice(0, 3).join(', ')}${left.length > 3 ? ` and ${left.length - 3} more` : ''} did not read back`,
      };
}
