/** One run of remediate as a process of its own: EC2 is the simulator at `url`, memory and events are kept in `folder`. Waits pass at once. */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { openRegion } from '../../../../lambdas/adapters/live/open-region.ts';
import { networkReader } from '../../../../lambdas/adapters/remediating/network-reader.ts';
import { networkWriter } from '../../../../lambdas/adapters/remediating/network-writer.ts';
import { remediate } from '../../../../lambdas/app/remediate/remediate.ts';
import { FileStateTable } from '../../../support/fakes/file-state-table.ts';
import { ACCOUNT, configOf, KUBERNETES } from '../../../support/remediating.ts';

const [url = '', folder = '', vpcId = '', start = ''] = process.argv.slice(2);
const region = 'us-east-1';
const connection = {
  region,
  endpoint: url,
  credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
};
let now = Number(start);

await remediate(
  {
    open: (id, at) => openRegion({ ...connection, scope: { vpcIds: [id] }, now: at, apiShare: 1 }),
    inside: { read: async () => ({ kubernetes: KUBERNETES, failures: [], tag: '' }) },
    state: new FileStateTable(path.join(folder, 'state')),
    writer: networkWriter(connection),
    reader: networkReader(connection),
    bus: {
      send: async (events) => {
        for (const { type, detail } of events)
          appendFileSync(path.join(folder, 'events'), `${JSON.stringify([detail.id, type])}\n`);
        return { taken: new Set(events.map(({ detail }) => detail.id)), errors: [] };
      },
    },
    stop: { value: async () => undefined },
    clock: {
      now: () => now,
      remaining: () => 600_000,
      wait: async (milliseconds) => {
        now += milliseconds;
      },
    },
    log: () => undefined,
  },
  { account: ACCOUNT, region, config: configOf() },
  { id: `run-${process.pid}`, vpcIds: [vpcId], open: true },
);
