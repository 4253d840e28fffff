/** What is known of one /28: its state, and who holds each of its addresses. */
import { formatIpv4 } from '../../../ip/ipv4.ts';
import { blockCidr, blockState, shownKind } from '../block-words.ts';
import type { PageSubnet } from '../page-data.ts';
import { type Child, el, number } from './dom.ts';
import type { HolderStore, SubnetHolders } from './load.ts';
import type { PageState } from './state.ts';

const BLOCK_IPS = 16;

export function blockPanel(state: PageState, store: HolderStore, block: number): Child[] {
  const subnet = state.data.subnets[state.subnet];
  const byte = state.cells(state.subnet)[block];
  if (subnet === undefined || byte === undefined) return [];
  const words = blockState(byte);
  const head = [
    el('h4', {}, blockCidr(subnet.base, block)),
    el('p', {}, `${words.charAt(0).toUpperCase()}${words.slice(1)}.`),
  ];
  const kind = shownKind(byte);
  if (kind === 'free' || kind === 'free-prefix' || kind === 'free-explicit' || kind === 'unknown') return head;
  if (!state.latest) return [...head, note('Who holds its addresses is kept of the latest reading only.')];
  if (!store.isLoaded(state.subnet)) return head;
  const known = store.get(state.subnet);
  if (known === undefined) return [...head, note(state.data.noHolders[0]), ask(state, subnet)];
  const parts = kind === 'delegated' ? prefixParts(state, known, block) : addressParts(state, subnet, known, block);
  const missing =
    known.ids === undefined ? [note('The ids of interfaces did not fit into this page.'), ask(state, subnet)] : [];
  return [...head, ...parts, ...missing];
}

function addressParts(state: PageState, subnet: PageSubnet, known: SubnetHolders, block: number): Child[] {
  const first = block * BLOCK_IPS;
  const items = Array.from(known.owners.subarray(first, first + BLOCK_IPS)).flatMap((owner, at) => {
    if (owner === 0) return [];
    const primary = known.holders[owner - 1]?.primary === first + at;
    const address = el('strong', {}, formatIpv4(subnet.base + first + at));
    return [el('li', {}, address, primary ? ' primary of ' : ' on ', ...holderWords(state, known, owner - 1))];
  });
  if (items.length === 0) return [note('No visible interface holds an address here.')];
  return [el('ul', { class: 'holders' }, ...items)];
}

function prefixParts(state: PageState, known: SubnetHolders, block: number): Child[] {
  const at = (known.owners[block * BLOCK_IPS] ?? 0) - 1;
  return [el('p', {}, 'Held by ', ...holderWords(state, known, at), '.'), note(fullness(known, at))];
}

/** How full a prefix is, as far as that can be known: EC2 does not say which of its addresses pods use. */
function fullness({ holders, instances }: SubnetHolders, at: number): string {
  const instance = instances[holders[at]?.instance ?? -1];
  if (instance === undefined || instance.pods < 0) {
    return 'How many of its 16 addresses pods use is not known: that takes the lists of nodes and pods.';
  }
  return `Its node has ${number(instance.pods)} pods for the ${number(instance.held)} addresses that it holds in this subnet.`;
}

function holderWords(state: PageState, known: SubnetHolders, at: number): Child[] {
  const holder = known.holders[at];
  if (holder === undefined) return ['an interface that is not known'];
  const cluster = state.data.clusters[holder.cluster];
  const eniId = known.ids?.[at];
  const instanceId = holder.instance < 0 ? undefined : known.ids?.[known.holders.length + holder.instance];
  return [
    ...(eniId === undefined ? ['an interface'] : [el('code', {}, eniId)]),
    ` (${state.data.classes[holder.eniClass] ?? 'unknown'}${cluster === undefined ? '' : `, cluster ${cluster}`})`,
    ...(instanceId === undefined ? [] : [' of ', el('code', {}, instanceId)]),
  ];
}

function ask(state: PageState, subnet: PageSubnet): HTMLElement {
  const [before, after] = state.data.explain;
  return el('p', { class: 'quiet' }, state.data.noHolders[1], el('code', {}, `${before}${subnet.id}${after}`));
}

function note(text: string): HTMLElement {
  return el('p', { class: 'quiet' }, text);
}
