import { Place } from '../../core/input/place.ts';
import type { EniSink, ReadFailure, RegionFacts } from '../../core/subnet/snapshot.ts';
import { toEniRecord } from '../describe/network-interfaces.ts';
import type { RegionScope } from '../live/options.ts';
import { type ReadingTaps, readPart } from '../live/part.ts';
import type { Ec2Calls } from './ec2-calls.ts';
import type { EniPageReader } from './eni-pages.ts';
import { UnexpectedPage } from './eni-reader/xml-bytes.ts';
import { type EniShard, eniShards } from './interface-shards.ts';
import { ManagedResources } from './managed-resources.ts';
import { eachPage, pageSize } from './paging.ts';

const PLACE = Place.of('ec2:DescribeNetworkInterfaces');

/** The SDK's own decoder, and the only reader that has the whole answer to hand on. */
export function sdkEniPages(ec2: Ec2Calls): EniPageReader {
  return async (request, sink) => {
    const { NetworkInterfaces = [], NextToken } = await ec2.networkInterfaces(request);
    const inside = PLACE.at('NetworkInterfaces');
    for (const [index, item] of NetworkInterfaces.entries()) sink.add(toEniRecord(item, inside.at(index)));
    return {
      interfaces: NetworkInterfaces.length,
      decodedBySdk: NetworkInterfaces.length,
      answer: { NetworkInterfaces },
      ...(NextToken === undefined ? {} : { nextToken: NextToken }),
    };
  };
}

/**
 * Scans pages as they arrive: a tenth of the SDK's time, and nothing kept. A page that the scanner will not judge is asked for again and decoded by the
 * SDK.
 */
export function scannedEniPages(ec2: Ec2Calls): EniPageReader {
  const bySdk = sdkEniPages(ec2);
  return async (request, sink) => {
    try {
      const { interfaces, nextToken, fallbacks } = await ec2.scannedInterfaces(request, sink);
      return {
        interfaces,
        decodedBySdk: fallbacks,
        ...(nextToken === undefined ? {} : { nextToken }),
      };
    } catch (error) {
      if (error instanceof UnexpectedPage) return bySdk(request, sink);
      throw error;
    }
  };
}

export interface EnisRead {
  /** Interfaces that were decoded by the SDK, not by the scanner. */
  readonly decodedBySdk: number;
  readonly managedResourcesIncluded: boolean;
  readonly failures: readonly ReadFailure[];
}

/** Streams the interfaces of the subnets into the sink. A shard that fails half way leaves all its subnets unknown: which half is missing nobody can tell. */
export async function readNetworkInterfaces(
  readPage: EniPageReader,
  taps: ReadingTaps,
  facts: Pick<RegionFacts, 'subnets' | 'excluded'>,
  scope: RegionScope,
  sink: EniSink,
): Promise<EnisRead> {
  const managed = new ManagedResources();
  let interfaces = 0;
  let decodedBySdk = 0;
  const { failures } = await readPart<EniShard, never>(
    { ...taps, progress: undefined },
    {
      input: 'network-interfaces',
      call: 'ec2:DescribeNetworkInterfaces',
      shards: eniShards(facts, scope),
      read: (shard, take) =>
        eachPage(
          (NextToken) =>
            managed.ask((flag) =>
              readPage(
                {
                  MaxResults: pageSize(taps.pageSize),
                  Filters: [shard.filter],
                  ...flag,
                  ...(NextToken === undefined ? {} : { NextToken }),
                },
                sink,
              ),
            ),
          (page) => page.nextToken,
          async (page) => {
            if (page.answer !== undefined) await take(page.answer, []);
            interfaces += page.interfaces;
            decodedBySdk += page.decodedBySdk;
            taps.progress?.('network-interfaces', interfaces);
          },
        ),
    },
  );
  return { managedResourcesIncluded: managed.included, decodedBySdk, failures };
}
