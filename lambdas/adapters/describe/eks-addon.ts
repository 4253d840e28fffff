/** `eks describe-addon`. */
import { wrongType } from '../../core/input/input-error.ts';
import type { Place } from '../../core/input/place.ts';
import type { AddonFacts } from '../../core/subnet/snapshot.ts';
import { enveloped } from './documents.ts';
import { asObject, defined, type Fields, optionalObjectAt, optionalTextAt, textAt } from './fields.ts';
import { healthIssuesOf } from './health-issues.ts';

/** Reads the text of a configuration: `parseConfiguration` of addon-configuration.ts, or less where less will do. */
export type ConfigurationParser = (text: string, place: Place) => unknown;

/**
 * The configuration where it is JSON; `undefined` where it is not. Of a key that is there twice the last one counts: RFC 8259 leaves it open, most parsers do
 * so, EKS does not say, and what it tells of it has accepted. As YAML, for which that is an error, the same text would be refused.
 */
export function jsonConfiguration(text: string): unknown {
  try {
    return text.trim() === '' ? {} : ((JSON.parse(text) as unknown) ?? {});
  } catch {
    return undefined;
  }
}

/** One add-on, in its envelope `addon` or bare. */
export function decodeAddon(document: unknown, place: Place, parse: ConfigurationParser): AddonFacts {
  const [fields, inside] = enveloped(document, place, { command: 'eks describe-addon', key: 'addon' }, 'addonName');
  return defined({
    cluster: textAt(fields, 'clusterName', inside, 'a cluster name'),
    name: textAt(fields, 'addonName', inside, 'an add-on name'),
    version: optionalTextAt(fields, 'addonVersion', inside),
    env: environment(fields, inside, parse),
    healthIssues: healthIssuesOf(fields, inside),
  });
}

/** `env` of the configuration: JSON or YAML text of the user's, of which only overrides are told. A value that is `null` overrides nothing. */
function environment(fields: Fields, outer: Place, parse: ConfigurationParser): ReadonlyMap<string, string> {
  const text = optionalTextAt(fields, 'configurationValues', outer);
  const env = new Map<string, string>();
  if (text === undefined || text.trim() === '') return env;
  const place = outer.at('configurationValues');
  const values = optionalObjectAt(asObject(parse(text, place), place), 'env', place);
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value === null) continue;
    const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (!scalar) throw wrongType(place.at('env').at(name), value, 'text, a number, true or false');
    env.set(name, String(value));
  }
  return env;
}
