/**
 * Serves a rendered region to any EC2 client: `node server.ts SUBNETS ADDRESSES [LATENCY_MS [ENIS_PER_SUBNET]]` prints its address. Answers lie ready in memory, so that a client's time is its
 * own. Ends with its standard input.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RenderedRegion, vpcId } from './region.ts';

const [subnets, addresses, latency = '0', enisPerSubnet] = process.argv.slice(2) as [string, string, string?, string?];
const region = new RenderedRegion({
  subnets: Number(subnets),
  addresses: addresses === 's2' ? 's2' : Number(addresses),
  ...(enisPerSubnet === undefined ? {} : { enisPerSubnet: Number(enisPerSubnet) }),
});

function answer(body: URLSearchParams): readonly Buffer[] | undefined {
  switch (body.get('Action')) {
    case 'DescribeSubnets':
      return [region.subnets];
    case 'DescribeNetworkInterfaces': {
      const values = [...body].flatMap(([key, value]) => (key.startsWith('Filter.1.Value.') ? [value] : []));
      return region.page(body.get('Filter.1.Name') ?? '', values, Number(body.get('NextToken') ?? 0));
    }
    default:
      return undefined;
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const slices = answer(new URLSearchParams(Buffer.concat(chunks).toString()));
    setTimeout(() => {
      response.writeHead(slices === undefined ? 400 : 200, {
        'content-type': 'text/xml;charset=UTF-8',
        'content-length': (slices ?? []).reduce((sum, slice) => sum + slice.length, 0),
      });
      for (const slice of slices ?? []) response.write(slice);
      response.end();
    }, Number(latency));
  });
});
server.listen(0, '127.0.0.1', () => {
  const pageOfFirst = region.page('vpc-id', [vpcId(0)], 0);
  const megabytes = pageOfFirst.reduce((sum, slice) => sum + slice.length, 0) / 1e6;
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, enis: region.enis, megabytes })}\n`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit());
