import { awsCode, awsMessage } from '../aws-error.ts';

/** What a request carries to be shown the resources that a service manages; without it Auto Mode's may be left out of the answer. */
export type ManagedFlag = { readonly IncludeManagedResources?: true };

/** An endpoint that is older than the parameter says it does not know it. Codes for a bad parameter are many, so the parameter's name decides. */
function refusesParameter(error: unknown): boolean {
  return awsCode(error) === 'UnknownParameter' || awsMessage(error).includes('IncludeManagedResources');
}

/** Asks with the flag until that is refused, without it from then on, and remembers which. */
export class ManagedResources {
  included = true;

  async ask<T>(call: (flag: ManagedFlag) => Promise<T>): Promise<T> {
    if (this.included) {
      try {
        return await call({ IncludeManagedResources: true });
      } catch (error) {
        if (!refusesParameter(error)) throw error;
        this.included = false;
      }
    }
    return call({});
  }
}
