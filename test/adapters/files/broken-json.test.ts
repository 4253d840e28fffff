import { describe, expect, test } from '@jest/globals';
import { DOCUMENTS, eni } from './documents.ts';
import { inFolder } from './folders.ts';

describe('broken JSON', () => {
  test.each([
    ['{\n "Subnets": [\n', 'subnets.json: is no JSON at line 3, column 1: the text ends; expected a value or "]"'],
    [
      '{"Subnets": []} x',
      'subnets.json: is no JSON at line 1, column 17: "x"; expected nothing more after the document',
    ],
    [
      '{"Subnets": []}{}',
      'subnets.json: is no JSON at line 1, column 16: "{"; expected nothing more after the document',
    ],
    ["{'Subnets': []}", `subnets.json: is no JSON at line 1, column 2: "'"; expected a key in double quotes, or "}"`],
    ['{"Subnets": [1,]}', 'subnets.json: is no JSON at line 1, column 16: "]"; expected a value'],
    ['{"Subnets": [1 2]}', 'subnets.json: is no JSON at line 1, column 16: "2"; expected "," or "]"'],
    [
      '{"a": "b\nc"}',
      'subnets.json: is no JSON at line 1, column 9: the line ends; expected the end of the string that began before it',
    ],
    ['{"a" "b"}', 'subnets.json: is no JSON at line 1, column 6: "\\""; expected ":"'],
    ['An error occurred', 'subnets.json: is no JSON at line 1, column 1: "A"; expected a value'],
    ['{"a": "\\x"}', 'subnets.json: is no JSON at line 1, column 9: "x"; expected an escape such as \\n or \\u00e9'],
    ['{"a": 01}', 'subnets.json: is no JSON at line 1, column 8: "1"; expected "," or "}"'],
  ])('%j', async (text, message) => {
    expect(await inFolder({ 'subnets.json': text })).toBe(message);
  });

  test.each([
    [
      '{"NetworkInterfaces": [',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 23: the file ends; expected a value or "]"',
    ],
    [
      '{"NetworkInterfaces": [{"a": tru',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 29: "t"; expected a value',
    ],
    [
      '{"NetworkInterfaces": [{"a": "b',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 31: the file ends; expected the end of a string',
    ],
    [
      '{"NetworkInterfaces": [{"a": [1}]',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 31: "}"; expected "," or "]"',
    ],
    [
      '{"NetworkInterfaces": []} x',
      'network-interfaces.json: is no JSON at byte 26: "x"; expected nothing more after the document',
    ],
    [
      '{"NetworkInterfaces": [], }',
      'network-interfaces.json: is no JSON at byte 26: "}"; expected a key in double quotes',
    ],
    ['{"NetworkInterfaces": null}', 'network-interfaces.json: NetworkInterfaces: is null; expected a list'],
    ['{"NetworkInterfaces": {}}', 'network-interfaces.json: NetworkInterfaces: is an object; expected a list'],
    [
      '{"NetworkInterfaces": [], "NetworkInterfaces": []}',
      'network-interfaces.json: NetworkInterfaces: stands twice in one document; expected one list',
    ],
    [
      '{"NetworkInterfaces": [null]}',
      'network-interfaces.json: NetworkInterfaces[0] (in the item at byte 23): is null; expected a network interface',
    ],
    ['An error occurred', 'network-interfaces.json: is no JSON at byte 0: "A"; expected a document'],
    [
      '{"NetworkInterfaces" []}',
      'network-interfaces.json: NetworkInterfaces: is no JSON at byte 21: "["; expected ":"',
    ],
    [
      '{"NetworkInterfaces": [é]}',
      'network-interfaces.json: NetworkInterfaces[0]: is no JSON at byte 23: the byte 0xc3; expected a value or "]"',
    ],
  ])('in interfaces: %s', async (text, message) => {
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': text })).toBe(message);
  });

  test('in an interface names its index and byte', async () => {
    const broken = eni(2, { PrivateIpAddresses: [{ PrivateIpAddress: '10.0.0.999' }] });
    const document = { NetworkInterfaces: [eni(1), broken] };
    const byte = Buffer.byteLength(JSON.stringify(document).split('{"Attachment"').slice(0, 2).join('{"Attachment"'));
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': document })).toBe(
      `network-interfaces.json: NetworkInterfaces[1].PrivateIpAddresses[0].PrivateIpAddress (in the item at byte ${byte}): ` +
        '"10.0.0.999" is no IPv4 address; expected an IPv4 address such as 10.0.0.4',
    );
  });

  test('an interface whose bracket is missing does not swallow the file', async () => {
    const head = '{"NetworkInterfaces": [{"a": [1, ';
    const text = head + '{"b": 2}, '.repeat(2 * 1024 * 1024);
    expect(await inFolder({ 'subnets.json': DOCUMENTS.subnets, 'network-interfaces.json': text })).toMatch(
      /^network-interfaces\.json: NetworkInterfaces\[0\]: is no JSON at byte \d+: it is longer than 16777216 bytes; expected/,
    );
  });
});
