import type { Finding } from '../../../contract/finding.ts';
import type { AssessContext } from '../context.ts';

/** A rule looks at everything that is known and says what is wrong; it is pure, and its findings may come in any order. */
export type Rule = (context: AssessContext) => readonly Finding[];
