/** Makes elements. Text goes in as text alone: nothing in this page is ever parsed as HTML. */

export type Child = Node | string;
export type Attributes = Readonly<Record<string, string>>;

export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A button that acts in the page. */
export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = el('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}

/** @throws Error the page lacks the element: it was cut. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`this page has no part ${id}`);
  return found;
}

/** A count with thousands marked; `?` where it is not known. */
export function number(value: number | null): string {
  return value === null ? '?' : String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** The word of a severity, in its colour: never colour alone. */
export function rankBadge(rank: string): HTMLElement {
  return el('span', { class: `rank rank-${rank}` }, rank);
}
