import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withoutRegionNames } from '../../lib/function/region-names.ts';

const source = readFileSync(
  path.join(
    import.meta.dirname,
    '../../node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js',
  ),
  'utf8',
);

interface Partition {
  readonly id: string;
  readonly regions: Readonly<Record<string, object>>;
}

const read = (text = '') =>
  (JSON.parse(text.replace('export const partitionsInfo = ', '').replace(/;\s*$/, '')) as { partitions: Partition[] })
    .partitions;

test('partitions keep everything but what their regions are called', () => {
  const kept = read(withoutRegionNames(source));
  const whole = read(source);
  expect(whole.map(({ id }) => id)).toEqual(expect.arrayContaining(['aws', 'aws-cn', 'aws-us-gov']));
  expect(kept).toEqual(
    whole.map((partition) => ({
      ...partition,
      regions: Object.fromEntries(Object.keys(partition.regions).map((region) => [region, {}])),
    })),
  );
});

test.each([
  ['another opening', source.replace('partitionsInfo', 'partitions')],
  ['another ending', `${source}partitionsInfo.version = '2';\n`],
  ['what is no JSON', 'export const partitionsInfo = { a: 1 };\n'],
  ['nothing of it', 'export const partitionsInfo = {"partitions": []};\n'],
])('a file with %s is left whole', (_, text) => expect(withoutRegionNames(text)).toBeUndefined());
