/** EC2's query protocol as the SDK speaks it, but for one answer: pages of network interfaces are scanned as they arrive instead of being parsed whole. */
import { NormalizedSchema } from '@smithy/core/schema';
import type {
  HandlerExecutionContext,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
  SerdeFunctions,
} from '@smithy/types';
import { Place } from '../../../core/input/place.ts';
import { toEniRecord } from '../../describe/network-interfaces.ts';
import { callOf, StrictQueryProtocol } from '../strict-query-protocol.ts';
import { ItemScanner } from './item-scanner.ts';
import { type EniPage, PageScanner } from './page-scanner.ts';

const OPERATION = 'DescribeNetworkInterfaces';
/** Where the scanned page stands in the command's output. */
const PAGE = Symbol('scanned page of network interfaces');

/** The scanned page in the output of a `DescribeNetworkInterfaces` call that went through {@link EniQueryProtocol}. */
export function scannedPage(output: object): EniPage {
  const page = (output as { [PAGE]?: EniPage })[PAGE];
  if (page === undefined) throw new TypeError('the call did not go through the scanning protocol');
  return page;
}

/**
 * For the EC2 client's `protocol` option. Requests, signing, retries, endpoints, error responses and every other operation stay the SDK's.
 *
 * A `DescribeNetworkInterfaces` output has no `NetworkInterfaces` then; {@link scannedPage} gives its page. Throws `UnexpectedPage` where the page is not what EC2
 * sends: ask for it again with an ordinary client.
 */
export class EniQueryProtocol extends StrictQueryProtocol {
  /** One for all pages, also those that arrive side by side: it reads an interface at a time, without a pause. */
  private readonly item = new ItemScanner();

  override async deserializeResponse<Output extends MetadataBearer>(
    operation: OperationSchema,
    context: HandlerExecutionContext & SerdeFunctions,
    response: HttpResponse,
  ): Promise<Output> {
    if (callOf(operation) !== OPERATION || response.statusCode >= 300)
      return super.deserializeResponse(operation, context, response);
    const scanner = new PageScanner((item) => this.decodeItem(operation, item), this.item);
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) scanner.push(chunk);
    const page = scanner.end();
    const output = { $metadata: this.deserializeMetadata(response), NextToken: page.nextToken, [PAGE]: page };
    return output as MetadataBearer as Output;
  }

  /** One interface through the SDK's own decoder, in the frame that it stands in. */
  private decodeItem(operation: OperationSchema, item: Buffer) {
    const frame = Buffer.concat([OPEN, item, CLOSE]);
    const output = this.deserializer.read(NormalizedSchema.of(operation.output), frame) as {
      NetworkInterfaces: unknown[];
    };
    return toEniRecord(output.NetworkInterfaces[0], ITEM_PLACE);
  }
}

const OPEN = Buffer.from('<r><networkInterfaceSet>');
const CLOSE = Buffer.from('</networkInterfaceSet></r>');
const ITEM_PLACE = Place.of('ec2:DescribeNetworkInterfaces').at('NetworkInterfaces');
