/** Real SDK clients that talk to a simulator, closed with the test that made them. */

import { EC2Client, type EC2ClientConfig } from '@aws-sdk/client-ec2';
import { EKSClient } from '@aws-sdk/client-eks';
import { STSClient } from '@aws-sdk/client-sts';
import { afterEach } from '@jest/globals';
import { type Simulator, type SimulatorOptions, startSimulator, World } from '../../simulator/index.ts';

const open: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** Serves a world until the test ends. */
export async function serve(world: World, options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator(world, options);
  open.push(() => simulator.close());
  return simulator;
}

/** One attempt a call: a test wants to see each error. */
export function ec2Client(simulator: Simulator, config: EC2ClientConfig = {}): EC2Client {
  const client = new EC2Client({ ...connection(simulator), ...config });
  open.push(() => client.destroy());
  return client;
}

export function eksClient(simulator: Simulator): EKSClient {
  const client = new EKSClient(connection(simulator));
  open.push(() => client.destroy());
  return client;
}

export function stsClient(simulator: Simulator): STSClient {
  const client = new STSClient(connection(simulator));
  open.push(() => client.destroy());
  return client;
}

function connection(simulator: Simulator) {
  return {
    endpoint: simulator.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
  };
}

export interface Ground {
  readonly world: World;
  readonly vpcId: string;
  readonly subnetId: string;
}

/** A VPC 10.0.0.0/16 with one subnet, 10.0.1.0/24 unless said otherwise, in us-east-1a. */
export function oneSubnet(cidr = '10.0.1.0/24', seed = 1): Ground {
  const world = new World({ seed, now: () => NOON });
  const vpcId = idOf(world.addVpc({ cidr: '10.0.0.0/16' }).VpcId);
  const subnetId = idOf(world.addSubnet({ vpcId, cidr, zone: 'us-east-1a' }).SubnetId);
  return { world, vpcId, subnetId };
}

/** 2026-11-30T12:00:00Z. */
export const NOON = Date.UTC(2026, 10, 30, 12);

/** An id that must be there. */
export function idOf(id: string | undefined): string {
  if (id === undefined) throw new Error('an id was expected');
  return id;
}

/** The error that a call ends with, as the SDK tells it. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<{ readonly name: string; readonly message: string; readonly status: number | undefined }> {
  try {
    await promise;
  } catch (error) {
    if (!(error instanceof Error)) throw new Error('thrown without an Error', { cause: error });
    const metadata = (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata;
    return { name: error.name, message: error.message, status: metadata?.httpStatusCode };
  }
  throw new Error('the call was expected to fail');
}
