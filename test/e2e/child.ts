import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What to start, where its output goes, and with which environment. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the process: nothing is inherited that is not in here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** A file that takes stdout and stderr, made anew. */
  readonly logFile: string;
}

/** A process of ours and all that it starts. */
export interface Child {
  readonly pid: number;
  readonly logFile: string;
  /** The exit status once it has ended (128 + signal number is not imitated: a signal gives -1), else undefined. */
  readonly exitCode: () => number | undefined;
  readonly ended: Promise<number>;
  readonly log: () => string;
  /** Ends the whole process group, at first politely; resolves when the process is gone. Harmless when it is gone already. */
  readonly stop: () => Promise<void>;
}

/** Milliseconds between SIGTERM and SIGKILL: the emulators need well under a second to end their workers. */
const GRACE_MS = 5_000;

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group is gone already, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

const whenEnded = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? -1));
    child.once('error', () => resolve(-1));
  });

/** Starts a process in a group of its own, so that whatever it starts ends with it. Throws where the command does not exist. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'w');
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  let exitCode: number | undefined;
  const ended = whenEnded(child).then((code) => {
    exitCode = code;
    return code;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${options.command} has no process id`);
  return {
    pid,
    logFile: options.logFile,
    exitCode: () => exitCode,
    ended,
    log: () => readFileSync(options.logFile, 'utf8'),
    stop: async () => {
      signalGroup(pid, 'SIGTERM');
      const hard = setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS);
      await ended;
      clearTimeout(hard);
      // The leader is gone; a straggler it started may not be.
      signalGroup(pid, 'SIGKILL');
    },
  };
};

/** Runs a command to its end and gives its output; stops its process group and throws where it takes longer than `timeoutMs`. */
export const runChild = async (
  options: ChildOptions & { readonly timeoutMs: number },
): Promise<{ readonly exitCode: number; readonly output: string }> => {
  const child = await startChild(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), options.timeoutMs);
  });
  const outcome = await Promise.race([child.ended, late]);
  clearTimeout(timer);
  if (outcome !== 'late') return { exitCode: outcome, output: child.log() };
  await child.stop();
  const what = [options.command, ...options.args].join(' ');
  throw new Error(`${what} was stopped after ${options.timeoutMs} ms; its output:\n${child.log().slice(-4_000)}`);
};
