import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { headroom, startHeadroom } from '../support/run-headroom.ts';
import { withFolder } from '../support/temp-folder.ts';

const at = (name: string) => ['--from', `test/cases/${name}`] as const;

/** Each test starts the command itself, which takes a second where the machine is busy. */
const SECONDS = 60_000;

describe('exit status', () => {
  test.each([
    ['nothing critical', ['assess', ...at('c01-frag-23-377-free')], 0],
    ['warnings where those count', ['assess', ...at('c01-frag-23-377-free'), '--fail-on', 'warning'], 2],
    ['something critical', ['assess', ...at('c10-most-ips-but-no-prefix')], 2],
    [
      'something critical, on the subnet that is explained',
      ['explain', 'subnet-00100000000000001', ...at('c10-most-ips-but-no-prefix')],
      2,
    ],
    ['no interfaces, nothing critical', ['assess', ...at('c03-create-eni-invalidparameter-650-free')], 3],
    ['no interfaces, yet something critical', ['assess', ...at('c08-one-az-exhausted')], 2],
    ['a folder that is not there', ['assess', '--from', 'test/cases/none'], 1],
    ['help', ['--help'], 0],
    ['help of a verb', ['assess', '--help'], 0],
    ['no verb', [], 1],
  ] as const)(
    '%s: %j gives %i',
    async (_name, args, status) => {
      expect((await headroom(args)).status).toBe(status);
    },
    SECONDS,
  );
});

test(
  'the version is that of the package',
  async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await headroom(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  },
  SECONDS,
);

test(
  'the result is all of stdout and nothing of stderr',
  async () => {
    const { stdout, stderr } = await headroom(['assess', ...at('c01-frag-23-377-free'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, source: { kind: 'files' } });
    expect(stderr).toBe('');
  },
  SECONDS,
);

test(
  'what is missing is said on stderr too, beside a whole document on stdout',
  async () => {
    const { stdout, stderr } = await headroom(['assess', ...at('c03-create-eni-invalidparameter-650-free'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ source: { absent: expect.arrayContaining(['network-interfaces']) } });
    expect(stderr).toBe('headroom: network-interfaces*.json is missing: counts only\n');
  },
  SECONDS,
);

test(
  'no colour where stdout is no terminal; forced, it never replaces a sign',
  async () => {
    const plain = await headroom(['explain', 'subnet-00010000000000001', ...at('c01-frag-23-377-free')]);
    expect(plain.stdout).not.toContain('\u001b');
    const forced = await headroom(['explain', 'subnet-00010000000000001', ...at('c01-frag-23-377-free')], {
      env: { FORCE_COLOR: '1' },
    });
    expect(stripVTControlCharacters(forced.stdout)).toBe(plain.stdout);
    expect(forced.stdout).not.toBe(plain.stdout);
  },
  SECONDS,
);

test(
  'a reader that goes away is no error',
  async () => {
    const child = startHeadroom(['assess', ...at('c14-leaked-enis-200'), '--json', '--all']);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout?.destroy();
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
  SECONDS,
);

test(
  'assessing a folder loads neither the AWS SDK nor the schema library',
  async () => {
    await withFolder({}, async (folder) => {
      const list = `${folder}/modules.txt`;
      const recorder = new URL('../support/record-modules.js', import.meta.url).href;
      const { status } = await headroom(['assess', ...at('c01-frag-23-377-free'), '--json'], {
        node: ['--import', recorder],
        env: { MODULE_LIST: list },
      });
      const modules = (await readFile(list, 'utf8')).split('\n');
      expect(status).toBe(0);
      expect(modules.some((url) => url.includes('/lambdas/core/assess/'))).toBe(true);
      expect(modules.filter((url) => /node_modules\/(@aws-sdk|@smithy|zod|yaml)\//.test(url))).toEqual([]);
    });
  },
  SECONDS,
);
