import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Ec2Calls } from '../../../lambdas/adapters/ec2/ec2-calls.ts';
import { scannedEniPages, sdkEniPages } from '../../../lambdas/adapters/ec2/network-interfaces.ts';
import { clientConfig } from '../../../lambdas/adapters/live/client-config.ts';
import { Pace } from '../../../lambdas/adapters/pace.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import type { EniRecord } from '../../../lambdas/core/subnet/snapshot.ts';
import { startSimulator, World } from '../../../simulator/index.ts';
import { region } from '../../support/builders.ts';
import { randomPage, seededPick } from '../../support/eni-pages.ts';

function callsTo(endpoint: string, attempts = 1): Ec2Calls {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return new Ec2Calls(
    clientConfig({ region: 'us-east-1', endpoint, credentials, attempts, now: 0 }),
    new Pace({ apiShare: 1 }),
  );
}

/** Serves these answers in turn; the last one again and again. */
async function serving<T>(
  answers: readonly { status?: number; body: string }[],
  use: (url: string, asked: () => number) => Promise<T>,
): Promise<T> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[Math.min(asked++, answers.length - 1)] as { status?: number; body: string };
    response.writeHead(answer.status ?? 200, { 'content-type': 'text/xml' });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function read(
  reader: ReturnType<typeof sdkEniPages>,
): Promise<{ records: EniRecord[]; pages: number; decodedBySdk: number }> {
  const records: EniRecord[] = [];
  let pages = 0;
  let decodedBySdk = 0;
  let token: string | undefined;
  do {
    const page = await reader(
      { MaxResults: 50, ...(token === undefined ? {} : { NextToken: token }) },
      { add: (eni) => records.push(eni) },
    );
    token = page.nextToken;
    decodedBySdk += page.decodedBySdk;
    pages++;
  } while (token !== undefined);
  return { records, pages, decodedBySdk };
}

test('reads what the SDK reads, page by page, and leaves nothing to it', async () => {
  const world = World.synthetic({ subnets: 4, enis: 230, addressesPerEni: 6, seed: 3 });
  const simulator = await startSimulator(world);
  try {
    const ec2 = callsTo(simulator.url);
    const scanned = await read(scannedEniPages(ec2));
    const bySdk = await read(sdkEniPages(ec2));
    expect(scanned.records).toEqual(bySdk.records);
    expect([scanned.pages, scanned.decodedBySdk]).toEqual([bySdk.pages, 0]);
    expect(scanned.records).toHaveLength(230);
  } finally {
    await simulator.close();
  }
});

describe('where the answer is odd', () => {
  test('an error response is the SDK’s error', async () => {
    const body =
      '<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error></Errors><RequestID>1</RequestID></Response>';
    await serving([{ status: 403, body }], async (url) => {
      await expect(read(scannedEniPages(callsTo(url)))).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
    });
  });

  test('a page with a frame that EC2 does not send is asked for again through the SDK, and counted', async () => {
    const page = randomPage(seededPick(5), 3, 0)
      .replace('<DescribeNetworkInterfacesResponse', '<DescribeNetworkInterfacesResponse version="2"')
      .replace(/<nextToken>.*<\/nextToken>/, '');
    await serving([{ body: page }], async (url, asked) => {
      const { records, decodedBySdk } = await read(scannedEniPages(callsTo(url)));
      expect([records.length, decodedBySdk, asked()]).toEqual([3, 3, 2]);
    });
  });

  test('a page that breaks off is an error when the SDK finds it broken too', async () => {
    const page = randomPage(seededPick(5), 3, 0);
    await serving([{ body: page.slice(0, -40) }], async (url) => {
      await expect(scannedEniPages(callsTo(url))({}, { add: () => undefined })).rejects.toThrow();
    });
  });

  test('a page that breaks off once is read again whole: what had arrived comes twice and counts once', async () => {
    const page = randomPage(seededPick(5), 3, 0).replace(/<nextToken>.*<\/nextToken>/, '');
    await serving([{ body: page.slice(0, -40) }, { body: page }], async (url) => {
      const builder = new OccupancyBuilder(region([]));
      const arrived: string[] = [];
      const sink = {
        add: (eni: EniRecord) => {
          arrived.push(eni.eniId);
          builder.add(eni);
        },
      };
      const { interfaces } = await scannedEniPages(callsTo(url))({}, sink);
      expect([interfaces, arrived.length, builder.finish().enis]).toEqual([3, 6, 3]);
    });
  });
});
