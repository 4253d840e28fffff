/** Goes back in time: a slider over the readings, and curves of what was free. */
import { chart } from './chart.ts';
import { button, el, number } from './dom.ts';
import type { PageState } from './state.ts';

/** Milliseconds that a reading stays while playing. */
const STEP_MS = 250;

export function buildTimeline(state: PageState, place: HTMLElement): void {
  const { frames } = state.data;
  if (frames.length < 2) return;
  const slider = el('input', { type: 'range', min: '0', max: String(frames.length - 1), id: 'time-slider' });
  const now = el('output', { id: 'time-now', for: 'time-slider' });
  const ips = chart('Addresses free, all subnets');
  const prefixes = chart('/28 free, all subnets');
  const freeIps = frames.map((frame) => frame.freeIps);
  const freePrefixes = frames.map((frame) => frame.freePrefixes);
  const draw = () => {
    slider.value = String(state.frame);
    const words = `${frames[state.frame]?.label ?? ''} (${number(state.frame + 1)} of ${number(frames.length)})`;
    now.textContent = words;
    slider.setAttribute('aria-valuetext', words);
    ips.show(freeIps, state.frame);
    prefixes.show(freePrefixes, state.frame);
  };
  slider.addEventListener('input', () => state.show({ frame: Number(slider.value) }));
  state.on(['frame'], draw);
  place.append(
    el('div', { class: 'time-bar' }, el('label', { for: 'time-slider' }, 'Reading'), slider, playButton(state), now),
    el('div', { class: 'charts' }, ips.element, prefixes.element),
    numbersTable(state),
  );
  place.hidden = false;
  draw();
}

function playButton(state: PageState): HTMLButtonElement {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = 'Play';
  };
  const step = () => {
    if (state.latest) stop();
    else state.show({ frame: state.frame + 1 });
  };
  const start = () => {
    if (state.latest) state.show({ frame: 0 });
    play.textContent = 'Pause';
    timer = setInterval(step, STEP_MS);
  };
  const play = button('Play', () => (timer === undefined ? start() : stop()), { class: 'play' });
  return play;
}

/** The curves as numbers, for those who do not see them. */
function numbersTable({ data: { frames } }: PageState): HTMLElement {
  const rows = frames.map(({ label, freeIps, freePrefixes }) => {
    const numbers = [freeIps, freePrefixes].map((value) => el('td', { class: 'numeric' }, number(value)));
    return el('tr', {}, el('th', { scope: 'row' }, label), ...numbers);
  });
  const heads = ['Reading', 'Addresses free', '/28 free'].map((title) => el('th', { scope: 'col' }, title));
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
  const label = 'The curves as numbers';
  const scroll = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table);
  return el('details', {}, el('summary', {}, label), scroll);
}
