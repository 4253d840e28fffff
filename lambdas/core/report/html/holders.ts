/** Who holds which address of one subnet, as bytes that a page unpacks when somebody looks at the subnet. */
import { ByteReader, ByteWriter } from './bytes.ts';

const BLOCK_IPS = 16;

/** One interface. */
export interface PageHolder {
  /** Position in the page's list of classes, of clusters (-1: none named), of the subnet's instances (-1: on none). */
  readonly eniClass: number;
  readonly cluster: number;
  readonly instance: number;
  /** Offset of its primary address in the subnet; -1 where it has none here. */
  readonly primary: number;
}

/** How full what an instance holds is. */
export interface PageInstance {
  /** Pods that need an address of the node; -1 where that is not known. */
  readonly pods: number;
  /** Addresses that it holds for pods in this subnet, 16 for each prefix. */
  readonly held: number;
}

export interface PageHolders {
  readonly holders: readonly PageHolder[];
  readonly instances: readonly PageInstance[];
  /** For each address of the subnet the position of its holder plus 1; 0: nobody that can be seen. */
  readonly owners: Uint32Array;
}

/** @param owners see {@link PageHolders.owners}; its length is a multiple of 16. */
export function packHolders({ holders, instances, owners }: PageHolders): Uint8Array {
  const writer = new ByteWriter();
  writer.integer(holders.length);
  for (const { eniClass, cluster, instance, primary } of holders) {
    writer.integer(eniClass);
    writer.integer(cluster + 1);
    writer.integer(instance + 1);
    writer.integer(primary + 1);
  }
  writer.integer(instances.length);
  for (const { pods, held } of instances) {
    writer.integer(pods + 1);
    writer.integer(held);
  }
  const blocks = owners.length / BLOCK_IPS;
  writer.integer(blocks);
  for (let block = 0; block < blocks; block++) packBlock(writer, owners.subarray(block * BLOCK_IPS));
  return writer.done();
}

/** A word that says which addresses have a holder, then a run of holders: equal neighbours, as in a prefix, are said once. */
function packBlock(writer: ByteWriter, owners: Uint32Array): void {
  let held = 0;
  for (let bit = 0; bit < BLOCK_IPS; bit++) if (owners[bit] !== 0) held |= 1 << bit;
  writer.integer(held);
  let previous = 0;
  for (let bit = 0; bit < BLOCK_IPS; bit++) {
    const owner = owners[bit] as number;
    if (owner === 0) continue;
    writer.integer(owner === previous ? 0 : owner);
    previous = owner;
  }
}

export function unpackHolders(packed: Uint8Array): PageHolders {
  const reader = new ByteReader(packed);
  const holders = Array.from({ length: reader.integer() }, () => ({
    eniClass: reader.integer(),
    cluster: reader.integer() - 1,
    instance: reader.integer() - 1,
    primary: reader.integer() - 1,
  }));
  const instances = Array.from({ length: reader.integer() }, () => ({
    pods: reader.integer() - 1,
    held: reader.integer(),
  }));
  const blocks = reader.integer();
  const owners = new Uint32Array(blocks * BLOCK_IPS);
  for (let block = 0; block < blocks; block++) {
    const held = reader.integer();
    let previous = 0;
    for (let bit = 0; bit < BLOCK_IPS; bit++) {
      if ((held & (1 << bit)) === 0) continue;
      const owner = reader.integer();
      previous = owner === 0 ? previous : owner;
      owners[block * BLOCK_IPS + bit] = previous;
    }
  }
  return { holders, instances, owners };
}
