/** One statement of a role, with its reason. Roles are made of these lists and of nothing else. */
import { type IResolvable, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

export interface Permission {
  readonly sid: string;
  readonly effect?: iam.Effect;
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  /** What it is for; and, where a resource has a wildcard, why it cannot be narrower. */
  readonly why: string;
}

export function policyDocument(permissions: readonly Permission[]): iam.PolicyDocument {
  return new iam.PolicyDocument({
    // Statements must stay as they are listed: merged ones would lose their sid and with it their reason.
    minimize: false,
    statements: permissions.map(
      ({ sid, effect, actions, resources, conditions }) =>
        new iam.PolicyStatement({
          sid,
          effect: effect ?? iam.Effect.ALLOW,
          actions: [...actions],
          resources: [...resources],
          ...(conditions === undefined ? {} : { conditions }),
        }),
    ),
  });
}

/** Acknowledges each wildcard of the list by itself, with its reason: a wildcard that is in no list still fails synth. */
export function acknowledgeWildcards(role: IConstruct, permissions: readonly Permission[]): void {
  const stack = Stack.of(role);
  for (const { resources, why, effect } of permissions) {
    if (effect === iam.Effect.DENY) continue;
    for (const resource of resources) {
      const written = readable(stack.resolve(resource) as unknown);
      if (written.includes('*')) {
        Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${written}]`, reason: why });
      }
    }
  }
}

/** What a document shows of a resource or a condition: references by name. */
export function shown(scope: IConstruct, value: unknown): string {
  return readable(Stack.of(scope).resolve(value) as unknown).replaceAll(/<(\w+?)[0-9A-F]{8}(\.Arn)?>/g, '<$1>');
}

/** An ARN with references written as `<Name>`, as cdk-nag writes them. */
function readable(resolved: unknown): string {
  if (typeof resolved === 'string') return resolved;
  const intrinsic = resolved as {
    readonly Ref?: string;
    readonly 'Fn::GetAtt'?: readonly [string, string];
    readonly 'Fn::Join'?: readonly [string, readonly (string | IResolvable)[]];
  };
  if (intrinsic.Ref !== undefined) return `<${intrinsic.Ref}>`;
  const attribute = intrinsic['Fn::GetAtt'];
  if (attribute !== undefined) return `<${attribute.join('.')}>`;
  const join = intrinsic['Fn::Join'];
  if (join !== undefined) return join[1].map(readable).join(join[0]);
  throw new Error(`an ARN of an unknown form: ${JSON.stringify(resolved)}`);
}
