/** Something answers in EC2's place with status 200: a proxy's login page, a gateway. It must never be read as a region in which there is nothing. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { RegionOptions } from '../../../lambdas/adapters/live/options.ts';
import { serve } from '../../simulator/clients.ts';
import { liveRegion } from '../../support/live.ts';
import { fourVpcs } from './ground.ts';

const LOGIN = '<html><body>Sign in to the network</body></html>';
const HALF =
  '<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><subnetSet><item><subnetId>subnet-1</sub';

/** The simulator, with one call answered by somebody else. @returns what the work came to. */
async function behind<T>(
  action: string,
  body: string,
  work: (region: ReturnType<typeof liveRegion>) => Promise<T>,
  options: Partial<RegionOptions> = {},
): Promise<T> {
  const simulator = await serve(fourVpcs().world);
  const proxy = createServer((request, response) => {
    void text(request).then(async (asked) => {
      if (new URLSearchParams(asked).get('Action') === action) {
        response.writeHead(200, { 'content-type': 'text/html' }).end(body);
        return;
      }
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const answer = await fetch(`${simulator.url}${request.url ?? '/'}`, {
        method: request.method ?? 'POST',
        headers: headers.filter(([name]) => !['connection', 'content-length', 'expect', 'host'].includes(name)),
        ...(asked === '' ? {} : { body: asked }),
      });
      response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(await answer.text());
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return await work(liveRegion(simulator, { endpoint: `http://127.0.0.1:${port}`, attempts: 1, ...options }));
  } finally {
    proxy.closeAllConnections();
    await new Promise((closed) => proxy.close(closed));
  }
}

test.each([
  ['a login page', LOGIN, /the answer begins with "<html><body>Sign in.*expected <DescribeSubnetsResponse>/],
  ['nothing', '', /the answer is empty; expected <DescribeSubnetsResponse>/],
  ['the answer to another call', '<DescribeVpcsResponse><vpcSet/></DescribeVpcsResponse>', /DescribeVpcsResponse/],
  ['half an answer', HALF, /no whole <DescribeSubnetsResponse>/],
  ['JSON', '{"message": "hello"}', /expected <DescribeSubnetsResponse>/],
])('%s for the subnets is no answer', async (_name, body, message) => {
  const error = await behind('DescribeSubnets', body, (region) => region.facts().catch((thrown: unknown) => thrown));
  expect(error).toMatchObject({
    name: 'ReadError',
    code: 'UNREACHABLE',
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(/proxy.*AWS_ENDPOINT_URL/),
  });
});

test('an answer may begin with a declaration, a comment and space', async () => {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- by a gateway -->\n<DescribeVpcsResponse xmlns="x">\n<vpcSet/></DescribeVpcsResponse>`;
  const facts = await behind('DescribeVpcs', body, (region) => region.facts());
  expect(facts.vpcs).toEqual({ state: 'read', value: [] });
});

test.each([
  ['scanned', {}],
  ['kept as they come', { raw: { write: () => Promise.resolve() } }],
])('a login page for interfaces that are %s leaves them unknown', async (_name, options) => {
  const read = async (region: ReturnType<typeof liveRegion>) =>
    region.networkInterfaces(await region.facts(), { add: () => undefined });
  expect(await behind('DescribeNetworkInterfaces', LOGIN, read, options)).toMatchObject({
    failures: [{ call: 'ec2:DescribeNetworkInterfaces', code: 'ForeignAnswer' }],
  });
});
