/** The server: HTTP on loopback around the dispatch, with a record of what was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Dispatch, dispatchEks, dispatchQuery, type Outcome } from './dispatch.ts';
import { type EksRequest, eksRequest } from './eks.ts';
import { ConnectionReset, Faults } from './faults.ts';
import { Holds } from './holds.ts';
import type { CallRecord, Simulator, SimulatorOptions, Staleness } from './options.ts';
import { isTraced, type TrailEvent, trailEvent } from './trail.ts';
import type { Parameters } from './wire/query.ts';
import { Random } from './world/random.ts';
import type { World } from './world/world.ts';

const LOOPBACK = '127.0.0.1';
/** A request body larger than this is no call that EC2 takes, bytes. */
const MAX_BODY = 4 * 1024 * 1024;

/** Calls and trail events that are kept; a simulator that runs for days forgets the oldest. */
const KEPT = 200_000;

/**
 * Starts serving a world on loopback.
 *
 * @throws Error `EADDRINUSE`: the port is taken.
 */
export async function startSimulator(world: World, options: SimulatorOptions = {}): Promise<Simulator> {
  prepare(world, options);
  const calls: CallRecord[] = [];
  const trail: TrailEvent[] = [];
  const faults = new Faults(() => world.clock());
  const holds = new Holds();
  if (options.throttle !== undefined) faults.throttle(options.throttle);
  let stale: Staleness | undefined = options.staleReads;
  let latencyMs = options.latencyMs ?? 0;
  let requests = 0;

  const { pageSize, emptyPageEvery, repeatAcrossPages } = options;
  const ageOf = (action: string): number =>
    stale === undefined || stale.actions?.includes(action) === false ? 0 : stale.ms;
  const dispatch: Dispatch = {
    world,
    faults,
    call: (action) => ({ world, ageMs: ageOf(action), quirks: { pageSize, emptyPageEvery, repeatAcrossPages } }),
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await read(request);
    if (latencyMs > 0) await delay(latencyMs);
    world.settle();
    const requestId = `00000000-0000-4000-8000-${(++requests).toString(16).padStart(12, '0')}`;
    const outcome =
      asked.eks === undefined
        ? dispatchQuery(dispatch, asked.action, asked.params, requestId)
        : dispatchEks(dispatch, asked.eks, requestId);
    const dropped = outcome.refusal instanceof ConnectionReset;
    calls.push({
      at: world.clock(),
      action: asked.action,
      params: asked.params,
      status: dropped ? 0 : outcome.answer.status,
      ...(outcome.refusal === undefined ? {} : { errorCode: outcome.refusal.code }),
    });
    const event = tracedEvent(world, outcome, requestId, request.headers['user-agent'] ?? '', requests);
    if (event !== undefined) trail.push(event);
    for (const record of [calls, trail]) if (record.length > KEPT) record.splice(0, record.length - KEPT);
    await holds.wait(asked.action, asked.params);
    if (dropped) request.socket.destroy();
    else answer(response, outcome);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, LOOPBACK, () => resolve());
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${LOOPBACK}:${port}`,
    port,
    world,
    calls,
    trail,
    fail: (spec) => faults.arm(spec),
    clearFailures: () => faults.disarm(),
    hold: (spec) => holds.arm(spec),
    setThrottle: (throttle, action) => faults.throttle(throttle, action),
    setStale: (ms, actions) => {
      stale = actions === undefined ? { ms } : { ms, actions };
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    clearCalls: () => {
      calls.length = 0;
      trail.length = 0;
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
        holds.releaseAll();
      }),
  };
}

/** Options override what the world was made with. What it holds at the start has always been there. */
function prepare(world: World, options: SimulatorOptions): void {
  if (options.now !== undefined) world.clock = options.now;
  if (options.account !== undefined) world.account = options.account;
  if (options.region !== undefined) world.region = options.region;
  if (options.seed !== undefined) world.random = new Random(options.seed);
  if (options.rules !== undefined) world.setRules(options.rules);
  world.forgetPast();
}

interface Asked {
  readonly action: string;
  readonly params: Parameters;
  readonly eks?: EksRequest;
}

async function read(request: IncomingMessage): Promise<Asked> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error(`request body over ${MAX_BODY} bytes`);
    chunks.push(chunk);
  }
  const eks = request.method === 'GET' ? eksRequest(url) : undefined;
  if (eks !== undefined) return { action: eks.action, params: eks.params, eks };
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const params = { ...Object.fromEntries(url.searchParams), ...Object.fromEntries(form) };
  return { action: params.Action ?? '', params };
}

function tracedEvent(
  world: World,
  outcome: Outcome,
  requestId: string,
  userAgent: string,
  number: number,
): TrailEvent | undefined {
  if (outcome.ec2 === undefined || !isTraced(outcome.ec2.operation.name)) return undefined;
  const { operation, input, result } = outcome.ec2;
  return trailEvent(world, { operation, input, result, requestId, userAgent, number }, outcome.refusal);
}

function answer(response: ServerResponse, outcome: Outcome): void {
  const body = Buffer.from(outcome.answer.body);
  response.writeHead(outcome.answer.status, { ...outcome.answer.headers, 'content-length': body.length });
  response.end(body);
}
