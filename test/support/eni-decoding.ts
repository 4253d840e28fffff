/** Pages of network interfaces as the SDK reads them, and as the scanner does. */
import { DescribeNetworkInterfacesResult$ } from '@aws-sdk/client-ec2';
import { AwsEc2QueryProtocol } from '@aws-sdk/core/protocols';
import { NormalizedSchema } from '@smithy/core/schema';
import { toEniRecord } from '../../lambdas/adapters/describe/network-interfaces.ts';
import { ItemScanner } from '../../lambdas/adapters/ec2/eni-reader/item-scanner.ts';
import { PageScanner } from '../../lambdas/adapters/ec2/eni-reader/page-scanner.ts';
import { Place } from '../../lambdas/core/input/place.ts';
import type { EniRecord } from '../../lambdas/core/subnet/snapshot.ts';

const protocol = new AwsEc2QueryProtocol({
  defaultNamespace: 'com.amazonaws.ec2',
  xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15',
  version: '2016-11-15',
} as ConstructorParameters<typeof AwsEc2QueryProtocol>[0]);
const deserializer = (protocol as unknown as { deserializer: { read(schema: unknown, bytes: Uint8Array): unknown } })
  .deserializer;
const schema = NormalizedSchema.of(DescribeNetworkInterfacesResult$);

export interface DecodedPage {
  readonly records: readonly EniRecord[];
  readonly nextToken?: string | undefined;
}

/** The page as the SDK reads it. Throws what the SDK, or the decoder behind it, throws. */
export function decodeWithSdk(xml: Uint8Array): DecodedPage {
  const output = deserializer.read(schema, xml) as { NetworkInterfaces?: unknown[]; NextToken?: string };
  const place = Place.of('page');
  return {
    records: (output.NetworkInterfaces ?? []).map((raw, i) => toEniRecord(raw, place.at(i))),
    nextToken: output.NextToken,
  };
}

function decodeItem(item: Buffer): EniRecord {
  const framed = Buffer.concat([
    Buffer.from('<r><networkInterfaceSet>'),
    item,
    Buffer.from('</networkInterfaceSet></r>'),
  ]);
  const output = deserializer.read(schema, framed) as { NetworkInterfaces: unknown[] };
  return toEniRecord(output.NetworkInterfaces[0], Place.of('item'));
}

const experienced = new ItemScanner();

/**
 * The page as the scanner reads it, cut into these chunks.
 *
 * @param item one that has learnt from every page before, or a new one.
 */
export function scan(
  chunks: Iterable<Uint8Array>,
  item: ItemScanner = experienced,
): DecodedPage & { readonly fallbacks: number } {
  const records: EniRecord[] = [];
  const scanner = new PageScanner({ add: (record) => records.push(record) }, decodeItem, item);
  for (const chunk of chunks) scanner.push(chunk);
  const page = scanner.end();
  return { records, nextToken: page.nextToken, fallbacks: page.fallbacks };
}
