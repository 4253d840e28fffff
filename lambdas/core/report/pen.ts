/** What a renderer needs of the place it writes for. Given from outside, so that renderers are pure and a test measures what a terminal would. */

/** Colour supports what a sign or a word already says; it is never the only sign. */
export type Ink = 'free' | 'used' | 'delegated' | 'reserved' | 'dim' | 'bold' | 'critical' | 'warning' | 'info';

export interface Pen {
  /** Columns that the text takes on a terminal; wide characters take two, combining marks none. */
  readonly width: (text: string) => number;
  /** The text in a colour, or as it is. */
  readonly paint: (ink: Ink, text: string) => string;
}

/** Columns that every text fits: two windows side by side, a mail, a chat message. */
export const PAGE_COLUMNS = 100;
