/** Builds the interactive parts of the report, in the order in which a reader meets them. */
import { byId, el } from './dom.ts';
import { buildChanges, buildFindings } from './findings.ts';
import { buildRooms, buildSubnetTable } from './lists.ts';
import { HolderStore, loadData, loadFrames } from './load.ts';
import { PageState } from './state.ts';
import { buildSubnet } from './subnet-section.ts';
import { buildTimeline } from './timeline.ts';
import { buildWall } from './wall.ts';

/** Milliseconds without a key before a filter takes hold. */
const TYPING_PAUSE = 120;

async function build(): Promise<void> {
  const [data, frames] = await Promise.all([loadData(), loadFrames()]);
  const state = new PageState(data, frames);
  buildRooms(state, byId('room-tables'));
  buildTimeline(state, byId('time'));
  buildSubnet(state, new HolderStore(), byId('subnet'));
  buildWall(state, byId('wall'));
  buildFindings(state, byId('finding-list'));
  buildChanges(state, byId('change-list'));
  buildSubnetTable(state, byId('subnet-table'));
  listenToFilter(state);
  document.documentElement.dataset.ready = 'true';
}

function listenToFilter(state: PageState): void {
  const input = byId('filter') as HTMLInputElement;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => state.show({ filter: input.value.trim().toLowerCase() }), TYPING_PAUSE);
  });
}

build().catch((error: unknown) => {
  const words = `This page cannot be shown whole: ${error instanceof Error ? error.message : String(error)}`;
  document.querySelector('main')?.prepend(el('p', { class: 'notice', role: 'alert' }, words));
});
