import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Config, parseConfig } from '../../lambdas/contract/config.ts';
import { ConfigError } from '../../lambdas/contract/config-problem.ts';

/**
 * Reads `-c config=FILE` (YAML or JSON); no file gives the defaults.
 *
 * @throws {@link ConfigError} naming the file, and every field with its value and what would be right.
 */
export function loadConfig(file: string | undefined): Config {
  return parseConfig(file === undefined ? {} : readDocument(file), file);
}

function readDocument(file: string): unknown {
  const problem = (remedy: string) =>
    new ConfigError([{ field: '-c config', value: JSON.stringify(file), remedy }], file);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw problem(`must name a file that can be read (${messageOf(error)})`);
  }
  try {
    return parse(text);
  } catch (error) {
    throw problem(`must be YAML or JSON: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
