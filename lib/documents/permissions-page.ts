import { Effect } from 'aws-cdk-lib/aws-iam';
import { HeadroomFunction } from '../function/headroom-function.ts';
import type { HeadroomStack } from '../headroom-stack.ts';
import { type Permission, shown } from '../iam/permission.ts';
import { code, table } from './markdown.ts';

const HEAD = ['statement', 'actions', 'resources', 'condition', 'why'];

/** What every function of a stack may do, from the very lists its roles are made of. */
export function permissionTables(stack: HeadroomStack): string {
  return stack.node
    .findAll()
    .filter((construct) => construct instanceof HeadroomFunction)
    .map(
      (made) =>
        `### ${made.name}\n\n${table(
          HEAD,
          made.permissions.map((permission) => row(made, permission)),
        )}`,
    )
    .join('\n\n');
}

function row(made: HeadroomFunction, permission: Permission): readonly string[] {
  const { sid, effect, actions, resources, conditions = {}, why } = permission;
  const name = (value: unknown) => code(shown(made, value));
  const condition = Object.entries(conditions).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, value]) => `${code(key)} ${operator} ${[value].flat().map(name).join(', ')}`),
  );
  return [
    effect === Effect.DENY ? `${sid} (denied)` : sid,
    actions.map(code).join(', '),
    resources.map(name).join(', '),
    condition.join('; '),
    why,
  ];
}
