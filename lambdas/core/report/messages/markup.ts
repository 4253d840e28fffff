/** Text inside Slack's markup. */

/** The three characters by which markup begins or ends; with them gone no name can call a channel, name a person or make a link (Slack, "Formatting text"). */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}

/** Escaped text of at most so many characters; never cut inside a character or an entity. */
export function escapedTo(text: string, most: number): string {
  const whole = escapeMarkup(text);
  if (whole.length <= most) return whole;
  let kept = '';
  for (const character of text) {
    const next = escapeMarkup(character);
    if (kept.length + next.length > most - 1) break;
    kept += next;
  }
  return `${kept}…`;
}
