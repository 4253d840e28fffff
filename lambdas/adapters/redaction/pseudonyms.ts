/**
 * Other names for what identifies somebody: the same for the same thing within a run, of the same form, and of no use to whoever guesses.
 *
 * In the end they sort as what they stand for does ({@link Pseudonyms.settle}): between equals the assessment, the CNI and Karpenter take the first by name or id.
 *
 * Keyed by a random salt that nobody keeps: twelve digits of an account are soon enumerated, so a plain hash would hide nothing.
 */
import { createHmac, randomBytes } from 'node:crypto';

/** `eni-0a1b...`, `eni-attach-0a1b...`: a type and 8 (old) or 17 hexadecimal digits. */
const AWS_ID = /\b([a-z][a-z0-9]*(?:-[a-z]+)*)-([0-9a-f]{17}|[0-9a-f]{8})\b/g;
const WHOLE_ID = new RegExp(`^${AWS_ID.source}$`);
const ACCOUNT = /^\d{12}$/;
/** Owners and requesters that are services of AWS: `amazon-elb`, `amazon-aws`. */
const SERVICE = /^amazon-[a-z][a-z-]*$/;
const SERVICE_PRINCIPAL = /^[a-z0-9.-]+\.amazonaws\.com(?:\.cn)?$/;
/** What {@link Pseudonyms.id} and {@link Pseudonyms.name} give, wherever it stands. */
const GIVEN = /[a-z][a-z0-9]*(?:-[a-z]+)*-(?:[0-9a-f]{17}|[0-9a-f]{12}|[0-9a-f]{8})(?![0-9a-f])/g;
/** Digits of an id whose form is not known. */
const ID_DIGITS = 17;
const NAME_DIGITS = 12;
/** Stand for hexadecimal digits where each must have two cases. */
const LETTERS = 'abcdefghijklmnop';
const SALT_BYTES = 32;
/** Ids of attachments, one for each interface: nothing sorts by them and none comes twice, so they are worked out anew. */
const ATTACHMENT = /^eni-attach-/;

export class Pseudonyms {
  readonly #salt: Uint8Array;
  readonly #known = new Map<string, string>();
  /** Short forms can collide; two things must never become one. */
  readonly #taken = new Map<string, string>();

  constructor(salt: Uint8Array = randomBytes(SALT_BYTES)) {
    this.#salt = salt;
  }

  /** The id of an AWS resource: its type stays, its digits change. */
  id(id: string): string {
    if (id === '') return id;
    return this.#remembered('id', id, (digest) => {
      const [, type, digits] = WHOLE_ID.exec(id) ?? [];
      if (type !== undefined && digits !== undefined) return `${type}-${digest.slice(0, digits.length)}`;
      const dash = id.lastIndexOf('-');
      return `${dash > 0 ? id.slice(0, dash) : 'id'}-${digest.slice(0, ID_DIGITS)}`;
    });
  }

  /**
   * Deals the names and ids that were given so far out anew, so that each kind sorts as the originals do. Names and ids of a kind share one order, whatever
   * their length.
   *
   * @returns what each that was given has become; ask nothing again before it is replaced wherever it was written.
   */
  settle(): ReadonlyMap<string, string> {
    const kinds = Map.groupBy(
      [...this.#known].filter(([key]) => /^(?:id|name):/.test(key)),
      ([key, made]) => (key.startsWith('id:') ? made.slice(0, made.lastIndexOf('-')) : ''),
    );
    const settled = new Map<string, string>();
    for (const given of kinds.values()) {
      const keys = given.map(([key]) => key).sort();
      const others = given.map(([, made]) => made).sort();
      keys.forEach((key, rank) => {
        const other = others[rank] as string;
        settled.set(this.#known.get(key) as string, other);
        this.#known.set(key, other);
      });
    }
    for (const [key, made] of this.#known) {
      const taken = `${key.slice(0, key.indexOf(':'))}:${made}`;
      if (this.#taken.has(taken)) this.#taken.set(taken, key.slice(key.indexOf(':') + 1));
    }
    return settled;
  }

  /** An account id becomes another; the names of AWS services stay; anything else is a name. */
  principal(owner: string): string {
    if (owner === '' || SERVICE.test(owner) || SERVICE_PRINCIPAL.test(owner)) return owner;
    if (!ACCOUNT.test(owner)) return this.name(owner);
    return this.#remembered('account', owner, (digest) => {
      const number = BigInt(`0x${digest}`) % 1_000_000_000_000n;
      return number.toString().padStart(12, '0');
    });
  }

  /** The name of anything that people name: clusters, node groups, values of tags. */
  name(name: string): string {
    return name === '' ? name : this.#remembered('name', name, (digest) => `name-${digest.slice(0, NAME_DIGITS)}`);
  }

  /** A tag key that only its owner knows. Keys that differ in case alone stay so: that is a mistake which findings tell of. */
  key(key: string): string {
    return this.#remembered('key', key, (digest) => {
      const lower = key.toLowerCase();
      const digits = this.#digest(`key:${lower}`).slice(0, NAME_DIGITS);
      const word = Array.from(digits, (digit) => LETTERS.charAt(Number.parseInt(digit, 16)));
      if (key === lower) return `key-${word.join('')}`;
      // The first letter is a capital: no key in another case is ever taken for the one in lower case.
      const cased = word.map((letter, at) =>
        at === 0 || digest.charCodeAt(at) % 2 === 1 ? letter.toUpperCase() : letter,
      );
      return `key-${cased.join('')}`;
    });
  }

  /** A pattern over names that selects none. */
  pattern(pattern: string): string {
    return `${this.name(pattern)}*`;
  }

  /** An ARN: partition, service, region and type of the resource stay. */
  arn(arn: string): string {
    const [prefix, partition, service, region, account, ...rest] = arn.split(':');
    if (prefix !== 'arn' || account === undefined) return this.name(arn);
    const resource = rest.join(':').split(/([/:])/);
    const redacted = resource.map((part, index) => {
      // Even ones are parts, odd ones what stands between; the first of several is the type.
      if (index % 2 === 1 || part === '' || (index === 0 && resource.length > 1)) return part;
      return this.idOrName(part);
    });
    return [prefix, partition, service, region, this.principal(account), redacted.join('')].join(':');
  }

  idOrName(text: string): string {
    return WHOLE_ID.test(text) ? this.id(text) : this.name(text);
  }

  /** The text with every AWS id in it replaced, where it holds ids and punctuation alone; else `undefined`. */
  onlyIds(text: string): string | undefined {
    return /[\p{L}\p{N}]/u.test(text.replace(AWS_ID, '')) ? undefined : text.replace(AWS_ID, (id) => this.id(id));
  }

  /** The ids in a text, each replaced; the rest is dropped. */
  idsOf(text: string): string {
    return (text.match(AWS_ID) ?? []).map((id) => this.id(id)).join(', ');
  }

  /** The text with every name and id in it as it was settled. */
  static replace(text: string, settled: ReadonlyMap<string, string>): string {
    return text.replace(GIVEN, (given) => {
      // Words before an id look like a part of its type: `of-i-0123...`.
      for (let at = 0; ; at = given.indexOf('-', at) + 1) {
        const other = settled.get(given.slice(at));
        if (other !== undefined) return given.slice(0, at) + other;
        if (given.indexOf('-', at) < 0) return given;
      }
    });
  }

  #remembered(kind: string, value: string, make: (digest: string) => string): string {
    const key = `${kind}:${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let made = make(this.#digest(key));
    for (let attempt = 1; this.#isTaken(kind, made, value); attempt++) made = make(this.#digest(`${attempt}:${key}`));
    if (!ATTACHMENT.test(value)) this.#known.set(key, made);
    return made;
  }

  /** Ids of 17 digits are too many to keep and far too long to meet. */
  #isTaken(kind: string, made: string, value: string): boolean {
    const key = `${kind}:${made}`;
    const holder = this.#taken.get(key);
    if (holder !== undefined) return holder !== value;
    if (kind !== 'id' || !/[0-9a-f]{17}$/.test(made)) this.#taken.set(key, value);
    return false;
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#salt).update(text).digest('hex');
  }
}
