import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { getAwsRegionExtensionConfiguration, resolveAwsRegionExtensionConfiguration } from '@aws-sdk/core/client';
import { describe, expect, test } from '@jest/globals';
import { getDefaultExtensionConfiguration, resolveDefaultRuntimeConfig } from '@smithy/core/client';
import { getHttpHandlerExtensionConfiguration, resolveHttpHandlerRuntimeConfig } from '@smithy/core/protocols';
import { ownWords } from '../../lib/function/own-words.ts';
import { exportedNames, REPLACEMENTS, replacementFor } from '../../lib/function/replaced-modules.ts';

const MODULES = path.join(import.meta.dirname, '../../node_modules');

const read = (file: string) => readFileSync(path.join(MODULES, file), 'utf8');
const FILES = REPLACEMENTS.flatMap((one) => globSync(one.file, { cwd: MODULES }).map((file) => [file, one] as const));

test('each stands for something', () => {
  expect(new Set(FILES.map(([, one]) => one))).toEqual(new Set(REPLACEMENTS));
});

test.each(FILES)('%s is there, and keeps its names', (file, one) => {
  const original = exportedNames(read(file));
  const contents = replacementFor(one, original);
  expect(original.size).toBeGreaterThan(0);
  expect(contents === undefined ? undefined : exportedNames(contents)).toEqual(original);
});

describe('nothing is missed, since', () => {
  test.each([
    'SSECustomerKey',
    'followRegionRedirects',
    'endpointDiscoveryEnabled',
    'requestStreamBufferSize',
    'logger',
  ])('no source of ours gives %s', (setting) => expect(ownWords()).not.toContain(setting));

  test('no command of DynamoDB asks for discovery', () => {
    expect(read('@aws-sdk/client-dynamodb/dist-es/commandBuilder.js')).not.toMatch(/discovery/i);
    expect(read('@aws-sdk/client-dynamodb/dist-es/commands/PutItemCommand.js')).not.toMatch(/discovery/i);
  });

  test('what the extensions of a client do without an extension is the same for each, and sets what was set', () => {
    const texts = FILES.flatMap(([file]) => (file.endsWith('runtimeExtensions.js') ? [read(file)] : []));
    expect(texts.length).toBeGreaterThan(10);
    for (const text of new Set(texts)) {
      expect([...text.matchAll(/(?:get|resolve)\w+(?=\()/g)].map(([name]) => name)).toEqual([
        'getAwsRegionExtensionConfiguration',
        'getDefaultExtensionConfiguration',
        'getHttpHandlerExtensionConfiguration',
        'getHttpAuthExtensionConfiguration',
        'resolveAwsRegionExtensionConfiguration',
        'resolveDefaultRuntimeConfig',
        'resolveHttpHandlerRuntimeConfig',
        'resolveHttpAuthRuntimeConfig',
      ]);
    }
    const { config } = new S3Client({ region: 'eu-central-1' });
    const known = { ...config } as Record<string, unknown>;
    const extended = Object.assign(
      getAwsRegionExtensionConfiguration(config),
      getDefaultExtensionConfiguration(config as never),
      getHttpHandlerExtensionConfiguration(config as never),
    );
    const set = Object.assign(
      resolveAwsRegionExtensionConfiguration(extended),
      resolveDefaultRuntimeConfig(extended),
      resolveHttpHandlerRuntimeConfig(extended),
    );
    expect(Object.keys(set)).toEqual(expect.arrayContaining(['region', 'retryStrategy', 'requestHandler', 'md5']));
    for (const [name, value] of Object.entries(set)) expect(value).toBe(known[name]);
  });
});

describe('a module', () => {
  test('that lost a name of ours is left as it is', () => {
    expect(replacementFor({ file: 'a.js', contents: 'export class A {}' }, new Set(['B']))).toBeUndefined();
  });

  test('whose name is used after all says so', () => {
    const code = replacementFor({ file: 'a.js' }, new Set(['Sha']))?.replaceAll('export ', '');
    const used = new Function(`${code}\nreturn new Sha();`) as () => unknown;
    expect(used).toThrow('Sha is left out of the bundle');
  });

  test.each([
    ['export const a = 1, b = 2;', ['a', 'b']],
    ['export function f() {}\nexport class C {}', ['f', 'C']],
    ["export { x, y as z } from './other';", ['x', 'z']],
    ['const hidden = 1;', []],
  ])('%s exports %j', (source, names) => expect([...exportedNames(source)]).toEqual(names));
});
