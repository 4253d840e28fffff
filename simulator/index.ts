/** The EC2 simulator: real addresses behind the EC2 Query protocol, for tests, for the demo, and by hand. Spec: docs/simulator.md. */
export type { FailureSpec, Phase, Throttle } from './faults.ts';
export type { Hold, HoldSpec } from './holds.ts';
export type { CallRecord, Simulator, SimulatorOptions, Staleness } from './options.ts';
export { Refusal } from './refusal.ts';
export { type RunOptions, runSimulator } from './run.ts';
export { startSimulator } from './server.ts';
export type { TrailDetail, TrailEvent } from './trail.ts';
export { LoadError, loadWorld } from './world/load.ts';
export type { Rules } from './world/rules.ts';
export type { NetworkInterface, Subnet, SubnetCidrReservation } from './world/stored.ts';
export type { SyntheticSpec } from './world/synthetic.ts';
export { World, type WorldOptions } from './world/world.ts';
