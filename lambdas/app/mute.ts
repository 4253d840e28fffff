/** No message about a finding until a time. */
import { HeadroomError } from '../contract/headroom-error.ts';
import { type MuteItem, muteItemSchema } from '../contract/notify-items.ts';
import type { StateTable } from '../ports/state-table.ts';

/** Seconds that a mute is kept after its end, for whoever asks why nothing was said. */
const KEPT_SECONDS = 7 * 86_400;
/** Somebody else muting the same finding at the same moment is rare; thrice in a row it is something else. */
const TRIES = 3;

export interface Muted {
  /** The mute that this one replaces, where it had not ended. */
  readonly replaced?: MuteItem;
  /** Whether the finding is open now: else the mute counts should it come. */
  readonly open: boolean;
}

/** Thrown where others kept writing the same mute. */
export class MuteContended extends HeadroomError {
  override readonly name = 'MuteContended';
  readonly code = 'MUTE_CONTENDED';
  readonly retryable = true;
}

/** @throws {@link MuteContended} and what the table throws. */
export async function mute(state: StateTable, findingId: string, item: MuteItem): Promise<Muted> {
  const open = (await state.get('finding', findingId)) !== undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const known = await state.get('mute', findingId);
    const before = known === undefined ? undefined : muteItemSchema.safeParse(known.value).data;
    const expiresAt = Math.ceil(item.until / 1000) + KEPT_SECONDS;
    if (await state.put('mute', findingId, item, { expected: known?.version, expiresAt })) {
      return { open, ...(before === undefined || before.until <= item.at ? {} : { replaced: before }) };
    }
  }
  throw new MuteContended(`${findingId} is being muted by somebody else`);
}
