/** The subnet that is drawn large: its numbers in words, its map, and who holds the block that one looks at. */
import type { PageSubnet } from '../page-data.ts';
import { blockPanel } from './block-panel.ts';
import { chart } from './chart.ts';
import { el, number, rankBadge } from './dom.ts';
import type { HolderStore } from './load.ts';
import type { PageState } from './state.ts';
import { subnetMap } from './subnet-map.ts';
import { numbersAt } from './wall.ts';

export function buildSubnet(state: PageState, store: HolderStore, place: HTMLElement): void {
  if (state.subnet < 0) {
    place.append(el('p', {}, 'No subnet can be drawn: no network interfaces were read.'));
    return;
  }
  const head = el('div', { class: 'subnet-head' });
  const numbers = el('p', { class: 'subnet-numbers' });
  const hidden = el('p', { class: 'unaccounted' });
  const facts = el('div', { class: 'subnet-facts' });
  const panel = el('div', {
    class: 'block-panel',
    id: 'block',
    role: 'region',
    // It scrolls, and a keyboard must be able to.
    tabindex: '0',
    'aria-label': 'The chosen /28',
  });
  const map = subnetMap(state, (block) => panel.replaceChildren(...blockPanel(state, store, block)));
  const ips = chart('Addresses free');
  const prefixes = chart('/28 free');
  const charts = el('div', { class: 'charts' }, ips.element, prefixes.element);
  const current = () => state.data.subnets[state.subnet] as PageSubnet;

  const drawTime = () => {
    const subnet = current();
    numbers.textContent = numbersAt(state, subnet);
    charts.hidden = subnet.overTime === undefined;
    if (subnet.overTime === undefined) return;
    ips.show(subnet.overTime.ips, state.frame);
    prefixes.show(subnet.overTime.prefixes, state.frame);
  };
  const draw = () => {
    const subnet = current();
    head.replaceChildren(rankBadge(subnet.rank), el('h3', {}, subnet.name || subnet.id), placeWords(subnet));
    hidden.hidden = subnet.unaccountedIps === 0;
    hidden.textContent = `${number(subnet.unaccountedIps)} addresses are unaccounted for: EC2 counts them as taken, no visible interface holds them, so they are not on the map.`;
    facts.replaceChildren(...subnetFacts(state, subnet));
    drawTime();
    const wanted = state.subnet;
    void store.load(wanted).then(() => {
      if (state.subnet === wanted) panel.replaceChildren(...blockPanel(state, store, map.current()));
    });
  };
  state.on(['subnet'], draw);
  state.on(['frame'], drawTime);
  const drawing = el('div', { class: 'map-place' }, map.element, hidden, charts, facts);
  place.append(head, numbers, el('div', { class: 'subnet-body' }, drawing, panel));
  draw();
}

function placeWords({ name, id, cidr, zone, vpc }: PageSubnet): HTMLElement {
  const words = [name === '' ? '' : id, cidr, zone, vpc].filter((word) => word !== '');
  return el('span', { class: 'quiet' }, words.join('  '));
}

function subnetFacts(state: PageState, subnet: PageSubnet): HTMLElement[] {
  const clusters = subnet.clusters;
  const used = clusters.length === 0 ? 'No cluster may use it.' : `Clusters that may use it: ${clusters.join(', ')}.`;
  const lines = [used, `Confidence: ${subnet.confidence}.`];
  if (subnet.reservations.length > 0) lines.push(`Reservations: ${subnet.reservations.join('; ')}.`);
  const at = state.data.subnets.indexOf(subnet);
  const found = state.data.findings.filter((finding) => finding.subnet === at).length;
  if (found > 0) lines.push(`${number(found)} of the findings below ${found === 1 ? 'is' : 'are'} about it.`);
  const sentences = [...subnet.sentences, lines.join(' ')].map((text) => el('li', {}, text));
  return [el('ul', { class: 'sentences' }, ...sentences), ...(subnet.holders.length > 0 ? [holderBars(subnet)] : [])];
}

/** Who holds the subnet, largest first. */
function holderBars({ holders }: PageSubnet): HTMLElement {
  const most = Math.max(1, ...holders.map(([, , ips]) => ips));
  const items = holders.map(([eniClass, enis, ips, prefixes]) => {
    const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
    bar.style.inlineSize = `${(100 * ips) / most}%`;
    const inPrefixes = prefixes === 0 ? '' : `, ${number(prefixes)} prefixes`;
    const words = `${number(ips)} addresses, ${number(enis)} interfaces${inPrefixes}`;
    return el('li', {}, el('span', { class: 'bar-name' }, eniClass), ' ', el('span', { class: 'quiet' }, words), bar);
  });
  return el('ul', { class: 'bars', 'aria-label': 'Who holds it' }, ...items);
}
