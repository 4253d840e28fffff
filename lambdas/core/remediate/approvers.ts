/** Who may approve: the caller as IAM names it, held against the configured list. */

/**
 * Whether a caller is one of the approvers.
 *
 * A role is listed by its ARN (`arn:aws:iam::1:role/team/on-call`) and calls as a session (`arn:aws:sts::1:assumed-role/on-call/alice`): the path is not
 * part of it, and role names are unique in an account. `assumed-role/on-call/*` stands for every session of the role.
 */
export function isApprover(approvers: readonly string[], caller: string): boolean {
  return approvers.some((approver) => matches(approver, caller));
}

const SESSION = /^arn:([^:]+):sts::(\d{12}):assumed-role\/([^/]+)\/(.+)$/;
const ROLE = /^arn:([^:]+):iam::(\d{12}):role\/(?:.+\/)?([^/]+)$/;

function matches(approver: string, caller: string): boolean {
  if (approver === caller) return true;
  const session = SESSION.exec(caller);
  if (session === null) return false;
  const [, partition, account, role] = session;
  const listed = ROLE.exec(approver) ?? (approver.endsWith('/*') ? SESSION.exec(approver) : null);
  if (listed === null) return false;
  return listed[1] === partition && listed[2] === account && listed[3] === role;
}
