/** `npm run simulator`: serves an empty region or a folder until it is interrupted. */
import { startSimulator } from './server.ts';
import { LoadError, loadWorld } from './world/load.ts';
import { World } from './world/world.ts';

export interface RunOptions {
  /** 0 for any free port. */
  readonly port?: number;
  /** A folder of `describe-*` JSON. */
  readonly from?: string;
  readonly pageSize?: number;
  readonly seed?: number;
  readonly region?: string;
  readonly account?: string;
}

/** Where lines go, and what ends the run: SIGINT or SIGTERM unless a test brings its own. */
export interface RunHost {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly stopped: Promise<void>;
}

/**
 * Serves until stopped; prints the address and the environment that sends the AWS CLI and SDKs there, a line each.
 *
 * @returns the exit status: 0 when stopped; 1 with one line on stderr: a busy port, a folder that cannot be served.
 */
export async function runSimulator(options: RunOptions, host: RunHost = processHost()): Promise<number> {
  try {
    const { from, ...rest } = options;
    const identity = {
      ...(rest.region === undefined ? {} : { region: rest.region }),
      ...(rest.account === undefined ? {} : { account: rest.account }),
      ...(rest.seed === undefined ? {} : { seed: rest.seed }),
    };
    const world = from === undefined ? new World(identity) : await loadWorld(from, identity);
    const simulator = await startSimulator(world, rest);
    host.out(simulator.url);
    for (const service of ['EC2', 'EKS', 'STS']) host.out(`AWS_ENDPOINT_URL_${service}=${simulator.url}`);
    for (const line of environment(world.region)) host.out(line);
    await host.stopped;
    await simulator.close();
    return 0;
  } catch (error) {
    const message = reasonOf(error, options);
    if (message === undefined) throw error;
    host.err(message);
    return 1;
  }
}

/** Credentials that sign and open nothing. */
function environment(region: string): string[] {
  return [`AWS_REGION=${region}`, 'AWS_ACCESS_KEY_ID=simulated', 'AWS_SECRET_ACCESS_KEY=simulated'];
}

function reasonOf(error: unknown, options: RunOptions): string | undefined {
  if (error instanceof LoadError) return error.message;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${options.port} is in use: choose another with --port, or 0 for any`;
  if (code === 'EACCES') return `port ${options.port} may not be opened by this user: choose one above 1023`;
  return code === 'ERR_SOCKET_BAD_PORT' ? `port ${options.port} is none: 0 to 65535` : undefined;
}

function processHost(): RunHost {
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    stopped: new Promise((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    }),
  };
}
