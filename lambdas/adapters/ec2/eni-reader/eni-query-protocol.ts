/** EC2's query protocol as the SDK speaks it, but for one answer: pages of network interfaces are scanned as they arrive instead of being parsed whole. */
import {
  DescribeNetworkInterfacesCommand,
  type DescribeNetworkInterfacesCommandInput,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { NormalizedSchema } from '@smithy/core/schema';
import type {
  HandlerExecutionContext,
  HttpHandlerOptions,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
  SerdeFunctions,
} from '@smithy/types';
import { Place } from '../../../core/input/place.ts';
import type { EniSink } from '../../../core/subnet/snapshot.ts';
import { toEniRecord } from '../../describe/network-interfaces.ts';
import { callOf, StrictQueryProtocol } from '../strict-query-protocol.ts';
import { ItemScanner } from './item-scanner.ts';
import { PageScanner, type ScannedPage } from './page-scanner.ts';

const OPERATION = 'DescribeNetworkInterfaces';
/** Where the sink stands in the context of a call. */
const SINK = Symbol('sink for the network interfaces of a page');
/** Where what was scanned stands in the output of a call. */
const PAGE = Symbol('scanned page of network interfaces');

/**
 * Asks a client that has {@link EniQueryProtocol} for one page, and puts each interface into the sink as it arrives; more than once, where the SDK tries the call again.
 *
 * @throws UnexpectedPage where the page is not what EC2 sends: ask for it again with an ordinary client. Else what the SDK throws.
 */
export async function scanInterfaces(
  client: EC2Client,
  input: DescribeNetworkInterfacesCommandInput,
  sink: EniSink,
  how: HttpHandlerOptions = {},
): Promise<ScannedPage> {
  const command = new DescribeNetworkInterfacesCommand(input);
  command.middlewareStack.add(
    (next, context) => (args) => {
      Object.assign(context, { [SINK]: sink });
      return next(args);
    },
    { step: 'initialize', name: 'networkInterfaceSink' },
  );
  const page = ((await client.send(command, how)) as { [PAGE]?: ScannedPage })[PAGE];
  if (page === undefined) throw new TypeError('the client does not have the scanning protocol');
  return page;
}

/** For the EC2 client's `protocol` option. Requests, signing, retries, endpoints, error responses and every other operation stay the SDK's. */
export class EniQueryProtocol extends StrictQueryProtocol {
  /** One for all pages, also those that arrive side by side: it reads an interface at a time, without a pause. */
  private readonly item = new ItemScanner();

  override async deserializeResponse<Output extends MetadataBearer>(
    operation: OperationSchema,
    context: HandlerExecutionContext & SerdeFunctions & { [SINK]?: EniSink },
    response: HttpResponse,
  ): Promise<Output> {
    const sink = context[SINK];
    if (sink === undefined || callOf(operation) !== OPERATION || response.statusCode >= 300)
      return super.deserializeResponse(operation, context, response);
    const scanner = new PageScanner(sink, (item) => this.decodeItem(operation, item), this.item);
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) scanner.push(chunk);
    const output = { $metadata: this.deserializeMetadata(response), [PAGE]: scanner.end() };
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
