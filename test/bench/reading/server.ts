/**
 * Serves a rendered region to any EC2 client: `node server.ts SUBNETS ADDRESSES [LATENCY_MS [ENIS_PER_SUBNET]]` prints its address. Pages lie ready in memory, so that a client's time is its
 * own. Ends with its standard input.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { renderRegion } from './region.ts';

const [subnets, addresses, latency = '0', enisPerSubnet] = process.argv.slice(2) as [string, string, string?, string?];
const region = renderRegion({
  subnets: Number(subnets),
  addresses: addresses === 's2' ? 's2' : Number(addresses),
  ...(enisPerSubnet === undefined ? {} : { enisPerSubnet: Number(enisPerSubnet) }),
});

function answer(body: URLSearchParams): Buffer | undefined {
  switch (body.get('Action')) {
    case 'DescribeSubnets':
      return region.subnets;
    case 'DescribeNetworkInterfaces':
      return region.pages.get(body.get('Filter.1.Value.1') ?? '')?.[Number(body.get('NextToken') ?? 0)];
    default:
      return undefined;
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const page = answer(new URLSearchParams(Buffer.concat(chunks).toString()));
    setTimeout(() => {
      response.writeHead(page === undefined ? 400 : 200, { 'content-type': 'text/xml;charset=UTF-8' });
      response.end(page);
    }, Number(latency));
  });
});
server.listen(0, '127.0.0.1', () => {
  const pages = [...region.pages.values()].flat();
  const megabytes = pages.reduce((sum, page) => sum + page.length, 0) / pages.length / 1e6;
  const { port } = server.address() as AddressInfo;
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${port}`, enis: region.enis, pages: pages.length, megabytes })}\n`,
  );
});
process.stdin.resume();
process.stdin.on('end', () => process.exit());
