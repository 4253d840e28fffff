import { Effect } from 'aws-cdk-lib/aws-iam';
import type { FunctionName } from '../../lambdas/contract/names.ts';
import { HeadroomFunction } from '../function/headroom-function.ts';
import type { HeadroomStack } from '../headroom-stack.ts';
import { type Permission, shown } from '../iam/permission.ts';
import { code, table } from './markdown.ts';

const HEAD = ['statement', 'actions', 'resources', 'condition', 'why'];

/** What the functions of a stack may do, from the very lists their roles are made of. @param wanted - which; default: all. */
export function permissionTables(stack: HeadroomStack, wanted: (name: FunctionName) => boolean = () => true): string {
  return stack.node
    .findAll()
    .filter((construct) => construct instanceof HeadroomFunction)
    .filter(({ name }) => wanted(name))
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
