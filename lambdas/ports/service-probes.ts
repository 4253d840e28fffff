import { HeadroomError } from '../contract/headroom-error.ts';
import type { AlarmFacts, FunctionFacts, RuleFacts } from '../core/doctor/judge.ts';
import type { TopicFacts, TrailFacts } from '../core/publish/service-findings.ts';
import type { RegionFacts } from '../core/subnet/snapshot.ts';

/** What the doctor looks at. Each rejects with {@link ProbeFailure} where it could not. */
export interface ServiceProbes {
  trails(): Promise<readonly TrailFacts[]>;
  /** Topics of alarms. */
  alarmTopics(): Promise<readonly TopicFacts[]>;
  /** Topics of messages. */
  messageTopics(): Promise<readonly TopicFacts[]>;
  /** What is wrong with the webhook in the secret; `undefined`: nothing. */
  webhookProblem(): Promise<string | undefined>;
  keyPolicy(): Promise<string>;
  functions(): Promise<readonly FunctionFacts[]>;
  rules(): Promise<readonly RuleFacts[]>;
  alarms(): Promise<readonly AlarmFacts[]>;
  /** Epoch milliseconds of the newest snapshot, and its facts; `undefined`: there is none. */
  snapshot(): Promise<{ readonly at: number; readonly facts: RegionFacts } | undefined>;
}

/** Something could not be looked at. */
export class ProbeFailure extends HeadroomError {
  override readonly name = 'ProbeFailure';
  readonly code = 'PROBE_FAILED';
  readonly retryable = true;
  /** The IAM action that is missing, when the call was denied. */
  readonly permission?: string;

  constructor(message: string, permission?: string) {
    super(message);
    if (permission !== undefined) this.permission = permission;
  }
}
