import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An EC2 that knows one subnet: enough to see that the functions' EC2 calls arrive where the testbed sends them. */
export const startEc2Stub = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          '<DescribeSubnetsResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId>' +
            '<subnetSet><item><subnetId>subnet-0123456789abcdef0</subnetId></item></subnetSet></DescribeSubnetsResponse>',
        );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
