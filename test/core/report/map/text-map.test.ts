import { describe, expect, test } from '@jest/globals';
import { MAP_CHARACTERS, MAP_LINES } from '../../../../lambdas/contract/event-names.ts';
import { assessContext } from '../../../../lambdas/core/assess/assess.ts';
import type { AssessContext } from '../../../../lambdas/core/assess/context.ts';
import { subnetReports } from '../../../../lambdas/core/assess/subnet-report.ts';
import { documentSubnet } from '../../../../lambdas/core/report/document.ts';
import { cellsOf } from '../../../../lambdas/core/report/map/cell.ts';
import { subnetText, textMap } from '../../../../lambdas/core/report/map/text-map.ts';
import { OccupancyBuilder } from '../../../../lambdas/core/subnet/occupancy.ts';
import { eni, region, reservation, subnet } from '../../../support/builders.ts';
import { occupied } from './occupied.ts';

const ID = 'subnet-00000000000000001';

/** One address in every /28 of a subnet of this name. */
function full(at: string, name: string, hidden = 0) {
  const blocks = 2 ** (28 - Number(at.split('/')[1]));
  const facts = region([subnet(at, { tags: { Name: name }, availableIps: blocks * 16 - 5 - (blocks - 2) - hidden })], {
    now: 0,
  });
  const builder = new OccupancyBuilder(facts, { keep: 'all' });
  const [a, b] = at.split('.');
  for (let block = 1; block < blocks - 1; block++) {
    builder.add(eni({ addresses: [`${a}.${b}.${block >> 4}.${((block & 15) << 4) + 3}`] }));
  }
  return assessContext(facts, { state: 'read', managedResourcesIncluded: true, failures: [] }, builder.finish());
}

function drawn(context: AssessContext) {
  const [report] = subnetReports(context.subnets.values());
  const map = context.subnets.get(ID)?.occupancy?.map;
  if (report === undefined) throw new Error('no subnet');
  return subnetText(documentSubnet(report), map === undefined ? new Uint8Array() : cellsOf(map, []));
}

describe('the drawing', () => {
  test('a sign a /28 in a small subnet, with what its signs mean', () => {
    const { map } = occupied('10.0.0.0/24', [
      { addresses: ['10.0.0.17', '10.0.0.18'] },
      { prefixes: ['10.0.0.64/28'] },
    ]);
    expect(textMap(cellsOf(map, [reservation('10.0.0.196/30', 'explicit')]))).toEqual({
      rows: ['E2..P.......X..E'],
      blocksPerSign: 1,
      legend: '. free /28, 1-g single addresses used in it (g = 16), P prefix, X explicitly reserved, E edge',
    });
  });

  test.each([
    [28, 1, 1],
    [24, 1, 1],
    [20, 1, 8],
    [19, 2, 8],
    [16, 16, 8],
  ])('a /%i: %i blocks a sign on %i rows', (length, blocksPerSign, rows) => {
    const drawn = textMap(cellsOf(occupied(`10.0.0.0/${length}`, []).map, []));
    expect(drawn.blocksPerSign).toBe(blocksPerSign);
    expect(drawn.rows).toHaveLength(rows);
    expect(drawn.rows.join('').length * blocksPerSign).toBe(2 ** (28 - length));
  });

  test('a sign of several blocks says whether a prefix can come from there', () => {
    const { map } = occupied('10.0.0.0/19', [
      { addresses: ['10.0.0.33', '10.0.0.67', '10.0.0.81'] },
      { prefixes: ['10.0.0.96/28', '10.0.0.112/28'] },
    ]);
    expect(textMap(cellsOf(map, [])).rows[0]).toMatch(/^oo#P\.+$/);
  });
});

describe('a subnet', () => {
  test('its name, its numbers, its map', () => {
    expect(drawn(full('10.0.0.0/24', 'pods-a'))).toEqual([
      `${ID} pods-a`,
      '10.0.0.0/24 us-east-1a: 237 of 251 addresses, 0 of 14 /28 free',
      'E11111111111111E',
      '1-g single addresses used in it (g = 16), E edge',
    ]);
  });

  test.each([
    ['controls', 'a\u001b[31m\nb', 'a\\u001b[31m\\u000ab'],
    ['right-to-left marks', 'a\u202eb', 'a\\u202eb'],
    ['markup', '<script>"&\'', '<script>"&\''],
    ['emoji', '🔥', '🔥'],
  ])('%s in a name show as text', (_what, name, shown) => {
    expect(drawn(full('10.0.0.0/24', name))?.[0]).toBe(`${ID} ${shown}`);
  });

  test('what EC2 counts and nothing holds is said, for it is not drawn', () => {
    expect(drawn(full('10.0.0.0/24', 'x', 3))?.at(-1)).toBe('3 addresses unaccounted for: not drawn');
  });

  test('stays small, whatever the name and the size', () => {
    const lines = drawn(full('10.0.0.0/16', '🔥'.repeat(255), 7)) as readonly string[];
    expect(lines.length).toBeLessThanOrEqual(MAP_LINES);
    expect(lines.join('\n').length).toBeLessThanOrEqual(MAP_CHARACTERS);
    expect(lines[0]).toBe(`${ID} ${'🔥'.repeat(59)}…`);
  });

  test('nothing where its interfaces were not read', () => {
    const facts = region([subnet('10.0.0.0/24')], { now: 0 });
    const unread = assessContext(facts, { state: 'absent' }, new OccupancyBuilder(facts).finish());
    expect(drawn(unread)).toBeUndefined();
  });
});
