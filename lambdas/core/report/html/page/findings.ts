/** What is wrong and what to do, and what changed since the first reading. */
import type { PageChange, PageFinding } from '../page-data.ts';
import { button, el, number, rankBadge } from './dom.ts';
import type { PageState } from './state.ts';
import { subnetButton } from './subnet-button.ts';

/** Findings and changes shown before a list is cut. */
const ROWS = 30;

/** A list that shows its first part, and all of it when asked. */
function cutList<Item>(place: HTMLElement, list: HTMLElement, item: (one: Item) => HTMLElement) {
  const more = el('p', { class: 'more' });
  let all = false;
  place.append(list, more);
  return function show(items: readonly Item[]): void {
    const shown = all ? items : items.slice(0, ROWS);
    list.replaceChildren(...shown.map(item));
    more.replaceChildren(...(items.length === 0 ? ['Nothing found.'] : []));
    if (shown.length === items.length) return;
    const showAll = button(`Show all ${number(items.length)}`, () => {
      all = true;
      show(items);
    });
    more.append(`${number(shown.length)} of ${number(items.length)}. `, showAll);
  };
}

export function buildFindings(state: PageState, place: HTMLElement): void {
  const list = el('ol', { class: 'findings' });
  const show = cutList<PageFinding>(place, list, (finding) => findingItem(state, finding));
  const matches = ({ subnet, code, subject }: PageFinding) =>
    state.shows(subnet) || [code, subject].some((text) => text.toLowerCase().includes(state.filter));
  const draw = () => show(state.data.findings.filter(matches));
  state.on(['filter'], draw);
  draw();
}

function findingItem(state: PageState, { rank, code, subject, subnet, message, remedy }: PageFinding): HTMLElement {
  const drawable = (state.data.subnets[subnet]?.blocks ?? 0) > 0;
  return el(
    'li',
    { class: `finding finding-${rank}` },
    el('p', { class: 'finding-head' }, rankBadge(rank), ' ', el('code', {}, code), ' ', el('span', {}, subject)),
    el('p', {}, message),
    ...(remedy === '' ? [] : [el('p', { class: 'remedy' }, el('strong', {}, 'What to do: '), remedy)]),
    ...(drawable ? [el('p', { class: 'no-print' }, 'Map: ', subnetButton(state, subnet))] : []),
  );
}

export function buildChanges(state: PageState, place: HTMLElement): void {
  const { changes, frames } = state.data;
  if (frames.length < 2) return;
  (place.parentElement as HTMLElement).hidden = false;
  const span = `From ${frames[0]?.label ?? ''} to ${frames.at(-1)?.label ?? ''}: `;
  const count = changes.length === 1 ? '1 subnet changed.' : `${number(changes.length)} subnets changed.`;
  place.append(el('p', {}, span + (changes.length === 0 ? 'nothing changed.' : count)));
  if (changes.length > 0) {
    cutList<PageChange>(place, el('ul', { class: 'changes' }), (change) => changeItem(state, change))(changes);
  }
}

function changeItem(state: PageState, { subnet, change, lines }: PageChange): HTMLElement {
  return el(
    'li',
    {},
    el('p', {}, el('strong', {}, change), ' ', subnetButton(state, subnet)),
    el('ul', {}, ...lines.map((line) => el('li', {}, line))),
  );
}
