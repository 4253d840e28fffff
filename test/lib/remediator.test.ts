import { describe, expect, test } from '@jest/globals';
import type { ConfigDocument } from '../../lambdas/contract/config.ts';
import { ENVIRONMENT, variablesToSet } from '../../lambdas/contract/environment.ts';
import { ANSWERED_CODES } from '../../lambdas/contract/plan.ts';
import { ALL, CLUSTERS } from './remediator-config.ts';
import { resourcesOf, synthesise } from './template.ts';

describe('the construct', () => {
  test('is there only where a mode asks for it', () => {
    const names = (document: ConfigDocument) =>
      [...resourcesOf(synthesise(document), 'AWS::Lambda::Function').keys()].filter((id) =>
        id.startsWith('Remediator'),
      );
    expect(names({})).toEqual([]);
    expect(names({ ...CLUSTERS, mode: { activateStandby: 'observe' } })).toEqual([]);
    expect(names(ALL)).toHaveLength(2);
    expect([...resourcesOf(synthesise({}), 'AWS::Lambda::Url').keys()]).toEqual([]);
  });

  const template = synthesise(ALL);

  test.each(['remediate', 'approve'] as const)('%s gets exactly the environment it reads', (name) => {
    const id = `Remediator${name === 'remediate' ? 'Remediate' : 'Approve'}Function`;
    const [found] = [...resourcesOf(template, 'AWS::Lambda::Function')].filter(
      ([key]) => key.startsWith(id) && !key.includes('Url'),
    );
    const { Variables } = found![1].Properties.Environment as { Variables: Record<string, unknown> };
    expect(Object.keys(Variables).sort()).toEqual([...variablesToSet(name).values()].sort());
    expect(ENVIRONMENT[name].length).toBeGreaterThan(0);
  });

  test('the approve URL asks IAM who calls, and is an output', () => {
    const urls = [...resourcesOf(template, 'AWS::Lambda::Url').values()];
    expect(urls.map(({ Properties }) => Properties.AuthType)).toEqual(['AWS_IAM']);
    expect(template.Outputs).toHaveProperty('ApprovalUrl');
    const open = [...resourcesOf(template, 'AWS::Lambda::Permission').values()].filter(
      ({ Properties }) => Properties.Principal === '*',
    );
    expect(open).toEqual([]);
  });

  test('findings that a plan may answer wake it, and every hour does', () => {
    const rules = [...resourcesOf(template, 'AWS::Events::Rule')]
      .filter(([id]) => id.startsWith('Remediator'))
      .map(([, { Properties }]) => Properties);
    expect(rules.map(({ ScheduleExpression }) => ScheduleExpression)).toContain('rate(1 hour)');
    expect(rules.map(({ EventPattern }) => EventPattern)).toContainEqual({
      source: ['headroom'],
      'detail-type': ['Subnet Finding Raised'],
      detail: { finding: { code: [...ANSWERED_CODES] } },
    });
  });

  test('its failures alarm: dead letters, errors, throttles; of approve the last two', () => {
    const names = [...resourcesOf(template, 'AWS::CloudWatch::Alarm').values()].map(
      ({ Properties }) => Properties.AlarmName,
    );
    for (const kind of ['dead-letters', 'errors', 'throttles'])
      expect(names).toContain(`headroom/service/${kind}-remediate`);
    for (const kind of ['errors', 'throttles']) expect(names).toContain(`headroom/service/${kind}-approve`);
  });
});
