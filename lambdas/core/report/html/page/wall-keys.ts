/** Moves the focus among small maps that stand in lines. */

/** @param shown in reading order; the one that has the focus is among them. */
export function moveInWall(event: KeyboardEvent, shown: readonly HTMLButtonElement[]): void {
  const at = shown.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  const to = targetOf(event.key, shown, at);
  if (to === undefined) return;
  event.preventDefault();
  const next = shown[to];
  if (next === undefined) return;
  (shown[at] as HTMLButtonElement).tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function targetOf(key: string, shown: readonly HTMLButtonElement[], at: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return at + 1;
    case 'ArrowLeft':
      return at - 1;
    case 'ArrowDown':
      return inNextLine(shown, at, 1);
    case 'ArrowUp':
      return inNextLine(shown, at, -1);
    case 'Home':
      return 0;
    case 'End':
      return shown.length - 1;
    default:
      return undefined;
  }
}

/** The nearest one in the next line down or up; itself where there is none. */
function inNextLine(shown: readonly HTMLButtonElement[], at: number, step: 1 | -1): number {
  const from = (shown[at] as HTMLButtonElement).getBoundingClientRect();
  let best = at;
  let distance = Number.POSITIVE_INFINITY;
  let line: number | undefined;
  for (let to = at + step; to >= 0 && to < shown.length; to += step) {
    const { top, left } = (shown[to] as HTMLButtonElement).getBoundingClientRect();
    if (Math.abs(top - from.top) < 1) continue;
    line ??= top;
    if (Math.abs(top - line) >= 1) break;
    if (Math.abs(left - from.left) >= distance) continue;
    distance = Math.abs(left - from.left);
    best = to;
  }
  return best;
}
