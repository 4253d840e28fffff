import { NetworkInterface$ } from '@aws-sdk/client-ec2';
import { describe, expect, test } from '@jest/globals';
import { NormalizedSchema } from '@smithy/core/schema';
import { NETWORK_INTERFACE, type Shape } from '../../../../lambdas/adapters/ec2/eni-reader/shape.ts';
import { UnexpectedPage } from '../../../../lambdas/adapters/ec2/eni-reader/xml-bytes.ts';
import { decodeWithSdk, scan } from '../../../support/eni-decoding.ts';
import { type Oddity, randomPage, seededPick } from '../../../support/eni-pages.ts';
import { cut, mutate } from '../../../support/spoiled-bytes.ts';

test('the reader knows every element that the SDK knows, and no other', () => {
  const ofSdk = (schema: NormalizedSchema): unknown => {
    if (schema.isListSchema()) return { item: ofSdk(schema.getValueSchema()) };
    if (!schema.isStructSchema()) return 'leaf';
    const members = [...schema.structIterator()].map(([name, member]) => [
      member.getMemberTraits().xmlName ?? name,
      ofSdk(member),
    ]);
    return Object.fromEntries(members) as unknown;
  };
  const ofReader = (shape: Shape): unknown =>
    shape.leaf
      ? 'leaf'
      : Object.fromEntries([...shape.children.values()].map((child) => [child.name, ofReader(child)]));
  expect(ofReader(NETWORK_INTERFACE)).toEqual(ofSdk(NormalizedSchema.of(NetworkInterface$)));
});

describe('equals the SDK, object by object', () => {
  test.each<[Oddity, number]>([
    [0, 60],
    [1, 150],
    [2, 150],
  ])('on random pages of oddity %i', (oddity, pages) => {
    let read = 0;
    for (let seed = 1; seed <= pages; seed++) {
      const pick = seededPick(seed * 7 + oddity);
      const xml = Buffer.from(randomPage(pick, pick(6), oddity));
      let expected: ReturnType<typeof decodeWithSdk> | undefined;
      try {
        expected = decodeWithSdk(xml);
      } catch {
        expect(() => scan(cut(xml, pick, 6))).toThrow();
        continue;
      }
      let found: ReturnType<typeof scan>;
      try {
        found = scan(cut(xml, pick, 6));
      } catch (error) {
        // What EC2 never sends is asked for again through the SDK; only oddity 2 has such pages.
        expect(error).toBeInstanceOf(UnexpectedPage);
        expect(oddity).toBe(2);
        continue;
      }
      expect({ records: found.records, nextToken: found.nextToken }).toEqual(expected);
      if (oddity === 0) expect(found.fallbacks).toBe(0);
      read++;
    }
    expect(read).toBeGreaterThan(pages / 4);
  });

  test('cut in two at every byte, and into single bytes', () => {
    const pick = seededPick(4711);
    const xml = Buffer.from(randomPage(pick, 2, 1));
    const expected = decodeWithSdk(xml);
    for (let at = 0; at <= xml.length; at++) {
      const { records, nextToken } = scan([xml.subarray(0, at), xml.subarray(at)]);
      expect({ records, nextToken }).toEqual(expected);
    }
    const { records, nextToken } = scan([...xml].map((_, i) => xml.subarray(i, i + 1)));
    expect({ records, nextToken }).toEqual(expected);
  });

  test('an entry of a list that lacks what it is for is left to the SDK, which refuses it', () => {
    const page = (list: string) =>
      Buffer.from(
        `<DescribeNetworkInterfacesResponse><networkInterfaceSet><item><networkInterfaceId>eni-1</networkInterfaceId><subnetId>s</subnetId><vpcId>v</vpcId>${list}</item></networkInterfaceSet></DescribeNetworkInterfacesResponse>`,
      );
    for (const list of [
      '<ipv4PrefixSet><item>\n</item></ipv4PrefixSet>',
      '<tagSet><item><value>x</value></item></tagSet>',
    ]) {
      expect(() => decodeWithSdk(page(list))).toThrow();
      expect(() => scan([page(list)])).toThrow(UnexpectedPage);
    }
  });

  describe('an interface’s id', () => {
    const page = (id: string) =>
      Buffer.from(
        `<DescribeNetworkInterfacesResponse><networkInterfaceSet><item><networkInterfaceId>${id}</networkInterfaceId><subnetId>s</subnetId><vpcId>v</vpcId></item></networkInterfaceSet></DescribeNetworkInterfacesResponse>`,
      );

    test.each(['', '\n', '\n  ', '\t\n'])('of %j is none', (id) => {
      expect(() => decodeWithSdk(page(id))).toThrow();
      expect(() => scan([page(id)])).toThrow(UnexpectedPage);
    });

    test.each([' ', ' eni-1', 'eni-1\n'])('of %j is one', (id) => {
      expect(decodeWithSdk(page(id)).records).toMatchObject([{ eniId: id }]);
      expect(scan([page(id)]).records).toEqual(decodeWithSdk(page(id)).records);
    });
  });

  test('on broken pages it refuses what the SDK refuses, and otherwise reads the same', () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const pick = seededPick(seed);
      const xml = mutate(Buffer.from(randomPage(pick, 1 + pick(3), 1)), pick);
      let expected: ReturnType<typeof decodeWithSdk> | undefined;
      try {
        expected = decodeWithSdk(xml);
      } catch {
        expected = undefined;
      }
      let found: ReturnType<typeof scan> | undefined;
      try {
        found = scan(cut(xml, pick, 4));
      } catch (error) {
        if (expected !== undefined && !(error instanceof UnexpectedPage)) throw error;
        continue;
      }
      if (expected === undefined) throw new Error(`seed ${seed}: the SDK refuses what the scanner reads`);
      expect({ records: found.records, nextToken: found.nextToken }).toEqual(expected);
    }
  });
});
