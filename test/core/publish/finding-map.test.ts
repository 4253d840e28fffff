/** Which findings carry a drawing, and what becomes of it between the scan and the bus. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAP_CHARACTERS, MAP_LINES } from '../../../lambdas/contract/event-names.ts';
import { findingDetailSchema } from '../../../lambdas/contract/events.ts';
import { FINDING_CODES, type Finding, type FindingCode } from '../../../lambdas/contract/finding.ts';
import { assessContext, reportOf } from '../../../lambdas/core/assess/assess.ts';
import { owedEvent } from '../../../lambdas/core/publish/finding-events.ts';
import { findingMaps } from '../../../lambdas/core/publish/finding-map.ts';
import { type FindingState, moveFindings, type ScanOfFindings } from '../../../lambdas/core/publish/finding-state.ts';
import { MOST_REMEMBERED } from '../../../lambdas/core/react/reaction.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import { eni, region, subnet } from '../../support/builders.ts';

const ID = 'subnet-00000000000000001';
const MINUTE = 60_000;
const HOME = { account: '111122223333', region: 'us-east-1' };

function finding(code: FindingCode, fields: Partial<Finding> = {}): Finding {
  return {
    id: `${code}/x`,
    code,
    severity: 'warning',
    subnetId: ID,
    observed: 0,
    message: '',
    evidence: {},
    ...fields,
  };
}

/** A subnet with one address in its second /28. */
function mapsOf(cidr: string, name: string, read = true) {
  const facts = region([subnet(cidr, { tags: { Name: name } })], { now: 0 });
  const builder = new OccupancyBuilder(facts);
  builder.add(eni({ addresses: [cidr.replace(/0\/\d+$/, '17')] }));
  const enis = read
    ? ({ state: 'read', managedResourcesIncluded: true, failures: [] } as const)
    : ({ state: 'absent' } as const);
  return findingMaps(assessContext(facts, enis, builder.finish()));
}

function scanOf(number: number, findings: readonly Finding[], mapOf?: ScanOfFindings['mapOf']): ScanOfFindings {
  return {
    at: number * MINUTE,
    number,
    first: false,
    findings,
    measured: () => true,
    readAt: () => number * MINUTE,
    ...(mapOf === undefined ? {} : { mapOf }),
  };
}

describe('which findings are drawn', () => {
  const mapOf = mapsOf('10.0.0.0/24', 'pods');

  test('those that a look at the /28s explains, and no other', () => {
    const drawn = FINDING_CODES.filter((code) => mapOf(finding(code)) !== undefined);
    const asked = /^(?:PREFIX_|SUBNET_|RESERVATION_|FRAGMENTED$|SINGLE_ADDRESS_BREAKS_BLOCK$)/;
    expect(drawn).toEqual(FINDING_CODES.filter((code) => asked.test(code)));
  });

  test('as the subnet was measured', () => {
    expect(mapOf(finding('FRAGMENTED'))?.[2]).toBe('E1.............E');
  });

  test('none of a finding on no subnet or on one that nobody knows, and none where no interface was read', () => {
    const { subnetId: _, ...nowhere } = finding('PREFIX_LOW');
    expect(mapOf(nowhere)).toBeUndefined();
    expect(mapOf(finding('PREFIX_LOW', { subnetId: 'subnet-x' }))).toBeUndefined();
    expect(mapsOf('10.0.0.0/24', 'pods', false)(finding('PREFIX_LOW'))).toBeUndefined();
  });

  test('every name and every size keeps to what the event allows, and shows no hidden character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 256 }), fc.integer({ min: 16, max: 28 }), (name, length) => {
        const map = mapsOf(`10.0.0.0/${length}`, name)(finding('SUBNET_LOW')) ?? [];
        expect(map.length).toBeGreaterThan(2);
        expect(map.length).toBeLessThanOrEqual(MAP_LINES);
        expect(map.join('\n').length).toBeLessThanOrEqual(MAP_CHARACTERS);
        expect(map.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what is owed', () => {
  const LOW = finding('SUBNET_LOW');
  const drawing = (line: string) => () => [line];
  const only = (moves: ReadonlyMap<string, FindingState | undefined>) => [...moves.values()][0] as FindingState;
  const known = (state: FindingState) => new Map([[LOW.id, state]]);

  test('the drawing of the scan that raised it, whatever later scans see until it is sent', () => {
    const state = only(moveFindings(new Map(), scanOf(1, [LOW], drawing('then'))));
    expect(moveFindings(known(state), scanOf(2, [LOW], drawing('now'))).size).toBe(0);
    const stored = JSON.parse(JSON.stringify(state)) as FindingState;
    const event = owedEvent(stored, HOME);
    expect(event?.detail.map).toEqual(['then']);
    expect(findingDetailSchema.parse(event?.detail)).toEqual(event?.detail);
  });

  test('worse: drawn anew. Gone: no drawing. None given: no field', () => {
    const { owed: _, ...open } = only(moveFindings(new Map(), scanOf(1, [LOW], drawing('first'))));
    const worse = only(moveFindings(known(open), scanOf(2, [{ ...LOW, severity: 'critical' }], drawing('worse'))));
    expect(owedEvent(worse, HOME)?.detail.map).toEqual(['worse']);
    const missed = only(moveFindings(known(open), scanOf(2, [], drawing('gone'))));
    const cleared = only(moveFindings(known(missed), scanOf(3, [], drawing('gone'))));
    expect(cleared.status).toBe('cleared');
    expect(owedEvent(cleared, HOME)?.detail).not.toHaveProperty('map');
    expect(owedEvent(only(moveFindings(new Map(), scanOf(1, [LOW]))), HOME)?.detail).not.toHaveProperty('map');
  });
});

test('an event with more lines or characters than the contract allows is not one', () => {
  const [state] = moveFindings(new Map(), scanOf(1, [finding('SUBNET_LOW')])).values();
  const detail = owedEvent(state as FindingState, HOME)?.detail;
  const parses = (map: readonly string[]) => findingDetailSchema.safeParse({ ...detail, map }).success;
  expect(parses(Array.from({ length: MAP_LINES }, () => '.'))).toBe(true);
  expect(parses(Array.from({ length: MAP_LINES + 1 }, () => '.'))).toBe(false);
  expect(parses(['.'.repeat(MAP_CHARACTERS)])).toBe(true);
  expect(parses(['.'.repeat(MAP_CHARACTERS), ''])).toBe(false);
});

test('the largest there is stays far below what the bus takes for an event (256 KB) and the table for an item (400 KB)', () => {
  const name = '🔥"'.repeat(85);
  const at = subnet('10.0.0.0/16', { tags: { Name: name, 'kubernetes.io/cluster/prod': 'shared' }, availableIps: 3 });
  const facts = region([at], { now: 0 });
  const builder = new OccupancyBuilder(facts);
  for (let block = 0; block < 4_000; block++) {
    builder.add(eni({ addresses: [`10.0.${block >> 4}.${((block & 15) << 4) + 7}`], description: name }));
  }
  const enis = { state: 'read', managedResourcesIncluded: true, failures: [] } as const;
  const context = assessContext(facts, enis, builder.finish());
  const mapOf = findingMaps(context);
  const { findings } = reportOf(context);
  const states = [...moveFindings(new Map(), scanOf(1, findings, mapOf)).values()] as FindingState[];
  const drawn = states.filter(({ owed }) => owed?.map !== undefined);
  expect(drawn.length).toBeGreaterThan(0);
  const seen = Array.from({ length: MOST_REMEMBERED }, (_, n) => n.toString(16).padStart(16, '0'));
  for (const state of drawn) {
    const item = { ...state, reaction: { seen, count: seen.length, first: 0, last: 0 } };
    expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(200_000);
    expect(Buffer.byteLength(JSON.stringify(owedEvent(item, HOME)))).toBeLessThan(20_000);
  }
});
