/** The plans that a deployed service keeps, as a document. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  findDeployment,
  requiredOutput,
  serviceClientConfig,
} from '../../lambdas/adapters/deployment/find-deployment.ts';
import { dynamoStateTable } from '../../lambdas/adapters/dynamodb/state-table.ts';
import { allPlans, planById } from '../../lambdas/app/remediate/plan-book.ts';
import type { HeadroomDocument } from '../../lambdas/contract/document.ts';
import { asDocument, isOpen, type StoredPlan } from '../../lambdas/core/remediate/stored-plan.ts';
import type { Deployment } from '../../lambdas/ports/deployment.ts';
import type { StateTable } from '../../lambdas/ports/state-table.ts';
import { UsageError } from '../usage-error.ts';

export interface ServiceArgs {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

export interface Service {
  readonly deployment: Deployment;
  readonly state: StateTable;
  readonly options: { readonly region?: string; readonly profile?: string };
}

/** @throws ReadError where no service is deployed, or it cannot be asked. */
export async function openService({ region, profile }: ServiceArgs): Promise<Service> {
  const options = { ...(region === undefined ? {} : { region }), ...(profile === undefined ? {} : { profile }) };
  const deployment = await findDeployment(options);
  const client = new DynamoDBClient({ ...serviceClientConfig(options), region: deployment.region });
  return { deployment, options, state: dynamoStateTable(client, requiredOutput(deployment, 'table')) };
}

/** Open plans first, then by age, the youngest first. */
export async function storedPlans(args: ServiceArgs): Promise<HeadroomDocument> {
  const { deployment, state } = await openService(args);
  const plans = [...(await allPlans(state))].sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1),
  );
  return documentOfPlans(deployment, plans);
}

export function documentOfPlans({ account, region }: Deployment, plans: readonly StoredPlan[]): HeadroomDocument {
  const now = new Date().toISOString();
  return {
    schemaVersion: 1,
    generatedAt: now,
    source: { kind: 'live', account, region, now, absent: [], unknown: [] },
    subnets: [],
    plan: plans.map(asDocument),
  };
}

/** @throws UsageError where the service keeps no such plan. */
export async function requirePlan({ state }: Service, id: string): Promise<StoredPlan> {
  const plan = await planById(state, id);
  if (plan === undefined) throw new UsageError(`there is no plan ${id}; headroom plan lists them`);
  return plan;
}
