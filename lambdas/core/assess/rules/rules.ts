/** Every rule of the assessment. The order does not matter: findings are sorted. */
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [];
