/** Once a day, and each hour while something is wrong: does a trail tell us of calls, and does anybody hear the alarms? */
import type { Finding } from '../../contract/finding.ts';
import { SERVICE_ITEMS } from '../../contract/names.ts';
import { nobodyIsPaged, reactBlind } from '../../core/publish/service-findings.ts';
import type { ObserveWorld } from '../../ports/observing.ts';
import { itemOf } from './items.ts';

const CALM_MS = 86_400_000;
const TROUBLED_MS = 3_600_000;

interface CheckItem {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly findings: readonly Finding[];
}

export interface Checked {
  readonly findings: readonly Finding[];
  readonly at: number;
}

/** The findings of the last check, made anew where it is due. What cannot be asked keeps its last answer. */
export async function serviceFindings(world: ObserveWorld, now: number): Promise<Checked> {
  const item = await itemOf<CheckItem>(world.state, 'service', SERVICE_ITEMS.check);
  const before = item?.value;
  if (before !== undefined && now - before.at < (before.findings.length > 0 ? TROUBLED_MS : CALM_MS)) return before;
  const ask = async (code: Finding['code'], judge: () => Promise<readonly Finding[]>) => {
    try {
      return await judge();
    } catch (error) {
      world.log('warn', 'observe', `${code} cannot be judged`, { error: String(error) });
      return before?.findings.filter((one) => one.code === code) ?? [];
    }
  };
  const found = await Promise.all([
    ask('REACT_BLIND', async () => reactBlind(await world.check.trails())),
    ask('NOBODY_IS_PAGED', async () => nobodyIsPaged(await world.check.topics())),
  ]);
  const checked: CheckItem = { at: now, findings: found.flat() };
  await world.state.put('service', SERVICE_ITEMS.check, checked, { expected: item?.version });
  return checked;
}
