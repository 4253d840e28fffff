/** Collects what one interface's elements say, and makes the record of it. Reused from interface to interface. */
import type { Ipv4 } from '../../../core/ip/ipv4.ts';
import type { EniAttachment, EniRecord, Tags } from '../../../core/subnet/snapshot.ts';
import { ACTION, type Action } from './shape.ts';

const NO_TAGS: Tags = new Map();
const SLASH = 47;
const ZERO = 48;
/** What {@link digitAt} says of a dot. */
const DOT = 46 - ZERO;

/** A dotted quad in bytes as an integer, or -1. Strict, and written for speed, as `parseIpv4`. */
function addressFromBytes(bytes: Uint8Array, start: number, end: number): number {
  let address = 0;
  let at = start;
  for (let dots = 0; ; dots++) {
    let part = digitAt(bytes, at++, end);
    if (part < 0 || part > 9) return -1;
    let next = digitAt(bytes, at++, end);
    if (next >= 0 && next <= 9) {
      if (part === 0) return -1;
      part = part * 10 + next;
      next = digitAt(bytes, at++, end);
      if (next >= 0 && next <= 9) {
        part = part * 10 + next;
        next = digitAt(bytes, at++, end);
      }
    }
    if (part > 255) return -1;
    address = (address << 8) | part;
    if (dots === 3) return at > end ? address >>> 0 : -1;
    if (next !== DOT) return -1;
  }
}

/** The digit at a place; less than 0 or more than 9 where there is none. */
function digitAt(bytes: Uint8Array, at: number, end: number): number {
  return at < end ? (bytes[at] as number) - ZERO : -1;
}

/** A delegated prefix, `a.b.c.d/28` with no host bits, as the integer of its first address, or -1. */
function prefixFromBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 10 || bytes[end - 3] !== SLASH || bytes[end - 2] !== 50 || bytes[end - 1] !== 56) return -1;
  const base = addressFromBytes(bytes, start, end - 3);
  return base < 0 || base % 16 !== 0 ? -1 : base;
}

/** EC2's form of a time, `0` for a digit. */
const TIME_FORM = Buffer.from('0000-00-00T00:00:00.000Z');
/** Of the seconds, behind which the fraction may be missing. */
const SECONDS_END = 19;

/** Whether the bytes are a time in EC2's form that the SDK would take; its limits, which know no calendar, are those of `_parseRfc3339DateTimeWithOffset` in `@smithy/core`. */
function isTime(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length !== TIME_FORM.length && length !== SECONDS_END + 1) return false;
  const formed = length === TIME_FORM.length ? length : SECONDS_END;
  for (let i = 0; i < formed; i++) {
    const form = TIME_FORM[i] as number;
    const byte = bytes[start + i] as number;
    if (form === ZERO ? byte < ZERO || byte > ZERO + 9 : byte !== form) return false;
  }
  const two = (at: number) => (bytes[start + at] as number) * 10 + (bytes[start + at + 1] as number) - 11 * ZERO;
  const month = two(5);
  const day = two(8);
  const inRange = month >= 1 && month <= 12 && day >= 1 && day <= 31 && two(11) < 24 && two(14) < 60 && two(17) <= 60;
  return inRange && bytes[end - 1] === TIME_FORM[TIME_FORM.length - 1];
}

/** Up to four digits as a number, or -1. */
function countFromText(text: string): number {
  if (text.length === 0 || text.length > 4) return -1;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    count = count * 10 + digit;
  }
  return count;
}

const SPACE = 32;

export class EniDraft {
  private eniId = '';
  private subnetId = '';
  private vpcId = '';
  private description = '';
  private interfaceType: string | undefined;
  private status: string | undefined;
  private ownerId: string | undefined;
  private requesterManaged = false;
  private operatorManaged = false;
  private attachment: { -readonly [K in keyof EniAttachment]: EniAttachment[K] } | undefined;
  private tags: Map<string, string> | undefined;
  private addresses: Ipv4[] = [];
  private prefixes: Ipv4[] = [];
  /** Whether an address of the list says that it is the primary one; it stands first then. */
  private primarySeen = false;
  /** Entries of the list of addresses, those without one included. */
  private entries = 0;
  private eniAddress: Ipv4 | undefined;
  private key: string | undefined;
  private value: string | undefined;
  private address = -1;
  private addressPrimary = false;
  private prefixSeen = false;

  reset(): void {
    this.eniId = '';
    this.subnetId = '';
    this.vpcId = '';
    this.description = '';
    this.interfaceType = undefined;
    this.status = undefined;
    this.ownerId = undefined;
    this.requesterManaged = false;
    this.operatorManaged = false;
    this.attachment = undefined;
    this.tags = undefined;
    this.addresses = [];
    this.prefixes = [];
    this.primarySeen = false;
    this.entries = 0;
    this.eniAddress = undefined;
    this.openChild();
  }

  openAttachment(): void {
    this.attachment ??= {};
  }

  /** Before the fields of a tag or an address. */
  openChild(): void {
    this.key = undefined;
    this.value = undefined;
    this.address = -1;
    this.addressPrimary = false;
    this.prefixSeen = false;
  }

  /** @returns false where the tag is not one that this reader understands. */
  closeTag(): boolean {
    if (this.key === undefined) return false;
    this.tags ??= new Map();
    this.tags.set(this.key, this.value ?? '');
    return true;
  }

  /** An entry without an address is one of an interface that has only IPv6. */
  closeAddress(): void {
    this.entries++;
    if (this.address < 0) return;
    if (this.addressPrimary && !this.primarySeen) {
      this.primarySeen = true;
      this.addresses.unshift(this.address);
    } else {
      this.addresses.push(this.address);
    }
  }

  /** @returns false for an entry without a prefix. */
  closePrefix(): boolean {
    return this.prefixSeen;
  }

  /** Takes an address, a prefix or a time straight from the bytes. @returns false where they are none. */
  takeFromBytes(action: Action, bytes: Uint8Array, start: number, end: number): boolean {
    if (action === ACTION.time) return isTime(bytes, start, end);
    if (action === ACTION.prefix) {
      const base = prefixFromBytes(bytes, start, end);
      if (base < 0) return false;
      this.prefixes.push(base);
      this.prefixSeen = true;
      return true;
    }
    const address = addressFromBytes(bytes, start, end);
    if (address < 0) return false;
    if (action === ACTION.address) this.address = address;
    else this.eniAddress = address;
    return true;
  }

  /** @returns false where the SDK must be asked. */
  take(action: Action, text: string): boolean {
    switch (action) {
      case ACTION.eniId:
        this.eniId = text;
        // Nothing, or white space, which may stand for nothing: the SDK says.
        return text.charCodeAt(0) > SPACE;
      case ACTION.subnetId:
        this.subnetId = text;
        return true;
      case ACTION.vpcId:
        this.vpcId = text;
        return true;
      case ACTION.description:
        this.description = text;
        return true;
      case ACTION.interfaceType:
        this.interfaceType = text;
        return true;
      case ACTION.status:
        this.status = text;
        return true;
      case ACTION.ownerId:
        this.ownerId = text;
        return true;
      case ACTION.requesterManaged:
        this.requesterManaged = isTrue(text);
        return true;
      case ACTION.operatorManaged:
        this.operatorManaged = isTrue(text);
        return true;
      case ACTION.tagKey:
        this.key = text;
        return true;
      case ACTION.tagValue:
        this.value = text;
        return true;
      case ACTION.addressIsPrimary:
        this.addressPrimary = isTrue(text);
        return true;
      default:
        return this.takeAttachment(action, text);
    }
  }

  private takeAttachment(action: Action, text: string): boolean {
    const attachment = this.attachment;
    if (attachment === undefined) return false;
    switch (action) {
      case ACTION.instanceId:
        attachment.instanceId = text;
        return true;
      case ACTION.deviceIndex:
      case ACTION.networkCardIndex: {
        const index = countFromText(text);
        if (action === ACTION.deviceIndex) attachment.deviceIndex = index;
        else attachment.networkCardIndex = index;
        return index >= 0;
      }
      default:
        return false;
    }
  }

  /** @returns `undefined` where something that a record needs is missing: the SDK's decode will say what. */
  finish(): EniRecord | undefined {
    if (this.eniId === '' || this.subnetId === '' || this.vpcId === '') return undefined;
    const addresses = this.orderedAddresses();
    const primary = addresses[0];
    return {
      eniId: this.eniId,
      subnetId: this.subnetId,
      vpcId: this.vpcId,
      description: this.description,
      interfaceType: this.interfaceType ?? 'interface',
      status: this.status ?? 'unknown',
      ...(this.ownerId === undefined ? undefined : { ownerId: this.ownerId }),
      requesterManaged: this.requesterManaged,
      operatorManaged: this.operatorManaged,
      ...(this.attachment === undefined ? undefined : { attachment: this.attachment }),
      tags: this.tags ?? NO_TAGS,
      ...(primary === undefined ? undefined : { primary }),
      addresses,
      prefixes: this.prefixes,
    };
  }

  /** Primary first: as the list says, else as the interface says. */
  private orderedAddresses(): readonly Ipv4[] {
    const { addresses, eniAddress } = this;
    if (eniAddress === undefined || this.primarySeen) return addresses;
    if (this.entries === 0) return [eniAddress];
    const at = addresses.indexOf(eniAddress);
    if (at > 0) addresses.unshift(...addresses.splice(at, 1));
    return addresses;
  }
}

function isTrue(text: string): boolean {
  return text === 'true' || (text !== 'false' && text.toLowerCase() === 'true');
}
