/** Configurations with which there is a remediator. */
import type { ConfigDocument } from '../../lambdas/contract/config.ts';

export const ACCOUNT = '111111111111';

const APPROVERS = { remediation: { approvers: [`arn:aws:iam::${ACCOUNT}:role/on-call`] } };
export const CLUSTERS = {
  clusters: { prod: {}, dev: { karpenterSelectors: [{ tags: { tier: 'nodes-*' } }], cniTag: 'acme/cni' } },
};
/** Every action may be proposed. */
export const ALL: ConfigDocument = { mode: 'propose', ...CLUSTERS, ...APPROVERS };
