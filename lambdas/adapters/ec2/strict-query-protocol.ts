/** EC2's query protocol as the SDK speaks it, but for what it takes for an answer. */
import { AwsEc2QueryProtocol } from '@aws-sdk/core/protocols';
import type {
  HandlerExecutionContext,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
  SerdeFunctions,
} from '@smithy/types';
import { HeadroomError } from '../../contract/headroom-error.ts';

/** What came with status 200 is no answer to the call: a proxy's page, another service, a body that ends early. Asked again it would be no other. */
export class ForeignAnswer extends HeadroomError {
  override readonly name = 'ForeignAnswer';
  readonly code = 'ForeignAnswer';
  readonly retryable = false;
}

/** The root element, behind a byte order mark, a declaration and comments. */
const ROOT = /^\ufeff?\s*(?:<\?[^>]*>\s*|<!--[\s\S]*?-->\s*)*<([\w:.-]+)/;
/** Bytes in which the root element stands. */
const HEAD_BYTES = 2_048;
/** Characters of a foreign body that are quoted: enough to know a login page by. */
const QUOTED = 60;

/** `DescribeSubnets` of `com.amazonaws.ec2#DescribeSubnets`. */
export function callOf(operation: OperationSchema): string {
  return operation.name.split('#')[1] ?? operation.name;
}

/**
 * For the EC2 client's `protocol` option. The SDK reads any well-formed markup as an answer in which nothing stands, so that the page of a proxy would be a region without
 * subnets or interfaces; here the root element has to be that of the call ("Query requests for Amazon EC2", EC2 developer guide: `<operation>Response`).
 *
 * Throws {@link ForeignAnswer}; error answers (status 300 and above) stay the SDK's.
 */
export class StrictQueryProtocol extends AwsEc2QueryProtocol {
  override async deserializeResponse<Output extends MetadataBearer>(
    operation: OperationSchema,
    context: HandlerExecutionContext & SerdeFunctions,
    response: HttpResponse,
  ): Promise<Output> {
    if (response.statusCode >= 300) return super.deserializeResponse(operation, context, response);
    const bytes = await bodyOf(response);
    const expected = `${callOf(operation)}Response`;
    const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
    if (ROOT.exec(head)?.[1] !== expected) {
      const found = head.trim() === '' ? 'is empty' : `begins with ${JSON.stringify(head.trim().slice(0, QUOTED))}`;
      throw new ForeignAnswer(`the answer ${found}; expected <${expected}>`);
    }
    response.body = bytes;
    try {
      return await super.deserializeResponse<Output>(operation, context, response);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ForeignAnswer(`the answer is no whole <${expected}>: ${why}`, { cause: error });
    }
  }
}

async function bodyOf(response: HttpResponse): Promise<Uint8Array> {
  if (response.body instanceof Uint8Array) return response.body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
