import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SAMPLE_REGION, sampleRegion } from '../../bin/demo/sample-region.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { type Simulator, startSimulator } from '../../simulator/index.ts';
import { headroom, type Ran, startHeadroom } from '../support/run-headroom.ts';

const SECONDS = 60_000;
/** Not once: a call of a command that was interrupted before may still be on its way. */
const ALWAYS = Number.POSITIVE_INFINITY;
const NOW = ['--now', '2026-11-30T09:00:00Z'] as const;

describe('a live region', () => {
  let simulator: Simulator;
  let parent: string;
  beforeAll(async () => {
    simulator = await startSimulator(sampleRegion().world);
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'headroom-observe-'));
  });
  afterEach(async () => {
    simulator.clearFailures();
    simulator.setLatency(0);
    await rm(parent, { recursive: true, force: true });
  });

  const env = () => ({
    AWS_ENDPOINT_URL: simulator.url,
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_REGION: SAMPLE_REGION,
  });
  const live = (...args: readonly string[]): Promise<Ran> => headroom(args, { env: env() });
  const said = ({ stdout }: Ran): HeadroomDocument => JSON.parse(stdout) as HeadroomDocument;

  test(
    'written to a folder, it is assessed as it is live',
    async () => {
      const out = join(parent, 'snapshot');
      const observed = await live('observe', ...NOW, '--out', out);
      expect(observed).toMatchObject({ status: 0 });
      expect(observed.stdout).toMatch(/8 subnets, \d+ network interfaces/);
      const [there, here] = [
        said(await live('assess', ...NOW, '--json')),
        said(await headroom(['assess', '--from', out, '--json'])),
      ];
      const without = ({ generatedAt: _, source, ...rest }: HeadroomDocument) => ({ ...rest, now: source.now });
      expect(without(here)).toEqual(without(there));
      expect(here.source.absent).toEqual(there.source.absent);
      // For a reader each says where to look.
      const commandsOf = ({ stdout }: Ran) =>
        stdout.replace(/\s+/g, ' ').match(/headroom explain subnet-\w+ --\w+/g) ?? [];
      const [asked, filed] = [
        commandsOf(await live('assess', ...NOW)),
        commandsOf(await headroom(['assess', '--from', out])),
      ];
      expect(asked.length).toBeGreaterThan(2);
      expect(asked.every((command) => command.endsWith('--region'))).toBe(true);
      expect(filed).toEqual(asked.map((command) => command.replace('--region', '--from')));
    },
    SECONDS,
  );

  test(
    'redacted, it says whose it is no more, and is assessed alike',
    async () => {
      const out = join(parent, 'redacted');
      expect(await live('observe', ...NOW, '--out', out, '--redact')).toMatchObject({ status: 0 });
      const text = readdirSync(out)
        .map((name) => readFileSync(join(out, name), 'utf8'))
        .join('\n');
      for (const theirs of ['111122223333', 'shop', 'subnet-00000000000000001', 'on-call'])
        expect(text).not.toContain(theirs);
      const numbers = ({ subnets, findings = [] }: HeadroomDocument) => ({
        free: subnets.map((subnet) => ('freePrefixes' in subnet ? [subnet.usedIps, subnet.freePrefixes] : [])),
        found: findings.map(({ code, severity }) => `${severity} ${code}`).sort(),
      });
      const redacted = said(await headroom(['assess', '--from', out, '--json']));
      expect(numbers(redacted)).toEqual(numbers(said(await live('assess', ...NOW, '--json'))));
    },
    SECONDS,
  );

  test(
    'a denied call makes its part unknown, names the permission, and gives status 3',
    async () => {
      simulator.fail({
        action: 'GetSubnetCidrReservations',
        code: 'UnauthorizedOperation',
        message: 'not allowed',
        times: ALWAYS,
      });
      const only = 'subnet-00000000000000005';
      const { status, stdout, stderr } = await live('assess', ...NOW, '--subnet', only);
      expect(status).toBe(3);
      expect(stdout).toMatch(/NOT READ\n.*ec2:GetSubnetCidrReservations/);
      expect(stderr).toMatch(/permission ec2:GetSubnetCidrReservations is missing/);
    },
    SECONDS,
  );

  test(
    'without subnets nothing can be said: one line, status 1, and no folder',
    async () => {
      simulator.fail({
        action: 'DescribeSubnets',
        code: 'UnauthorizedOperation',
        message: 'not allowed',
        times: ALWAYS,
      });
      const out = join(parent, 'snapshot');
      const { status, stdout, stderr } = await live('observe', '--out', out);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^headroom: .*ec2:DescribeSubnets/);
      expect(readdirSync(parent)).toEqual([]);
    },
    SECONDS,
  );

  test(
    'an interrupt leaves nothing behind',
    async () => {
      simulator.setLatency(300);
      const asked = simulator.calls.length;
      const child = startHeadroom(['observe', '--out', join(parent, 'snapshot')], { env: env() });
      while (simulator.calls.length < asked + 2) await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGINT');
      const [status] = (await once(child, 'close')) as [number | null];
      expect(status).toBe(130);
      expect(readdirSync(parent)).toEqual([]);
    },
    SECONDS,
  );

  test(
    'a folder that holds something is left as it is',
    async () => {
      const { status, stderr } = await live('observe', '--out', 'examples/sample-region');
      expect(status).toBe(1);
      expect(stderr).toMatch(/examples\/sample-region.*already/);
      expect(existsSync('examples/sample-region/subnets.json')).toBe(true);
    },
    SECONDS,
  );

  test(
    'explain reads only the VPC of the subnet',
    async () => {
      simulator.clearCalls();
      const { status, stdout } = await live('explain', 'subnet-00000000000000001', ...NOW);
      expect(status).toBe(2);
      expect(stdout).toContain('WHO BREAKS WHICH BLOCK');
      const asked = simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
      expect(asked.length).toBeGreaterThan(0);
      for (const { params } of asked) expect(Object.values(params)).toContain('vpc-00000000000000001');
    },
    SECONDS,
  );

  test(
    'a subnet that is not there: the closest that are',
    async () => {
      const { status, stderr } = await live('explain', 'subnet-0000000000000001');
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /there is no subnet subnet-0000000000000001; there are subnet-00000000000000001 \(shop-nodes-a\)/,
      );
    },
    SECONDS,
  );
});

test(
  'without credentials or a region: one line that says what to do',
  async () => {
    const home = { HOME: '/nonexistent', AWS_CONFIG_FILE: '/nonexistent', AWS_SHARED_CREDENTIALS_FILE: '/nonexistent' };
    const noRegion = await headroom(['assess'], { env: home });
    expect(noRegion).toMatchObject({ status: 1, stdout: '' });
    expect(noRegion.stderr).toMatch(/^headroom: .*region.*--region.*\n$/);
    const noCredentials = await headroom(['assess', '--region', 'us-east-1'], { env: home });
    expect(noCredentials).toMatchObject({ status: 1, stdout: '' });
    expect(noCredentials.stderr).toMatch(/^headroom: .*credentials.*\n$/);
  },
  SECONDS,
);
