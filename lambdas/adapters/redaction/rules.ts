/** Small parts of which the rules for whole documents are made. A rule names what stays; what no rule names is left out. */

/** The value as it may be written; `undefined` leaves the field out. */
export type Rule = (value: unknown) => unknown;

/** Numbers, flags, and text that identifies nobody. */
export const keep: Rule = (value) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value instanceof Date ? value.toISOString() : undefined;
};

export function text(change: (value: string) => string): Rule {
  return (value) => (typeof value === 'string' ? change(value) : undefined);
}

/** A missing field stays missing, `null` stays `null`. */
export function fields(rules: { readonly [key: string]: Rule }): Rule {
  const entries = Object.entries(rules);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const given = value as { readonly [key: string]: unknown };
    const kept: { [key: string]: unknown } = {};
    for (const [key, rule] of entries) {
      const field = given[key];
      const written = field === null ? null : field === undefined ? undefined : rule(field);
      if (written !== undefined) kept[key] = written;
    }
    return kept;
  };
}

export function list(rule: Rule): Rule {
  return (value) => (Array.isArray(value) ? value.map((item) => rule(item) ?? null) : undefined);
}
