/** Keys of the large map, as the ARIA practices give them for a grid. */

const PAGE_ROWS = 8;

/** @returns the block to stand on; `undefined` for a key that the map leaves alone. */
export function keyTarget(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  at: number,
  columns: number,
  blocks: number,
): number | undefined {
  const row = at - (at % columns);
  const inside = (to: number) => (to >= 0 && to < blocks ? to : at);
  switch (key) {
    case 'ArrowRight':
      return inside(at + 1);
    case 'ArrowLeft':
      return inside(at - 1);
    case 'ArrowDown':
      return inside(at + columns);
    case 'ArrowUp':
      return inside(at - columns);
    case 'PageDown':
      return inside(at + columns * PAGE_ROWS);
    case 'PageUp':
      return inside(at - columns * PAGE_ROWS);
    case 'Home':
      return ctrlKey ? 0 : row;
    case 'End':
      return ctrlKey ? blocks - 1 : Math.min(row + columns, blocks) - 1;
    default:
      return undefined;
  }
}
