import { describe, expect, test } from '@jest/globals';
import type { HeadroomDocument } from '../../../lambdas/contract/document.ts';
import { assessText } from '../../../lambdas/core/report/assess-text.ts';
import { explainText } from '../../../lambdas/core/report/explain-text.ts';
import { type DocumentFinding, findingCounts, findingLines } from '../../../lambdas/core/report/finding-text.ts';
import { observeText } from '../../../lambdas/core/report/observe-text.ts';
import { markedPen, plainPen } from '../../support/plain-pen.ts';

const finding = (
  code: DocumentFinding['code'],
  severity: DocumentFinding['severity'],
  subnetId: string,
): DocumentFinding => ({
  id: `${code}/${subnetId}`,
  code,
  severity,
  subnetId,
  zone: 'us-east-1a',
  observed: 1,
  message: `About ${subnetId}.`,
  evidence: {},
  remedy: 'Do this.',
});

const counts = (subnetId: string, availableIps: number) =>
  ({
    subnetId,
    vpcId: 'vpc-1',
    cidr: '10.0.0.0/24',
    availabilityZone: 'us-east-1a',
    availabilityZoneId: 'use1-az1',
    enis: null,
    clusters: [],
    byCluster: [],
    applicable: true,
    confidence: 'counts-only',
    usableIps: 251,
    availableIps,
  }) as const;

const DOCUMENT: HeadroomDocument = {
  schemaVersion: 1,
  generatedAt: '2026-01-02T00:00:00.000Z',
  source: {
    kind: 'live',
    region: 'us-east-1',
    account: '111111111111',
    now: '2026-01-01T00:00:00.000Z',
    absent: ['pods'],
    unknown: [
      {
        input: 'network-interfaces',
        call: 'ec2:DescribeNetworkInterfaces',
        code: 'UnauthorizedOperation',
        permission: 'ec2:DescribeNetworkInterfaces',
        message: 'no',
      },
      { input: 'clusters', call: 'eks:DescribeCluster', code: 'ServerException', cluster: 'prod', message: 'no' },
    ],
  },
  subnets: [counts('subnet-a', 200), counts('subnet-b', 0), counts('subnet-c', 100)],
  zones: [],
  clusters: [],
  findings: [finding('SUBNET_EXHAUSTED', 'critical', 'subnet-b')],
};

describe('findings', () => {
  test('one is how bad, what and where; then why; then what to do', () => {
    const lines = findingLines(
      plainPen,
      [finding('SUBNET_LOW', 'warning', 'subnet-a')],
      3,
      new Map([['subnet-a', 'pods']]),
    );
    expect(lines).toEqual([
      'warning  SUBNET_LOW subnet-a (pods)  us-east-1a',
      '    About subnet-a.',
      '    -> Do this.',
    ]);
  });

  test('many of a kind are counted and hide no other kind', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((id) => finding('SUBNET_EXHAUSTED', 'critical', id));
    const lines = findingLines(plainPen, [...many, finding('SUBNET_LOW', 'warning', 'f')], 3);
    expect(lines.filter((line) => /^\w/.test(line))).toEqual([
      'critical SUBNET_EXHAUSTED a  us-east-1a',
      'critical SUBNET_EXHAUSTED b  us-east-1a',
      'critical SUBNET_EXHAUSTED c  us-east-1a',
      'warning  SUBNET_LOW f  us-east-1a',
    ]);
    expect(lines).toContain('    ... 2 more critical SUBNET_EXHAUSTED: --all shows them');
  });

  test('the colour is that of the severity, whose word stands there too', () => {
    expect(findingLines(markedPen, [finding('SUBNET_LOW', 'warning', 'a')], 1)[0]).toMatch(/^<warning:warning>/);
  });

  test.each([
    [[], 'nothing found'],
    [[finding('SUBNET_LOW', 'warning', 'a')], '1 warning'],
    [[finding('SUBNET_LOW', 'info', 'a'), finding('SUBNET_LOW', 'critical', 'b')], '1 critical, 1 info'],
  ])('%j', (findings, words) => expect(findingCounts(findings)).toBe(words));
});

describe('assess', () => {
  const lines = assessText(plainPen, DOCUMENT, { all: false });

  test('begins with where and when', () => {
    expect(lines.slice(0, 2)).toEqual([
      'live | region us-east-1 | account 111111111111 | as of 2026-01-01T00:00:00Z',
      '3 subnets, network interfaces unknown: 1 critical',
    ]);
  });

  test('says before anything else what was not read, and which permission that needs', () => {
    expect(lines.slice(3, 7)).toEqual([
      'NOT READ',
      '  ec2:DescribeNetworkInterfaces UnauthorizedOperation: permission ec2:DescribeNetworkInterfaces is',
      '    missing; unknown for every subnet in scope',
      '  eks:DescribeCluster ServerException; unknown for cluster prod',
    ]);
  });

  test('the worst subnet first, then the one with the fewest addresses', () => {
    const ids = lines.filter((line) => line.includes('counts-only')).map((line) => /subnet-\w/.exec(line)?.[0]);
    expect(ids).toEqual(['subnet-b', 'subnet-c', 'subnet-a']);
  });

  test('a long list is cut with a count, and whole where that is asked for', () => {
    const subnets = Array.from({ length: 25 }, (_, i) => counts(`subnet-${i + 10}`, i));
    const rows = (all: boolean) => assessText(plainPen, { ...DOCUMENT, subnets }, { all });
    expect(rows(false).filter((line) => line.includes('counts-only'))).toHaveLength(20);
    expect(rows(false)).toContain('... 5 more subnets: --all shows them');
    expect(rows(true).filter((line) => line.includes('counts-only'))).toHaveLength(25);
    expect(rows(true).join()).not.toContain('--all');
  });
});

test('explain of a subnet whose interfaces are unknown says so and draws nothing', () => {
  const { zones: _, clusters: __, ...document } = DOCUMENT;
  const lines = explainText(plainPen, { ...document, subnets: [counts('subnet-b', 0)] }, { all: false });
  expect(lines).toContain("251 usable addresses, 0 available by EC2's count.");
  expect(lines.join('\n')).not.toContain('MAP');
  expect(lines).toContain('critical SUBNET_EXHAUSTED subnet-b  us-east-1a');
});

describe('what to type next', () => {
  const folder = `/srv/${'a long name '.repeat(12)}/it's $HOME`;
  const quoted = `'${folder.replaceAll("'", String.raw`'\''`)}'`;

  test('is one command of a shell, however long: a line that goes on says so', () => {
    const lines = observeText(plainPen, DOCUMENT, folder);
    expect(lines.slice(-3)).toEqual(['NEXT', '  headroom assess --from \\', `      ${quoted}`]);
  });

  test('is called as the reader called it', () => {
    const lines = observeText(plainPen, DOCUMENT, 'snapshot', 'npm run -s headroom --');
    expect(lines.at(-1)).toBe('  npm run -s headroom -- assess --from snapshot');
  });
});

test('observe says that a folder with a hole is one', () => {
  const lines = observeText(plainPen, DOCUMENT, 'snapshot');
  expect(lines).toContain('Written to snapshot: 3 subnets, network interfaces unknown.');
  expect(lines.join(' ')).toMatch(/its reading\.json says that there was more: an assessment of it is one in part/);
  expect(
    observeText(plainPen, { ...DOCUMENT, source: { ...DOCUMENT.source, unknown: [] } }, 'snapshot').join(),
  ).not.toMatch(/there was more/);
});
