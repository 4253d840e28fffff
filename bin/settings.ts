/** What a user may set about the assessment: the same configuration document that the service takes. */
import { readFile } from 'node:fs/promises';
import type { Argv } from 'yargs';
import type { Config } from '../lambdas/contract/config.ts';
import type { AssessSettings } from '../lambdas/core/assess/settings.ts';
import { one } from './options.ts';
import { UsageError } from './usage-error.ts';

export function settingsOption<Args>(yargs: Argv<Args>) {
  return yargs.option('config', {
    type: 'string',
    requiresArg: true,
    coerce: one('config'),
    describe: 'Configuration document (YAML or JSON): thresholds, and selectors of clusters',
  });
}

/** @throws UsageError the file cannot be read as YAML. @throws ConfigError it says what cannot be. */
export async function settingsOf(args: ConfigArgs): Promise<AssessSettings> {
  return (await configOf(args)).settings;
}

interface ConfigArgs {
  readonly config?: string | undefined;
}

/** The whole document, where one was given, and the part of it that an assessment reasons with. Errors as {@link settingsOf}. */
export async function configOf({
  config: path,
}: ConfigArgs): Promise<{ readonly config?: Config; readonly settings: AssessSettings }> {
  if (path === undefined) return { settings: {} };
  const [{ parse }, { parseConfig }, { settingsFromConfig }] = await Promise.all([
    import('yaml'),
    import('../lambdas/contract/config.ts'),
    import('../lambdas/core/assess/settings.ts'),
  ]);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--config: cannot read ${path}: ${error.code ?? error.message}`);
  });
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    const [first] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UsageError(`--config: ${path} is no YAML: ${first}`);
  }
  const config = parseConfig(document, path);
  return { config, settings: settingsFromConfig(config) };
}
