import type { DocumentPlan, HeadroomDocument } from '../../../lambdas/contract/document.ts';
import { headroom, type Ran } from '../../support/run-headroom.ts';
import { REGION } from '../testbed.ts';

const ROUTE = new URL('route-function-urls.ts', import.meta.url).href;

/** What a verb did, and the plan that it printed. */
export interface Answered extends Ran {
  readonly plan: DocumentPlan | undefined;
}

/** Runs the command against the deployed service, by the identity that is in the environment. */
export async function verb(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Answered> {
  const ran = await headroom([...args, '--json', '--region', REGION], { env, node: ['--import', ROUTE] });
  const document = ran.stdout === '' ? undefined : (JSON.parse(ran.stdout) as HeadroomDocument);
  return { ...ran, plan: document?.plan?.[0] };
}
