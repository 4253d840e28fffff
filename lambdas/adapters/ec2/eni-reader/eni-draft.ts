/** Collects what one interface's elements say, and makes the record of it. Reused from interface to interface. */
import type { Ipv4 } from '../../../core/ip/ipv4.ts';
import type { EniAttachment, EniRecord, Tags } from '../../../core/subnet/snapshot.ts';
import { ACTION, type Action } from './shape.ts';

const NO_TAGS: Tags = new Map();
const DOT = 46;
const SLASH = 47;
const ZERO = 48;

/** `2026-11-29T10:00:00.000Z`, the only form that EC2 sends; anything else is left to the SDK. */
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?Z$/;

/** A dotted quad in bytes as an integer, or -1. Strict, as `parseIpv4`. */
export function addressFromBytes(bytes: Uint8Array, start: number, end: number): number {
  let address = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte === DOT) {
      if (digits === 0) return -1;
      address = address * 256 + part;
      part = 0;
      digits = 0;
      dots++;
    } else {
      const digit = byte - ZERO;
      if (digit < 0 || digit > 9 || (digits > 0 && part === 0)) return -1;
      part = part * 10 + digit;
      digits++;
      if (part > 255) return -1;
    }
  }
  return dots === 3 && digits > 0 ? address * 256 + part : -1;
}

/** A delegated prefix, `a.b.c.d/28` with no host bits, as the integer of its first address, or -1. */
function prefixFromBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 10 || bytes[end - 3] !== SLASH || bytes[end - 2] !== 50 || bytes[end - 1] !== 56) return -1;
  const base = addressFromBytes(bytes, start, end - 3);
  return base < 0 || base % 16 !== 0 ? -1 : base;
}

/** Epoch milliseconds, or `undefined` for the SDK to judge. */
export function timeFromText(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const time = Date.parse(text);
  const date = new Date(time);
  // `Date.parse` takes 30 February and 24:00, which the SDK refuses.
  return date.getUTCDate() === Number(match[3]) && date.getUTCHours() === Number(match[4]) ? time : undefined;
}

export class EniDraft {
  private eniId = '';
  private subnetId = '';
  private vpcId = '';
  private description = '';
  private interfaceType: string | undefined;
  private status: string | undefined;
  private ownerId: string | undefined;
  private requesterId: string | undefined;
  private requesterManaged = false;
  private operatorManaged = false;
  private operatorPrincipal: string | undefined;
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
    this.requesterId = undefined;
    this.requesterManaged = false;
    this.operatorManaged = false;
    this.operatorPrincipal = undefined;
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

  /** Takes an address or prefix straight from the bytes. @returns false where they are none. */
  takeAddress(action: Action, bytes: Uint8Array, start: number, end: number): boolean {
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
        return text !== '';
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
      case ACTION.requesterId:
        this.requesterId = text;
        return true;
      case ACTION.requesterManaged:
        this.requesterManaged = isTrue(text);
        return true;
      case ACTION.operatorManaged:
        this.operatorManaged = isTrue(text);
        return true;
      case ACTION.operatorPrincipal:
        this.operatorPrincipal = text;
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
      case ACTION.attachmentId:
        attachment.attachmentId = text;
        return true;
      case ACTION.instanceId:
        attachment.instanceId = text;
        return true;
      case ACTION.instanceOwnerId:
        attachment.instanceOwnerId = text;
        return true;
      case ACTION.attachmentStatus:
        attachment.status = text;
        return true;
      case ACTION.deleteOnTermination:
        attachment.deleteOnTermination = isTrue(text);
        return true;
      case ACTION.deviceIndex:
      case ACTION.networkCardIndex: {
        if (!/^\d{1,4}$/.test(text)) return false;
        if (action === ACTION.deviceIndex) attachment.deviceIndex = Number(text);
        else attachment.networkCardIndex = Number(text);
        return true;
      }
      case ACTION.attachTime: {
        const time = timeFromText(text);
        if (time === undefined) return false;
        attachment.attachTime = time;
        return true;
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
      ...(this.requesterId === undefined ? undefined : { requesterId: this.requesterId }),
      requesterManaged: this.requesterManaged,
      operatorManaged: this.operatorManaged,
      ...(this.operatorPrincipal === undefined ? undefined : { operatorPrincipal: this.operatorPrincipal }),
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
  return text.toLowerCase() === 'true';
}
