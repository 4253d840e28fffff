import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaFiles } from '../../bin/schemas.ts';

const FOLDER = new URL('../../docs/schema/', import.meta.url);

describe('docs/schema', () => {
  test('holds a file for each public document and no other', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...schemaFiles().keys()].sort());
  });

  test.each([...schemaFiles()])('%s is what `npm run schema` writes', (name, text) => {
    expect(readFileSync(new URL(name, FOLDER), 'utf8')).toBe(text);
  });

  test.each([...schemaFiles()])('%s is a schema that a validator takes', (_name, text) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } });
    expect(() => ajv.compile(JSON.parse(text) as object)).not.toThrow();
  });
});
