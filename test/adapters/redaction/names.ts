/** Names, accounts and ids of random regions: few, so that documents speak of the same things. */
import fc from 'fast-check';

/** Long enough that they cannot stand in a document by chance. */
export const SECRETS = [
  'blueberry',
  'raspberry-prod',
  'cloudberry.eu',
  'Lingonberry_7',
  'gooseberry-a',
  'gooseberry-b',
];
export const ACCOUNTS = ['482910573846', '918273645546'];
export const TYPES = ['m5.large', 'c5.large'];

export const name = fc.constantFrom(...SECRETS);
export const account = fc.constantFrom(...ACCOUNTS);
export const hex = (digits: number) => (n: number) =>
  (n * 2654435761 + 7).toString(16).padStart(digits, '9').slice(-digits);
export const long = hex(17);
export const id = (kind: string, count: number) =>
  fc.nat(count - 1).map((n) => (n % 5 === 4 ? `${kind}-${hex(8)(n)}` : `${kind}-${long(n)}`));
export const subnetId = id('subnet', 8);
export const instanceId = id('i', 12);
export const vpcId = id('vpc', 2);
