import { button } from './dom.ts';
import type { PageState } from './state.ts';

/** Draws a subnet large and goes there; its name alone where it cannot be drawn. */
export function subnetButton(state: PageState, at: number): HTMLElement | string {
  const subnet = state.data.subnets[at];
  if (subnet === undefined) return '';
  const label = subnet.name || subnet.id;
  if (subnet.blocks === 0) return label;
  const go = () => {
    state.show({ subnet: at });
    const place = document.getElementById('subnet');
    place?.scrollIntoView({ block: 'start' });
    place?.focus({ preventScroll: true });
  };
  return button(label, go, { class: 'link', title: 'Draw its map' });
}
