/** What the page shows at the moment: one subnet, one point in time, one filter. */
import type { PageData } from '../page-data.ts';

export type Topic = 'subnet' | 'frame' | 'filter';

export class PageState {
  readonly data: PageData;
  readonly frames: readonly Uint8Array[];
  /** Where each subnet's cells begin in a frame. */
  readonly offsets: readonly number[];
  /** Position of the subnet whose map is drawn large; -1: none can be drawn. */
  subnet: number;
  frame: number;
  /** Lower case. */
  filter = '';
  private readonly listeners: { readonly topics: readonly Topic[]; readonly tell: () => void }[] = [];

  constructor(data: PageData, frames: readonly Uint8Array[]) {
    this.data = data;
    this.frames = frames;
    let offset = 0;
    this.offsets = data.subnets.map(({ blocks }) => {
      const begin = offset;
      offset += blocks;
      return begin;
    });
    this.frame = frames.length - 1;
    this.subnet = data.subnets.findIndex(({ blocks }) => blocks > 0);
  }

  on(topics: readonly Topic[], tell: () => void): void {
    this.listeners.push({ topics, tell });
  }

  show(change: Partial<Pick<PageState, Topic>>): void {
    Object.assign(this, change);
    for (const { topics, tell } of this.listeners) if (topics.some((topic) => topic in change)) tell();
  }

  get latest(): boolean {
    return this.frame === this.frames.length - 1;
  }

  /** The cells of a subnet at the shown time. */
  cells(subnet: number, frame = this.frame): Uint8Array {
    const offset = this.offsets[subnet] as number;
    const blocks = this.data.subnets[subnet]?.blocks ?? 0;
    return (this.frames[frame] as Uint8Array).subarray(offset, offset + blocks);
  }

  /** Whether the filter lets a subnet through. */
  shows(subnet: number): boolean {
    if (this.filter === '') return true;
    const found = this.data.subnets[subnet];
    if (found === undefined) return false;
    const { id, name, cidr, zone, vpc, rank, clusters } = found;
    return [id, name, cidr, zone, vpc, rank, ...clusters].some((text) => text.toLowerCase().includes(this.filter));
  }
}
