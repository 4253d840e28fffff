import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { writeSample } from '../../bin/demo/write-sample.ts';
import { plainPen } from '../support/plain-pen.ts';
import { headroom, type Ran } from '../support/run-headroom.ts';

/** Answers that came side by side stand in a file in the order in which they came. */
function inAnyOrder(document: unknown): unknown {
  return Array.isArray(document) ? document.map((answer) => JSON.stringify(answer)).sort() : document;
}

const SECONDS = 60_000;
const SAMPLE = 'examples/sample-region';

describe('the demo', () => {
  let ran: Ran;
  // What the user's machine has set for real regions must not lead the demo there, nor stop it.
  const env = { AWS_PROFILE: 'no-such-profile', AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_REGION: 'us-west-2' };
  beforeAll(async () => {
    ran = await headroom(['demo'], { env });
  }, SECONDS);

  test('ends well, with nothing on stderr', () => expect(ran).toMatchObject({ status: 0, stderr: '' }));

  test('is one page: at most 70 lines of at most 100 columns', () => {
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(70);
    expect(lines.filter((line) => plainPen.width(line) > 100)).toEqual([]);
  });

  test('shows hundreds of addresses that EC2 calls available, no whole /28, and who breaks one', () => {
    const [, available] = /: (\d+) of 507 addresses available/.exec(ran.stdout) ?? [];
    expect(Number(available)).toBeGreaterThan(200);
    expect(ran.stdout).toMatch(/critical PREFIX_EXHAUSTED/);
    expect(ran.stdout).toMatch(/blocks? (is|are) broken by one interface alone/);
    expect(ran.stdout).not.toMatch(/^ {2}\. +\d+ free/m);
  });

  test('also finds what was left behind, and the subnet that stands by', () => {
    expect(ran.stdout).toMatch(/warning +LEAKED_ENI +batch-nodes-b/);
    expect(ran.stdout).toMatch(/STANDBY_CANDIDATE +shop-nodes-a/);
  });

  test(
    'every command it offers on the sample works as it is typed',
    async () => {
      const commands = [...ran.stdout.matchAll(/npm run -s headroom -- (.*--from .*)$/gm)].map(
        ([, words]) => words as string,
      );
      expect(commands).toHaveLength(2);
      for (const command of commands) {
        const { status, stdout } = await headroom(command.split(' '));
        expect({ command, status }).toEqual({ command, status: 2 });
        expect(stdout).toContain('PREFIX_EXHAUSTED');
      }
    },
    SECONDS,
  );

  test('the README shows the same drawing', () => {
    const drawing = (text: string) => text.split('\n').filter((line) => /^10\.0\.[01]\.0 /.test(line));
    expect(drawing(ran.stdout)).toHaveLength(2);
    expect(drawing(readFileSync('README.md', 'utf8'))).toEqual(drawing(ran.stdout));
  });
});

test(
  `${SAMPLE} is what \`npm run sample\` writes`,
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'headroom-sample-'));
    try {
      const folder = join(parent, 'sample');
      await writeSample(folder);
      const contents = (at: string) =>
        readdirSync(at)
          .sort()
          .map((name) => [name, inAnyOrder(JSON.parse(readFileSync(join(at, name), 'utf8')))]);
      expect(contents(SAMPLE)).toEqual(contents(folder));
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  },
  SECONDS,
);

describe('the README', () => {
  const text = readFileSync('README.md', 'utf8');

  test('links to nothing that is not there', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path as string);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });

  test(
    'lists the verbs that there are',
    async () => {
      const { stdout } = await headroom(['--help']);
      const offered = [...stdout.matchAll(/^ {2}headroom ([a-z-]+)/gm)].map(([, verb]) => verb as string);
      const listed = [...text.matchAll(/^\| `([a-z-]+)[^|]*\|/gm)].map(([, verb]) => verb as string);
      expect(listed.sort()).toEqual(offered.sort());
    },
    SECONDS,
  );
});
