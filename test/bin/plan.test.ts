import { describe, expect, test } from '@jest/globals';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { type } from '../support/fake-terminal.ts';

const C12 = ['--from', 'test/cases/c12-untag-causes-drift'];
const A = 'subnet-00120000000000001';

async function untag(subnetId: string): Promise<HeadroomDocument> {
  return JSON.parse((await type('plan', '--untag', subnetId, ...C12, '--json')).printed) as HeadroomDocument;
}

describe('plan --untag', () => {
  test('tells the four nodes that would be replaced and the two that stay, and nothing else', async () => {
    const { plan, findings } = await untag(A);
    expect(plan).toMatchObject([
      {
        action: 'untag',
        subnetId: A,
        effect: { nodesReplaced: { before: 0, after: 4 }, nodesKept: { before: 2, after: 2 } },
      },
    ]);
    expect(findings).toMatchObject([
      { code: 'ACTION_CAUSES_DRIFT', subnetId: A, evidence: { action: 'untag', nodes: 4 } },
    ]);
    expect((await type('plan', '--untag', A, ...C12)).printed).toContain('Karpenter');
  });

  test('of another subnet tells that one’s nodes', async () => {
    const { plan } = await untag('subnet-00120000000000002');
    expect(plan).toMatchObject([{ effect: { nodesReplaced: { before: 0, after: 3 } } }]);
  });

  test('of a subnet that is not there names the closest ones', async () => {
    const { status, remarks } = await type('plan', '--untag', 'subnet-00120000000000009', ...C12);
    expect(status).toBe(1);
    expect(remarks.join('\n')).toContain(A);
  });
});

test('a standby among seven subnets: only the one that fits is opened, and each other one has its reason', async () => {
  const { printed } = await type('plan', '--from', 'test/cases/c25-standby-candidates-zone-types', '--json');
  const [decision, ...more] = (JSON.parse(printed) as HeadroomDocument).plan ?? [];
  expect(more).toEqual([]);
  expect(decision).toMatchObject({
    action: 'activateStandby',
    subnetId: 'subnet-00250000000000002',
    relieves: 'subnet-00250000000000001',
  });
  expect(Object.fromEntries(decision?.rejected.map(({ subnetId, reason }) => [subnetId, reason]) ?? [])).toEqual({
    'subnet-00250000000000003': 'local-zone',
    'subnet-00250000000000004': 'outpost',
    'subnet-00250000000000005': 'wavelength-zone',
    'subnet-00250000000000006': 'other-vpc',
    'subnet-00250000000000007': 'other-az',
  });
  // Nobody marked it, and half of what matters was not given: it is proposed, with the reasons, and nothing more.
  expect(decision?.guards.filter(({ passed }) => !passed).map(({ name }) => name)).toContain('marked-standby');
});

test('the sample region: ready plans, each guard with its fact', async () => {
  const { printed } = await type('plan', '--from', 'examples/sample-region', '--json');
  const { plan = [] } = JSON.parse(printed) as HeadroomDocument;
  expect(plan.map(({ action }) => action)).toEqual(['activateStandby', 'moveNodeGroup', 'cleanLeakedEnis']);
  for (const { guards } of plan) for (const { detail } of guards) expect(detail).not.toMatch(/undefined|NaN|null/);
});

test('mode and selectors come from the configuration document', async () => {
  const { status, remarks } = await type('plan', '--from', 'examples/sample-region', '--config', 'no-such-file.yaml');
  expect(status).toBe(1);
  expect(remarks.join('\n')).toContain('no-such-file.yaml');
});
