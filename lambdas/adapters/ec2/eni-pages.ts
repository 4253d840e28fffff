import type { DescribeNetworkInterfacesCommandInput } from '@aws-sdk/client-ec2';
import type { EniSink } from '../../core/subnet/snapshot.ts';

/** What a page came to: the interfaces are in the sink by then. */
export interface EniPage {
  readonly interfaces: number;
  readonly nextToken?: string;
  /** Interfaces that a faster reader left to the SDK's decoder. */
  readonly decodedBySdk: number;
  /** The answer as the AWS CLI would print it, by readers that have it whole. */
  readonly answer?: object;
}

/**
 * Asks for one page of network interfaces and puts each into the sink.
 *
 * The seam for readers that are faster than the SDK's decoder. One that is given its page twice (a retry) may emit interfaces twice: sinks pass over repeats. It rejects
 * with what the SDK's client rejects with, so that errors are mapped alike.
 */
export type EniPageReader = (request: DescribeNetworkInterfacesCommandInput, sink: EniSink) => Promise<EniPage>;
