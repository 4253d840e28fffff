/** Looks at everything that would keep the service from seeing or being heard; what it cannot look at it says. */
import type { Check } from '../contract/checks-document.ts';
import * as judge from '../core/doctor/judge.ts';
import type { Deployment } from '../ports/deployment.ts';
import { ProbeFailure, type ServiceProbes } from '../ports/service-probes.ts';

type Seen = Omit<Check, 'id' | 'title'>;

interface Question {
  readonly id: string;
  readonly title: string;
  readonly ask: () => Promise<Seen>;
}

/** @param now - epoch milliseconds. @returns the checks, in one order always. */
export async function doctor(deployment: Deployment, probes: ServiceProbes, now: number): Promise<readonly Check[]> {
  const snapshot = once(() => probes.snapshot());
  const { slackSecret } = deployment.outputs;
  const questions: readonly Question[] = [
    { id: 'stack', title: 'The stack is whole', ask: async () => judge.judgeStack(deployment.status) },
    { id: 'rules', title: 'Schedule and rules are on', ask: async () => judge.judgeRules(await probes.rules()) },
    { id: 'functions', title: 'Functions can run', ask: async () => judge.judgeFunctions(await probes.functions()) },
    { id: 'service-alarms', title: 'Alarms of the service', ask: async () => judge.judgeAlarms(await probes.alarms()) },
    { id: 'snapshot', title: 'The newest snapshot', ask: async () => judge.judgeSnapshot((await snapshot())?.at, now) },
    { id: 'clusters', title: 'Clusters can be seen into', ask: async () => clustersOf((await snapshot())?.facts) },
    { id: 'trail', title: 'A trail tells of failed calls', ask: async () => judge.judgeTrails(await probes.trails()) },
    { id: 'paging', title: 'Alarms reach somebody', ask: async () => judge.judgeTopics(await probes.alarmTopics()) },
    {
      id: 'messages',
      title: 'Messages reach somebody',
      ask: async () => judge.judgeMessages(await probes.messageTopics(), slackSecret !== undefined),
    },
    ...(slackSecret === undefined
      ? []
      : [
          {
            id: 'webhook',
            title: 'The Slack webhook',
            ask: async () => judge.judgeWebhook(await probes.webhookProblem()),
          },
        ]),
    { id: 'key', title: 'The key lets services in', ask: async () => judge.judgeKey(await probes.keyPolicy()) },
  ];
  return Promise.all(questions.map(async ({ id, title, ask }) => ({ id, title, ...(await answered(ask)) })));
}

function clustersOf(facts: Parameters<typeof judge.judgeClusters>[0] | undefined): Seen {
  return facts === undefined
    ? { state: 'unknown', detail: 'there is no snapshot to look into' }
    : judge.judgeClusters(facts);
}

async function answered(ask: () => Promise<Seen>): Promise<Seen> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    const { message, permission } = error;
    return { state: 'unknown', detail: message, ...(permission === undefined ? {} : { permission }) };
  }
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
