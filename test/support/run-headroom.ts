import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../bin/headroom.js', import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Beside a small environment of our own: what the machine has set must not decide a test. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
  /** What standard input holds; without it, it is closed. */
  readonly input?: string;
}

/** Starts the command as a user does, in a process of its own, at the top of the repository. */
export function startHeadroom(args: readonly string[], { env = {}, node = [], input }: RunOptions = {}): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [...node, COMMAND, ...args], {
    cwd: REPOSITORY,
    env: { ...defined({ PATH, HOME, TMPDIR }), AWS_EC2_METADATA_DISABLED: 'true', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  return child;
}

export async function headroom(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startHeadroom(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { status, stdout, stderr };
}

function defined(record: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
