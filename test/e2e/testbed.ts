import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, runChild, startChild } from './child.ts';
import { type Clients, makeClients } from './clients.ts';
import { CACHE, pathWithOwnNode, ROOT, venvProgram } from './paths.ts';
import type { RecordedCall } from './recorder/call.ts';
import { type Interceptor, startRecorder } from './recorder/proxy.ts';
import { waitFor } from './wait-for.ts';

/** The emulators' account; the region is the one they are best tried in. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** What the testbed is to be like. */
export interface TestbedOptions {
  /** MiniStack as it comes, without the launcher: to see whether its gaps are still there. */
  readonly plain?: boolean;
  /** The endpoint of the EC2 simulator; MiniStack's stub of EC2 where left out. */
  readonly ec2Endpoint?: string;
  /**
   * Seconds that stand for a minute of AWS, for `rate(...)` schedules, for alarm periods and evaluations, and for the pauses
   * between the tries of an asynchronous run; 5 if left out.
   * Nothing else is scaled: cron, queue delays, visibility and function timeouts, and what a function itself measures.
   */
  readonly minuteSeconds?: number;
  /** Further environment of the functions. */
  readonly functionEnv?: Readonly<Record<string, string>>;
}

/** A running cloud: MiniStack with the launcher's mends, and a recorder between it and the functions. */
export interface Testbed {
  /** MiniStack itself. The functions use the recorder's endpoint instead. */
  readonly endpoint: string;
  readonly minuteMs: number;
  /** The environment in which the CDK, the CLI and anything else that uses an SDK reach the testbed. */
  readonly env: Readonly<Record<string, string>>;
  readonly clients: Clients;
  /** Every AWS call that a function made, in order. Calls of the tests and of the CDK are not among them. */
  readonly recordedCalls: () => readonly RecordedCall[];
  readonly forgetCalls: () => void;
  /** Has `interceptor` see each call of a function before AWS does, and answer it; gives a function that ends that. */
  readonly intercept: (interceptor: Interceptor) => () => void;
  /** Runs the CDK CLI; gives its output, and throws where it fails or takes longer than `timeoutMs`. */
  readonly cdk: (args: readonly string[], options: CdkOptions) => Promise<string>;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** How to run the CDK CLI. */
export interface CdkOptions {
  /** A deploy to an emulator can hang for ever. */
  readonly timeoutMs: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Milliseconds until MiniStack must answer: 2 s on a quiet machine. */
const START_MS = 60_000;

/** Times another port is tried where the one chosen was taken in between. */
const START_TRIES = 3;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const isHealthy = async (endpoint: string): Promise<boolean> => {
  const response = await fetch(`${endpoint}/_ministack/health`, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
  return response.ok;
};

const MENDED = [join(ROOT, 'test', 'e2e', 'ministack_launcher.py')];
const PLAIN = ['-m', 'ministack'];

interface Directories {
  /** Logs, kept for whoever looks into a failure. */
  readonly logs: string;
  /**
   * MiniStack's files, the unpacked functions among them. Outside the repository, since below it a function would find
   * the repository's node_modules, which it does not have on AWS.
   */
  readonly scratch: string;
}

const startMiniStack = async (
  port: number,
  directories: Directories,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Child> => {
  const child = await startChild({
    command: venvProgram('python'),
    args,
    // The functions inherit all of this environment.
    env: {
      ...env,
      GATEWAY_PORT: String(port),
      BIND_HOST: '127.0.0.1',
      IOT_MTLS_ENABLED: '0',
      TMPDIR: directories.scratch,
      HOME: directories.scratch,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
    cwd: directories.scratch,
    logFile: join(directories.logs, 'ministack.log'),
  });
  const ready = await waitFor(
    async () => {
      if (child.exitCode() !== undefined) return 'ended';
      return (await isHealthy(`http://127.0.0.1:${port}`)) ? 'ready' : undefined;
    },
    { what: 'MiniStack to answer', timeoutMs: START_MS, everyMs: 100 },
  ).catch(async (error: unknown) => {
    await child.stop();
    throw new Error(`MiniStack did not start; its log:\n${child.log().slice(-4_000)}`, { cause: error });
  });
  if (ready === 'ended') throw new Error(`MiniStack ended at once; its log:\n${child.log().slice(-4_000)}`);
  return child;
};

/** Starts a fresh cloud on loopback. Needs test/e2e/install.sh to have run. Whoever starts it stops it. */
export const startTestbed = async (options: TestbedOptions = {}): Promise<Testbed> => {
  const minuteSeconds = options.minuteSeconds ?? 5;
  mkdirSync(CACHE, { recursive: true });
  const directories: Directories = {
    logs: mkdtempSync(join(CACHE, 'run-')),
    scratch: mkdtempSync(join(tmpdir(), 'headroom-e2e-')),
  };
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: REGION };

  const start = async (
    triesLeft: number,
  ): Promise<{ child: Child; recorder: Awaited<ReturnType<typeof startRecorder>>; endpoint: string }> => {
    const port = await freePort();
    const endpoint = `http://127.0.0.1:${port}`;
    const recorder = await startRecorder({ emulator: endpoint, ec2: options.ec2Endpoint });
    try {
      const child = await startMiniStack(port, directories, options.plain ? PLAIN : MENDED, {
        PATH: pathWithOwnNode(),
        ...credentials,
        TESTBED_MINUTE_SECONDS: String(minuteSeconds),
        // AWS waits a minute before the second try of an asynchronous run, and two before the third.
        LAMBDA_ASYNC_RETRY_BASE_SECONDS: String(minuteSeconds),
        // A function sees MiniStack's own environment below its own variables: so its SDK finds the recorder.
        AWS_ENDPOINT_URL: recorder.url,
        AWS_ENDPOINT_URL_EC2: recorder.url,
        ...options.functionEnv,
      });
      return { child, recorder, endpoint };
    } catch (error) {
      await recorder.stop();
      if (triesLeft > 1 && /already in use/.test(String(error))) return start(triesLeft - 1);
      throw error;
    }
  };

  const { child, recorder, endpoint } = await start(START_TRIES).catch((error: unknown) => {
    rmSync(directories.scratch, { recursive: true, force: true });
    throw error;
  });
  const ec2Endpoint = options.ec2Endpoint ?? endpoint;
  const clients = makeClients(REGION, endpoint, ec2Endpoint);
  const env: Record<string, string> = {
    PATH: pathWithOwnNode(),
    HOME: directories.scratch,
    TMPDIR: directories.scratch,
    ...credentials,
    AWS_DEFAULT_REGION: REGION,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_EC2: ec2Endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  let cdkRuns = 0;

  return {
    endpoint,
    minuteMs: minuteSeconds * 1_000,
    env,
    clients,
    recordedCalls: recorder.calls,
    forgetCalls: recorder.clear,
    intercept: recorder.intercept,
    cdk: async (args, { timeoutMs, env: more }) => {
      cdkRuns += 1;
      const { exitCode, output } = await runChild({
        command: 'node',
        args: [join(ROOT, 'node_modules', 'aws-cdk', 'bin', 'cdk'), '--no-notices', ...args],
        env: {
          ...env,
          CDK_DEFAULT_ACCOUNT: ACCOUNT,
          CDK_DEFAULT_REGION: REGION,
          CDK_DISABLE_CLI_TELEMETRY: 'true',
          CI: 'true',
          ...more,
        },
        cwd: ROOT,
        logFile: join(directories.logs, `cdk-${cdkRuns}-${args[0] ?? ''}.log`),
        timeoutMs,
      });
      if (exitCode !== 0) throw new Error(`cdk ${args.join(' ')} gave ${exitCode}:\n${output.slice(-6_000)}`);
      return output;
    },
    log: child.log,
    stop: async () => {
      for (const client of Object.values(clients)) client.destroy();
      await child.stop();
      await recorder.stop();
      rmSync(directories.scratch, { recursive: true, force: true });
    },
  };
};
