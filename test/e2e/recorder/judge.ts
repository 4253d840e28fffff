/** Holds recorded calls to the policies of the roles that made them: the emulator itself allows everything. */
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { ACCOUNT, REGION } from '../testbed.ts';
import type { Permission, RecordedCall } from './call.ts';

interface PolicyStatement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
}

export interface RolePolicy {
  readonly Statement: readonly PolicyStatement[];
}

/** The inline policy of a role, as it was deployed: every name in it resolved. */
export async function deployedPolicy(endpoint: string, roleArn: string, policyName: string): Promise<RolePolicy> {
  const RoleName = roleArn.split('/').at(-1) ?? '';
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      // The emulator finds the service by the scope; it checks no signature.
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/iam/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: new URLSearchParams({ Action: 'GetRolePolicy', Version: '2010-05-08', RoleName, PolicyName: policyName }),
  });
  const text = await response.text();
  const [, document] = /<PolicyDocument>([\s\S]*?)<\/PolicyDocument>/.exec(text) ?? [];
  if (document === undefined) throw new Error(`no policy ${policyName} of ${RoleName}: ${text.slice(0, 300)}`);
  const plain = document.trim().startsWith('%') ? decodeURIComponent(document) : document;
  return JSON.parse(plain.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as RolePolicy;
}

export interface Judgement {
  /** `action on resource`, once each. */
  readonly denied: readonly string[];
  /** Actions that the role grants and that no call used, sorted. */
  readonly unused: readonly string[];
}

/** Condition keys that a request does not say and that AWS fills in from what stands there: the tags of the resource. */
export type Standing = (call: RecordedCall) => Permission['context'];

export async function judge(
  calls: readonly RecordedCall[],
  policy: RolePolicy,
  standing: Standing = () => ({}),
): Promise<Judgement> {
  const denied = new Set<string>();
  const used = new Set<string>();
  const seen = new Set<string>();
  for (const call of calls) {
    for (const { action, resource, context: said } of call.requires) {
      const context = { ...standing(call), ...said };
      used.add(action);
      const key = JSON.stringify([action, resource, context]);
      if (seen.has(key)) continue;
      seen.add(key);
      const contextVariables: Record<string, string | string[]> = { 'aws:RequestedRegion': call.region };
      for (const [name, value] of Object.entries(context)) {
        contextVariables[name] = typeof value === 'string' ? value : [...value];
      }
      const result = await runSimulation(
        {
          request: { principal: call.roleArn, action, resource: { resource, accountId: ACCOUNT }, contextVariables },
          identityPolicies: [{ name: 'role', policy }],
          serviceControlPolicies: [],
          resourceControlPolicies: [],
        },
        {},
      );
      const allowed = 'overallResult' in result && result.overallResult === 'Allowed';
      if (!allowed) denied.add(`${action} on ${resource}: ${verdict(result)}`);
    }
  }
  const granted = policy.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action);
  return {
    denied: [...denied].sort(),
    unused: [...new Set(granted)].filter((action) => !used.has(action)).sort(),
  };
}

/** The errors of a simulation that could not be made, or why it said no; never the policy itself. */
function verdict(result: object): string {
  const { resultType, errors, overallResult } = result as {
    readonly resultType?: string;
    readonly errors?: unknown;
    readonly overallResult?: unknown;
  };
  return errors === undefined ? `${String(resultType)} ${String(overallResult)}` : JSON.stringify(errors);
}
