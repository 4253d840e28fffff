import { join } from 'node:path';
import { startChild } from '../e2e/child.ts';
import { CACHE, venvProgram } from '../e2e/paths.ts';
import { waitFor } from '../e2e/wait-for.ts';

/** moto's account: all zeros, as MiniStack's, so that ARNs agree between the emulators. */
export const MOTO_ACCOUNT_ID = '000000000000';

/** A running moto server with empty state. */
export interface Moto {
  /** `http://127.0.0.1:<port>`, to be given as `endpoint` to any SDK client. */
  readonly url: string;
  readonly logFile: string;
  readonly stop: () => Promise<void>;
}

/** Milliseconds until moto must listen: about 2 s of imports on a quiet machine. */
const START_MS = 60_000;

/** Starts moto on loopback, on a port that the system chooses. Throws with its log where it does not come up. */
export const startMoto = async (): Promise<Moto> => {
  const child = await startChild({
    command: venvProgram('moto_server'),
    args: ['-H', '127.0.0.1', '-p', '0'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, MOTO_ACCOUNT_ID, PYTHONUNBUFFERED: '1' },
    logFile: join(CACHE, `moto-${process.pid}-${Date.now()}.log`),
  });
  try {
    const url = await waitFor(
      () => {
        if (child.exitCode() !== undefined) return 'ended';
        return /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(child.log())?.[1];
      },
      { what: 'moto to listen', timeoutMs: START_MS, everyMs: 50 },
    );
    if (url === 'ended') throw new Error('moto ended at once');
    return { url, logFile: child.logFile, stop: child.stop };
  } catch (error) {
    await child.stop();
    throw new Error(`moto did not start; its log:\n${child.log().slice(-4_000)}`, { cause: error });
  }
};
