/** One request, from its text to its answer. */
import type { Call } from './actions/call.ts';
import { ACTIONS } from './actions/registry.ts';
import { answerEks, type EksRequest } from './eks.ts';
import type { Faults } from './faults.ts';
import { Refusal } from './refusal.ts';
import { type Answer, ec2Error, ec2Result, jsonError, jsonResult, stsError, stsResult } from './wire/answers.ts';
import { type Input, type Parameters, readInput } from './wire/query.ts';
import { type Operation, operationOf } from './wire/schema.ts';
import type { World } from './world/world.ts';

/** What came of a call. */
export interface Outcome {
  readonly answer: Answer;
  readonly refusal?: Refusal;
  /** Set for an EC2 call that could be read: what the trail is made of. */
  readonly ec2?: { readonly operation: Operation; readonly input: Input; readonly result: object };
}

export interface Dispatch {
  readonly world: World;
  readonly faults: Faults;
  readonly call: (action: string) => Call;
}

const STS_VERSION = '2011-06-15';

/** A call of a Query protocol: EC2, or STS by its version. */
export function dispatchQuery(dispatch: Dispatch, action: string, params: Parameters, requestId: string): Outcome {
  if (params.Version === STS_VERSION) return dispatchSts(dispatch, action, params, requestId);
  let read: { readonly operation: Operation; readonly input: Input } | undefined;
  let result: object = {};
  try {
    const answer = ACTIONS.get(action);
    const operation = answer === undefined ? undefined : operationOf(action);
    if (answer === undefined || operation === undefined) {
      throw new Refusal('InvalidAction', `The action ${action} is not valid for this web service.`);
    }
    const input = readInput(operation.input, params);
    read = { operation, input };
    // A throttled call is on the trail like any other that failed.
    dispatch.faults.checkRate(action);
    const failure = dispatch.faults.next(action, params, input);
    if (failure?.phase === 'before') throw failure.refusal;
    if (input.DryRun === true) {
      throw new Refusal('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', 412);
    }
    result = answer(input, dispatch.call(action));
    if (failure !== undefined) throw failure.refusal;
    return { answer: ec2Result(operation, result, requestId), ec2: { ...read, result } };
  } catch (error) {
    const refusal = refusalOf(error);
    return {
      answer: ec2Error(refusal, requestId),
      refusal,
      ...(read === undefined ? {} : { ec2: { ...read, result } }),
    };
  }
}

function dispatchSts(dispatch: Dispatch, action: string, params: Parameters, requestId: string): Outcome {
  try {
    failIfDue(dispatch, action, params);
    if (action !== 'GetCallerIdentity') {
      throw new Refusal('InvalidAction', `Could not find operation ${action} for version ${STS_VERSION}`);
    }
    const { account, services } = dispatch.world;
    const { Account, Arn, UserId } = services.caller;
    const fields = {
      Arn: String(Arn ?? `arn:aws:sts::${account}:assumed-role/simulated/session`),
      UserId: String(UserId ?? 'AROASIMULATED:session'),
      Account: String(Account ?? account),
    };
    return { answer: stsResult(action, fields, requestId) };
  } catch (error) {
    const refusal = refusalOf(error);
    return { answer: stsError(refusal, requestId), refusal };
  }
}

export function dispatchEks(dispatch: Dispatch, request: EksRequest, requestId: string): Outcome {
  try {
    failIfDue(dispatch, request.action, request.params);
    const { pageSize } = dispatch.call(request.action).quirks;
    return { answer: jsonResult(answerEks(dispatch.world, request, pageSize), requestId) };
  } catch (error) {
    const refusal = refusalOf(error);
    return { answer: jsonError(refusal, requestId), refusal };
  }
}

/** Reads have no effect, so before and after are the same to them. */
function failIfDue(dispatch: Dispatch, action: string, params: Parameters): void {
  dispatch.faults.checkRate(action);
  const failure = dispatch.faults.next(action, params, params);
  if (failure !== undefined) throw failure.refusal;
}

/** A mistake of the simulator's own looks like one of AWS's, so that no client waits for an answer that never comes. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('InternalError', error instanceof Error ? (error.stack ?? error.message) : String(error), 500);
}
