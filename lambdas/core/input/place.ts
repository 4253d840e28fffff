/**
 * Where a value stands in what somebody gave us: a file or call, and the path inside the JSON. A linked list that is rendered only when something is
 * wrong, so that a hundred thousand records cost no path strings.
 *
 * @example Place.of('subnets.json').at('Subnets').at(3).at('CidrBlock').toString() === 'subnets.json: Subnets[3].CidrBlock'
 */
export class Place {
  /** File name, or the call that answered: `subnets.json`, `ec2:DescribeSubnets`. */
  readonly source: string;
  readonly #parent: Place | undefined;
  readonly #step: string | number | undefined;
  readonly #byte: number | undefined;

  private constructor(source: string, parent?: Place, step?: string | number, byte?: number) {
    this.source = source;
    this.#parent = parent;
    this.#step = step;
    this.#byte = byte;
  }

  static of(source: string): Place {
    return new Place(source);
  }

  /** The place one step further in. @param step a key, or an index from 0. @param byte offset in the file, from 0, where it is known. */
  at(step: string | number, byte?: number): Place {
    return new Place(this.source, this, step, byte);
  }

  /** `Subnets[3].CidrBlock`; empty for the whole document. Keys that are no plain names are quoted: `tags["a.b/c"]`. */
  get path(): string {
    const step = this.#step;
    if (this.#parent === undefined || step === undefined) return '';
    const outer = this.#parent.path;
    if (typeof step === 'number') return `${outer}[${step}]`;
    if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${outer}[${JSON.stringify(step)}]`;
    return outer === '' ? step : `${outer}.${step}`;
  }

  /** Byte offset of the nearest step that knows its own. */
  get byte(): number | undefined {
    return this.#byte ?? this.#parent?.byte;
  }

  toString(): string {
    const path = this.path;
    const byte = this.byte;
    const text = path === '' ? this.source : `${this.source}: ${path}`;
    return byte === undefined ? text : `${text} (in the item at byte ${byte})`;
  }
}
