/** The EC2 simulator with a synthetic region: `node server.ts SUBNETS ENIS ADDRESSES [throttled]` prints its address, and on end of its input how it was asked. `throttled` enforces EC2's documented bucket (100, 20 a second). */
import { startSimulator, World } from '../../../simulator/index.ts';

const [subnets, enis, addressesPerEni, throttled] = process.argv.slice(2) as [string, string, string, string?];
const world = World.synthetic({
  subnets: Number(subnets),
  enis: Number(enis),
  addressesPerEni: Number(addressesPerEni),
  prefixEvery: 4,
  subnetsPerVpc: 50,
  seed: 20261130,
});
const simulator = await startSimulator(
  world,
  throttled === undefined ? {} : { throttle: { bucket: 100, refillPerSecond: 20 } },
);
process.stdout.write(`${JSON.stringify({ url: simulator.url })}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  const calls = simulator.calls.filter(({ action }) => action === 'DescribeNetworkInterfaces');
  const refused = calls.filter(({ errorCode }) => errorCode === 'RequestLimitExceeded');
  process.stdout.write(`${JSON.stringify({ calls: calls.length, throttled: refused.length })}\n`, () => process.exit());
});
