/** A subnet as a schoolbook would keep it: a Set of address texts. It shares no code with the simulator. */
import type { NetworkInterface, SubnetCidrReservation } from '../../simulator/index.ts';

export class NaiveSubnet {
  readonly #base: string;
  readonly #size: number;

  /** @param base `10.0.1.`: the subnet starts at its `.0` and is at most 256 addresses long. */
  constructor(base: string, size: number) {
    this.#base = base;
    this.#size = size;
  }

  /** What is wrong with the holdings: an address twice, a prefix over an address, an edge, a stray; empty if nothing is. */
  problems(enis: readonly NetworkInterface[]): string[] {
    const found: string[] = [];
    const seen = new Set<string>();
    for (const eni of enis) {
      for (const address of this.#holdings(eni)) {
        if (seen.has(address)) found.push(`${address} twice`);
        seen.add(address);
        if (this.#kept().has(address)) found.push(`${address} is kept by AWS`);
        if (!this.#all().has(address)) found.push(`${address} is outside`);
      }
      for (const { Ipv4Prefix = '' } of eni.Ipv4Prefixes ?? []) {
        const last = Number(Ipv4Prefix.slice(this.#base.length, -'/28'.length));
        if (!Ipv4Prefix.endsWith('/28') || last % 16 !== 0) found.push(`${Ipv4Prefix} is not aligned`);
      }
      const primaries = (eni.PrivateIpAddresses ?? []).filter((entry) => entry.Primary === true);
      if (primaries.length !== 1 || primaries[0]?.PrivateIpAddress !== eni.PrivateIpAddress) found.push('primary');
    }
    return found;
  }

  /** Usable less held less free reserved. */
  available(enis: readonly NetworkInterface[], reservations: readonly SubnetCidrReservation[]): number {
    const free = this.#all().difference(this.#kept());
    for (const eni of enis) for (const address of this.#holdings(eni)) free.delete(address);
    for (const { Cidr = '' } of reservations) {
      const [first = '', length] = Cidr.split('/');
      const start = Number(first.slice(this.#base.length));
      for (let i = 0; i < 2 ** (32 - Number(length)); i++) free.delete(`${this.#base}${start + i}`);
    }
    return free.size;
  }

  #holdings(eni: NetworkInterface): string[] {
    const held = (eni.PrivateIpAddresses ?? []).map((entry) => entry.PrivateIpAddress ?? '');
    for (const { Ipv4Prefix = '' } of eni.Ipv4Prefixes ?? []) {
      const start = Number(Ipv4Prefix.slice(this.#base.length).split('/')[0]);
      for (let i = 0; i < 16; i++) held.push(`${this.#base}${start + i}`);
    }
    return held;
  }

  #all(): Set<string> {
    return new Set(Array.from({ length: this.#size }, (_, index) => `${this.#base}${index}`));
  }

  #kept(): Set<string> {
    return new Set([0, 1, 2, 3, this.#size - 1].map((index) => `${this.#base}${index}`));
  }
}
