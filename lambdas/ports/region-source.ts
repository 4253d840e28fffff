import type { EniReading, EniSink, InputName, RegionFacts } from '../core/subnet/snapshot.ts';

/** Where a region's facts come from: a live account, a folder of exported JSON, a stored snapshot. Read in this order, once. */
export interface RegionSource {
  /** What the document's `source` says: `{kind: 'live', region}` or `{kind: 'files', path}`. */
  readonly description: { readonly kind: 'live' | 'files' | 'snapshot'; readonly name: string };
  /** Reads everything but the network interfaces. Throws only where nothing useful can be said (no subnets at all). */
  facts(): Promise<RegionFacts>;
  /** Streams the network interfaces of the subnets in `facts` into the sink, in any order and with repeats. */
  networkInterfaces(facts: RegionFacts, sink: EniSink): Promise<EniReading>;
}

/** Told as a long read goes on: how many items of an input have come so far, and of how many where that is known. */
export type ReadProgress = (input: InputName, read: number, of?: number) => void;
