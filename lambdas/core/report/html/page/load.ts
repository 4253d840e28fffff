/** Takes out of the page's own data blocks what the script shows. */
import { unpackFrames } from '../cell-frames.ts';
import { type PageHolders, unpackHolders } from '../holders.ts';
import { BLOCK_IDS, type PageData, type PageHolderBlocks } from '../page-data.ts';
import { byId } from './dom.ts';

async function inflate(base64: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function inflateText(base64: string): Promise<string> {
  return new TextDecoder().decode(await inflate(base64));
}

function block(name: keyof typeof BLOCK_IDS): string {
  return byId(BLOCK_IDS[name]).textContent ?? '';
}

export async function loadData(): Promise<PageData> {
  return JSON.parse(await inflateText(block('data'))) as PageData;
}

export async function loadFrames(): Promise<readonly Uint8Array[]> {
  return unpackFrames(await inflate(block('cells')));
}

/** Who holds what in a subnet; `ids` are missing where the page had no room for them. */
export interface SubnetHolders extends PageHolders {
  readonly ids?: readonly string[];
}

export class HolderStore {
  private readonly blocks: PageHolderBlocks = JSON.parse(block('holders')) as PageHolderBlocks;
  private readonly loaded = new Map<number, SubnetHolders | undefined>();

  /** What is known already; `undefined` both before {@link HolderStore.load} and where nothing is known. */
  get(subnet: number): SubnetHolders | undefined {
    return this.loaded.get(subnet);
  }

  isLoaded(subnet: number): boolean {
    return this.loaded.has(subnet);
  }

  async load(subnet: number): Promise<void> {
    if (this.loaded.has(subnet)) return;
    const packed = this.blocks.holders[subnet];
    const ids = this.blocks.ids[subnet];
    if (packed === undefined || packed === null) {
      this.loaded.set(subnet, undefined);
      return;
    }
    const holders = unpackHolders(await inflate(packed));
    const names = ids === undefined || ids === null ? {} : { ids: (await inflateText(ids)).split('\n') };
    this.loaded.set(subnet, { ...holders, ...names });
  }
}
