import type { STACK_OUTPUTS } from '../contract/names.ts';

export type OutputName = keyof typeof STACK_OUTPUTS;

/** A deployed service, as its stack describes it. */
export interface Deployment {
  readonly stackName: string;
  readonly stackId: string;
  readonly account: string;
  readonly region: string;
  readonly partition: string;
  /** CloudFormation's word: `CREATE_COMPLETE`, `UPDATE_ROLLBACK_FAILED`. */
  readonly status: string;
  /** What the stack gives out; `approvalUrl` is there only where the mode asks for approvals. */
  readonly outputs: Readonly<Partial<Record<OutputName, string>>>;
}
