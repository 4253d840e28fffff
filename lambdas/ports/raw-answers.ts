import type { InputName } from '../core/subnet/snapshot.ts';

/**
 * Takes what AWS answered, as it came, before anything of it is decoded or dropped: `observe --out` keeps it, so that a snapshot holds what the region said.
 *
 * A document has the shape that the AWS CLI prints for the call: `{Subnets: [...]}`; times may be Dates. Writers say by rejecting that they cannot go on.
 */
export interface RawAnswers {
  /** One page or one answer. The next page is not asked for before this settles. */
  write(input: InputName, document: object): Promise<void>;
}
