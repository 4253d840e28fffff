/**
 * What stood between two values of an interface the last times: closing tag, white space, opening tag. EC2 sends the elements of an interface in one order and indentation, so the bytes are nearly always
 * the same again, and one comparison then says what reading them tag by tag would say.
 */
import { isMarkup } from './words.ts';

/** The enclosing element is closed. An element that is opened is told by its shape's id, see {@link opening}. */
export const CLOSES = -3;
/** Nothing that was learnt fits. */
export const NOT_LEARNT = -4;

/** What is learnt for one place at once: two things follow the last entry of a list, another or the end. */
const WAYS = 2;
/** Eight-byte words of one of them; longer ones are not learnt. */
const MOST_WORDS = 16;
/** Shorter ones are not learnt: `<item>` where nothing is indented. */
const LEAST_BYTES = 8;

/** How an opened element is told: its shape's id, and whether its tag closes it at once. */
export function opening(shapeId: number, selfClosing: boolean): number {
  return 2 * shapeId + (selfClosing ? 1 : 0);
}

export class LearntMarkup {
  /** Behind what {@link LearntMarkup.match} has found. */
  end = 0;
  /**
   * The bytes as doubles, the last of which overlaps the one before it: to compare one is the cheapest way to compare eight bytes. Doubles are equal if and only if their bits are, since none is a NaN or a zero:
   * no byte is zero, and none is above 126.
   */
  private readonly words: Float64Array;
  /** In bytes; 0: nothing learnt. */
  private readonly lengths: Int32Array;
  private readonly meanings: Int32Array;
  /** By place, the way that was found last: the other is the one to forget. */
  private readonly latest: Uint8Array;

  /** @param places their number; a place is where in an interface the reader stands. */
  constructor(places: number) {
    this.words = new Float64Array(places * WAYS * MOST_WORDS);
    this.lengths = new Int32Array(places * WAYS);
    this.meanings = new Int32Array(places * WAYS);
    this.latest = new Uint8Array(places).fill(WAYS - 1);
  }

  /**
   * What the bytes from `at` mean, if they are those of one of the last times: an {@link opening}, CLOSES or NOT_LEARNT.
   *
   * @param length of the view.
   */
  match(place: number, view: DataView, at: number, length: number): number {
    for (let way = 0; way < WAYS; way++) {
      const slot = place * WAYS + way;
      const end = at + (this.lengths[slot] as number);
      if (end === at || end > length || !this.isAt(slot * MOST_WORDS, view, at, end - LEAST_BYTES)) continue;
      this.latest[place] = way;
      this.end = end;
      return this.meanings[slot] as number;
    }
    return NOT_LEARNT;
  }

  private isAt(firstWord: number, view: DataView, from: number, last: number): boolean {
    const { words } = this;
    let word = firstWord;
    for (let at = from; at < last; at += 8) if (view.getFloat64(at, true) !== words[word++]) return false;
    return view.getFloat64(last, true) === words[word];
  }

  learn(place: number, view: DataView, start: number, end: number, meaning: number): void {
    const length = end - start;
    if (length < LEAST_BYTES || length > MOST_WORDS * 8 || !isMarkup(view, start, end)) return;
    const way = (this.latest[place] as number) === 0 ? 1 : 0;
    const slot = place * WAYS + way;
    let word = slot * MOST_WORDS;
    const last = end - LEAST_BYTES;
    for (let at = start; at < last; at += 8) this.words[word++] = view.getFloat64(at, true);
    this.words[word] = view.getFloat64(last, true);
    this.lengths[slot] = length;
    this.meanings[slot] = meaning;
    this.latest[place] = way;
  }
}
