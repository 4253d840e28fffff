/** What ends a reading: one clear error, with what to do about it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { openRegion } from '../../../lambdas/adapters/live/open-region.ts';
import type { RegionOptions } from '../../../lambdas/adapters/live/options.ts';
import { startSimulator, World } from '../../../simulator/index.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { fourVpcs } from './ground.ts';

const FOREVER = { action: 'DescribeSubnets', times: Number.POSITIVE_INFINITY };

test.each([
  ['UnauthorizedOperation', 403, 'DENIED', /ec2:DescribeSubnets was denied in us-east-1/, /Allow ec2:DescribeSubnets/],
  ['RequestExpired', 400, 'CREDENTIALS_EXPIRED', /have expired/, /aws sso login/],
  ['ExpiredToken', 400, 'CREDENTIALS_EXPIRED', /have expired/, /aws sso login/],
  ['AuthFailure', 401, 'CREDENTIALS_REJECTED', /does not accept the credentials in us-east-1/, /region enabled/],
  ['RequestLimitExceeded', 503, 'THROTTLED', /throttled/, /later/],
  ['InternalError', 500, 'AWS_FAILED', /DescribeSubnets failed in us-east-1: InternalError/, undefined],
])('%s for the subnets: %i is %s', async (code, httpStatus, expected, message, remedy) => {
  const simulator = await serve(fourVpcs().world);
  simulator.fail({ ...FOREVER, code, httpStatus });
  const error = await liveRegion(simulator, { attempts: 1 })
    .facts()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ReadError', code: expected, message: expect.stringMatching(message) });
  expect((error as { readonly remedy?: string }).remedy).toEqual(
    remedy === undefined ? undefined : expect.stringMatching(remedy),
  );
  expect((error as Error).cause).toBeInstanceOf(Error);
});

/** In a process of its own: jest's sandbox makes the SDK take Node's connection errors for something that is no Error. */
test('nobody listens at the endpoint', async () => {
  const simulator = await startSimulator(new World({ seed: 1 }));
  await simulator.close();
  const module = join(import.meta.dirname, '../../../lambdas/adapters/live/open-region.ts');
  const program = `
    const { openRegion } = await import(${JSON.stringify(module)});
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    const options = { region: 'us-east-1', endpoint: ${JSON.stringify(simulator.url)}, credentials, now: 0, attempts: 1 };
    await openRegion(options).facts().catch(({ code, retryable, message, remedy }) => {
      console.log(JSON.stringify({ code, retryable, message, remedy }));
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual({
    code: 'UNREACHABLE',
    retryable: true,
    message: `No answer from AWS in us-east-1: connect ECONNREFUSED 127.0.0.1:${simulator.port}`,
    remedy: expect.stringMatching(/AWS_ENDPOINT_URL/),
  });
});

test('a region with no subnet has nothing to say', async () => {
  const simulator = await serve(new World({ seed: 1 }));
  await expect(liveRegion(simulator).facts()).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no subnet in us-east-1.',
  });
});

test.each([
  [{ subnetIds: ['subnet-0bad0bad0bad0bad0'] }, 'There is no subnet subnet-0bad0bad0bad0bad0 in us-east-1.'],
  [{ vpcIds: ['vpc-0bad0bad0bad0bad0'] }, 'There is no subnet in vpc-0bad0bad0bad0bad0 in us-east-1.'],
])('a scope that nobody knows: %j', async (scope, message) => {
  const simulator = await serve(fourVpcs().world);
  await expect(liveRegion(simulator, { scope }).facts()).rejects.toMatchObject({ code: 'NOT_FOUND', message });
});

test('one unknown VPC of two is a failure beside the other', async () => {
  const { world, vpcs } = fourVpcs();
  const scope = { vpcIds: [vpcs[0] as string, 'vpc-0bad0bad0bad0bad0'] };
  const facts = await liveRegion(await serve(world), { scope }).facts();
  expect(facts.subnets).toHaveLength(2);
  expect(facts.failures).toMatchObject([
    {
      input: 'subnets',
      code: 'NOT_FOUND',
      subnetIds: [],
      message: 'There is no subnet in vpc-0bad0bad0bad0bad0 in us-east-1.',
    },
  ]);
});

/** Runs with an environment of its own, since the SDK reads the real one. */
async function withEnvironment<T>(changes: Record<string, string | undefined>, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) process.env[name] = value;
  try {
    return await run();
  } finally {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** No profile, no instance metadata: a machine that knows nothing of AWS. */
const BARE = {
  AWS_CONFIG_FILE: '/nonexistent/config',
  AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/credentials',
  AWS_EC2_METADATA_DISABLED: 'true',
};

test('no region anywhere', async () => {
  const options: RegionOptions = { now: 0 };
  await withEnvironment(BARE, async () => {
    await expect(openRegion(options).facts()).rejects.toMatchObject({
      code: 'NO_REGION',
      remedy: expect.stringMatching(/--region/),
    });
  });
});

test('no credentials anywhere', async () => {
  const simulator = await serve(fourVpcs().world);
  await withEnvironment(BARE, async () => {
    const source = openRegion({ region: 'us-east-1', endpoint: simulator.url, now: 0 });
    await expect(source.facts()).rejects.toMatchObject({
      code: 'NO_CREDENTIALS',
      remedy: expect.stringMatching(/aws sso login/),
    });
  });
  expect(simulator.calls).toEqual([]);
});

test('endpoints come from the environment as in every AWS tool', async () => {
  const { world, subnets } = fourVpcs();
  const simulator = await serve(world);
  const environment = {
    ...BARE,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'simulated',
    AWS_SECRET_ACCESS_KEY: 'simulated',
    AWS_ENDPOINT_URL: simulator.url,
  };
  const facts = await withEnvironment(environment, () => openRegion({ now: 0 }).facts());
  expect(facts).toMatchObject({ region: 'us-east-1', account: world.account, failures: [] });
  expect(facts.subnets).toHaveLength(subnets.length);
});

test.each([
  [{ concurrency: 0 }, /in flight/],
  [{ concurrency: 9 }, /in flight/],
  [{ concurrency: 1.5 }, /in flight/],
  [{ apiShare: 0 }, /share/],
  [{ apiShare: 1.01 }, /share/],
  [{ apiShare: Number.NaN }, /share/],
])('options out of range: %j', async (options, message) => {
  const simulator = await serve(fourVpcs().world);
  await expect(liveRegion(simulator, options).facts()).rejects.toMatchObject({
    code: 'BAD_OPTION',
    message: expect.stringMatching(message),
  });
});
