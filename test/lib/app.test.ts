import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { App, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks } from 'cdk-nag';
import { documents } from '../../bin/documents.ts';
import { readBundledConfig } from '../../lambdas/adapters/configuration/bundled-config.ts';
import { type ConfigDocument, parseConfig } from '../../lambdas/contract/config.ts';
import { type FunctionName, SERVICE_ALARMS } from '../../lambdas/contract/names.ts';
import { loadConfig } from '../../lib/configuration/load.ts';
import {
  costTable,
  estimate,
  expectedMetrics,
  holdToCeiling,
  type TemplateCounts,
  total,
} from '../../lib/cost/estimate.ts';
import { FEATURE_FLAGS } from '../../lib/flags.ts';
import { bundleFunction } from '../../lib/function/bundle.ts';
import { inlineStack } from './template.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'headroom-app-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('cdk-nag', () => {
  const build = (document: ConfigDocument) => {
    const outdir = mkdtempSync(path.join(directory, 'out-'));
    const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS, outdir });
    return { app, stack: inlineStack(app, document) };
  };

  test.each<[string, ConfigDocument]>([
    ['the default deployment', {}],
    [
      'a deployment in a VPC with mail, Slack and topics of a cluster',
      {
        clusters: { prod: { criticalTopicArn: 'arn:aws:sns:eu-central-1:111122223333:prod' } },
        notifications: {
          email: ['ops@example.com'],
          slackWebhookSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:slack-AbCdEf',
        },
        deployment: { vpc: { subnetIds: ['subnet-0123456789abcdef0'], securityGroupIds: ['sg-0123456789abcdef0'] } },
      },
    ],
  ])('%s has no finding that is not acknowledged', (_name, document) => {
    expect(findings(build(document).app)).toEqual([]);
  });

  test('a wildcard that is in no list is a finding, also in a role that has acknowledged others', () => {
    const { app, stack } = build({});
    const role = stack.node.findChild('Observer').node.findChild('Observe').node.findChild('Role') as Role;
    role.addToPolicy(new PolicyStatement({ actions: ['ec2:CreateTags'], resources: ['arn:aws:ec2:*:*:subnet/*'] }));
    expect(findings(app)).toEqual(['AwsSolutions-IAM5[Resource::arn:aws:ec2:*:*:subnet/*]']);
  });

  test('each acknowledgement has a reason of its own', () => {
    const reasons = acknowledgements(build({}).app);
    expect(reasons.length).toBeGreaterThan(10);
    for (const { id, reason } of reasons) {
      expect(id).toMatch(/AwsSolutions-[A-Z]+\d/);
      expect(reason.split(' ').length).toBeGreaterThan(4);
    }
  });
});

interface Acknowledgement {
  readonly construct: string;
  readonly id: string;
  readonly reason: string;
}

function acknowledgements(app: App): readonly Acknowledgement[] {
  return app.node.findAll().flatMap((construct) =>
    construct.node.metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries(data as Record<string, string>))
      .map(([id, reason]) => ({ construct: construct.node.path, id, reason })),
  );
}

function findings(app: App): readonly string[] {
  return new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);
}

describe('the configuration file', () => {
  const write = (name: string, text: string) => {
    const file = path.join(directory, name);
    writeFileSync(file, text);
    return file;
  };

  test('none, and an empty one, give the defaults', () => {
    expect(loadConfig(undefined)).toEqual(parseConfig({}));
    expect(loadConfig(write('empty.yaml', '# nothing yet\n'))).toEqual(parseConfig({}));
  });

  test('may be YAML or JSON', () => {
    expect(loadConfig(write('a.yaml', 'schedule:\n  tick: 5 minutes\n')).schedule.tick).toBe(300);
    expect(loadConfig(write('a.json', '{"schedule": {"tick": "5 minutes"}}')).schedule.tick).toBe(300);
  });

  test.each([
    ['missing.yaml', undefined, /missing\.yaml".*must name a file that can be read/],
    ['broken.yaml', 'schedule: {tick: 5', /broken\.yaml".*must be YAML or JSON/],
    ['wrong.yaml', 'mode: on\n', /wrong\.yaml cannot be used:\n {2}mode = "on": must be one of observe, propose, auto/],
  ])('%s is named with what is wrong', (name, text, message) => {
    const file = text === undefined ? path.join(directory, name) : write(name, text);
    expect(() => loadConfig(file)).toThrow(message);
  });
});

describe('node bin/app.ts, as the CDK CLI runs it', () => {
  const run = (file: string) =>
    spawnSync(process.execPath, ['bin/app.ts'], {
      cwd: new URL('../..', import.meta.url).pathname,
      encoding: 'utf8',
      env: {
        ...process.env,
        CDK_OUTDIR: path.join(directory, 'cdk.out'),
        CDK_CONTEXT_JSON: JSON.stringify({ config: file }),
      },
    });

  test('stops at a configuration that cannot be used, and says no more than what to mend', () => {
    const file = path.join(directory, 'stop.yaml');
    writeFileSync(file, 'thresholds: {subnetLowPercent: 200}\nshedule: {}\n');
    const { status, stdout, stderr } = run(file);
    expect(stderr).toBe(
      `${file} cannot be used:\n` +
        '  thresholds.subnetLowPercent = 200: must be a number from 0 to 100 (percent of the usable addresses)\n' +
        '  shedule = {}: no such key; did you mean schedule? the keys here are mode, scope, clusters, thresholds, schedule, ' +
        'metrics, notifications, remediation, deployment\n',
    );
    expect(status).toBe(1);
    expect(stdout).toBe('');
  });
});

describe('the expected cost', () => {
  const template: TemplateCounts = { alarms: 9, queuesWithConsumer: 2, observeMemoryMiB: 1024 };
  const costOf = (document: ConfigDocument) => estimate(parseConfig(document), template);
  const usd = (document: ConfigDocument, item: string) => costOf(document).find((row) => row.item === item)!.usd;

  test('the default configuration has 60 + 120 + 150 + 9 metrics, which is nine tenths of the cost', () => {
    expect(expectedMetrics(parseConfig({})).count).toBe(339);
    expect(usd({}, 'custom metrics')).toBeCloseTo(101.7, 6);
    expect(101.7 / total(costOf({}))).toBeGreaterThan(0.85);
    expect(total(costOf({}))).toBeLessThan(150);
  });

  test.each<[string, ConfigDocument, number]>([
    ['the budget bounds the metrics', { metrics: { budget: 100 } }, 30],
    [
      'fewer subnets than the cap have fewer metrics',
      { metrics: { expected: { subnets: 10 } } },
      (60 + 120 + 30 + 9) * 0.3,
    ],
    [
      'no cluster, no VPC, no subnet: the nine of the service',
      { metrics: { expected: { vpcs: 0, clusters: 0, subnets: 0 } } },
      2.7,
    ],
  ])('%s', (_name, document, expected) => {
    expect(usd(document, 'custom metrics')).toBeCloseTo(expected, 6);
  });

  test('alarms: two for each cluster and zone within the budget, and those of the service', () => {
    expect(usd({}, 'alarms')).toBeCloseTo((60 + 9) * 0.1, 6);
    expect(usd({ metrics: { alarmBudget: 10 } }, 'alarms')).toBeCloseTo(1.9, 6);
  });

  test('compute: 43,200 ticks of 1.75 seconds at one GB', () => {
    expect(usd({}, 'compute')).toBeCloseTo(43_200 * 1.75 * 0.0000133334 + 43_200 * 0.0000002, 4);
  });

  test('is printed item by item, with its formula and the date of the prices', () => {
    const table = costTable(costOf({}));
    expect(table).toMatch(/US dollars \(us-east-1, prices of \d{4}-\d\d-\d\d, no free tier\)/);
    expect(table).toContain(
      'custom metrics     101.70  339 x 0.3; min(budget 350, 5 VPCs x 3 zones x 4 + 10 clusters x 3 zones x 4 + 50 subnets x 3 + 9)',
    );
    expect(table.split('\n').at(-1)).toMatch(/^ {2}total {11} +\d+\.\d\d$/);
  });

  test('above the ceiling stops synth, with field, value and remedy', () => {
    const document: ConfigDocument = { metrics: { monthlyCeilingUsd: 100 } };
    expect(() => holdToCeiling(parseConfig(document), costOf(document))).toThrow(
      /metrics\.monthlyCeilingUsd = 100: is below the expected \d+\.\d\d US dollars a month; raise it to \d+, or lower metrics\.budget/,
    );
    expect(() => holdToCeiling(parseConfig({}), costOf({}))).not.toThrow();
  });
});

describe('a bundle', () => {
  test('holds everything, carries the configuration, and is the same every time', () => {
    const [first, second] = ['one', 'two'].map((name) => path.join(directory, name));
    const config = parseConfig({ schedule: { tick: '5 minutes' }, clusters: { blue: {} } });
    const size = bundleFunction('cleanup', config, first!);
    bundleFunction('cleanup', config, second!);
    const files = readdirSync(first!).filter((name) => name.endsWith('.mjs'));
    const codes = files.map((name) => readFileSync(path.join(first!, name)));
    expect(codes.reduce((sum, code) => sum + code.byteLength, 0)).toBe(size.bytes);
    expect(readdirSync(second!)).toEqual(readdirSync(first!));
    for (const [index, name] of files.entries()) {
      expect(readFileSync(path.join(second!, name)).equals(codes[index]!)).toBe(true);
    }
    expect(readBundledConfig(path.join(first!, 'config.json'))).toEqual(config);
    const imported = codes.flatMap((code) =>
      [...code.toString().matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, name]) => name!),
    );
    expect(
      imported.filter((name) => !name.startsWith('node:') && !name.startsWith('./') && !BUILT_IN.has(name)),
    ).toEqual([]);
  });
});

describe('the documents', () => {
  test.each([...documents()])('docs/%s says what the code says (npm run docs)', (name, text) => {
    expect(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
  });

  test('docs/metrics.md names every alarm of the service', () => {
    const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
    const byFunction = (name: (of: FunctionName) => string) => name('observe').replace(/observe$/, '<function>');
    const { heartbeat, snapshotAge, failedSubnets, deadLetters, errors, throttles } = SERVICE_ALARMS;
    for (const name of [heartbeat, snapshotAge, failedSubnets, ...[deadLetters, errors, throttles].map(byFunction)]) {
      expect(page).toContain(`\`${name}\``);
    }
  });
});

/** Node's own modules, as the SDK imports them without their prefix. */
const BUILT_IN = new Set([
  'buffer',
  'child_process',
  'crypto',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'os',
  'path',
  'process',
  'stream',
  'url',
  'util',
  'zlib',
  'async_hooks',
  'events',
  'timers',
]);
