/** Somebody else in the account, who takes DescribeNetworkInterfaces ten times a second until told to stop: `node compete.ts URL`. Half of what EC2 refills. */
import { DescribeNetworkInterfacesCommand, EC2Client } from '@aws-sdk/client-ec2';

const [endpoint] = process.argv.slice(2) as [string];
const client = new EC2Client({
  region: 'us-east-1',
  endpoint,
  credentials: { accessKeyId: 'other', secretAccessKey: 'other' },
  maxAttempts: 1,
});
const EVERY_MS = 100;
let asked = 0;
let refused = 0;
const timer = setInterval(() => {
  asked++;
  client.send(new DescribeNetworkInterfacesCommand({ MaxResults: 5 })).catch(() => refused++);
}, EVERY_MS);
process.stdin.resume();
process.stdin.on('end', () => {
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify({ asked, refused })}\n`, () => process.exit());
});
