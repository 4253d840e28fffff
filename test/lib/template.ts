/** Synthesises the stack for tests: the real app with inline code, since what a bundle holds is no business of the template. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, type Environment } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type ConfigDocument, parseConfig } from '../../lambdas/contract/config.ts';
import { FEATURE_FLAGS } from '../../lib/flags.ts';
import { HeadroomStack } from '../../lib/headroom-stack.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

export function inlineStack(app: App, document: ConfigDocument = {}, env?: Environment): HeadroomStack {
  return new HeadroomStack(app, 'Headroom', {
    config: parseConfig(document),
    code: (name) => Code.fromInline(`export const name = '${name}';`),
    ...(env === undefined ? {} : { env }),
  });
}

/** The template as CloudFormation would read it. */
export function synthesise(document: ConfigDocument = {}, env?: Environment): Template {
  const outdir = mkdtempSync(path.join(tmpdir(), 'headroom-synth-'));
  try {
    const app = new App({ analyticsReporting: false, context: FEATURE_FLAGS, outdir });
    inlineStack(app, document, env);
    app.synth();
    return JSON.parse(readFileSync(path.join(outdir, 'Headroom.template.json'), 'utf8')) as Template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

export function resourcesOf(template: Template, type: string): ReadonlyMap<string, Resource> {
  return new Map(Object.entries(template.Resources).filter(([, resource]) => resource.Type === type));
}

/** The resources of one template by type, and the only one whose logical id begins with a name. */
export interface Lookup {
  readonly all: (type: string) => readonly Resource[];
  /** @throws Error where there is none, or more than one. */
  readonly only: (type: string, idStart: string) => Resource;
}

export function lookup(template: Template): Lookup {
  return {
    all: (type) => [...resourcesOf(template, type).values()],
    only: (type, idStart) => {
      const found = [...resourcesOf(template, type)].filter(([id]) => id.startsWith(idStart));
      const [one] = found;
      if (one === undefined || found.length > 1) {
        throw new Error(`${found.length} of ${type} begin with ${idStart}: ${found.map(([id]) => id).join(', ')}`);
      }
      return one[1];
    },
  };
}

/** Logical ids without the hash that the CDK appends, and intrinsics as short text: `<TopicsCritical>`, `arn:<AWS::Partition>:...`. */
export function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[key, inner] = ['', undefined]] = entries;
  if (entries.length === 1 && key === 'Ref') return `<${withoutHash(String(inner))}>`;
  if (entries.length === 1 && key === 'Fn::GetAtt') {
    const [id, attribute] = inner as [string, string];
    return `<${withoutHash(id)}.${attribute}>`;
  }
  if (entries.length === 1 && key === 'Fn::Join') {
    const [separator, parts] = inner as [string, readonly unknown[]];
    return parts.map(readable).join(separator);
  }
  return Object.fromEntries(entries.map(([name, part]) => [name, readable(part)]));
}

function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
