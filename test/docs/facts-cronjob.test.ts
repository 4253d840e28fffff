import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { factsPrefix } from '../../lambdas/contract/names.ts';
import { INPUT_NAMES } from '../../lambdas/core/subnet/snapshot.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}
interface Manifest {
  readonly kind: string;
  readonly rules?: readonly Rule[];
  readonly spec?: {
    readonly jobTemplate: {
      readonly spec: {
        readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } };
      };
    };
  };
}

const text = readFileSync(new URL('../../docs/facts-cronjob.yaml', import.meta.url), 'utf8');
const manifests = parseAllDocuments(text).map((document) => {
  expect(document.errors).toEqual([]);
  return document.toJS() as Manifest;
});
const script = manifests.find(({ kind }) => kind === 'CronJob')!.spec!.jobTemplate.spec.template.spec.containers[0]!
  .args[0]!;

describe('the CronJob that brings facts out of a cluster', () => {
  test('may list six kinds and get one daemon set, and nothing else', () => {
    const rules = manifests.flatMap(({ rules = [] }) => rules);
    const may = rules.flatMap(({ apiGroups, resources, verbs, resourceNames = ['*'] }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => `${verb} ${apiGroups.join()}/${resource} ${resourceNames.join()}`),
      ),
    );
    expect(may.sort()).toEqual(
      [
        'list /nodes *',
        'list /pods *',
        'list karpenter.k8s.aws/ec2nodeclasses *',
        'list eks.amazonaws.com/nodeclasses *',
        'list karpenter.sh/nodepools *',
        'list crd.k8s.amazonaws.com/eniconfigs *',
        'get apps/daemonsets aws-node',
      ].sort(),
    );
  });

  test('writes the files that Headroom reads, where it reads them', () => {
    const files = [...script.matchAll(/\blist (\w+) |> (\w+)\.json/g)].map(([, listed, written]) => listed ?? written);
    const inputs: readonly string[] = INPUT_NAMES;
    expect([...new Set(files)].sort()).toEqual([
      'daemonset',
      'eniconfigs',
      'nodeclasses',
      'nodepools',
      'nodes',
      'pods',
    ]);
    for (const file of files) expect(inputs).toContain(file);
    expect(script).toContain(`s3://BUCKET/${factsPrefix('CLUSTER')}$file`);
    expect(text).toContain(`arn:aws:s3:::BUCKET/${factsPrefix('CLUSTER')}*`);
  });

  test('takes no environment, command or image of a pod out of the cluster', () => {
    const filter = /pods='([^']*)'/.exec(script)?.[1] ?? '';
    expect(filter).toContain('nodeName, hostNetwork');
    expect(filter).not.toMatch(/containers|env|volumes|annotations/);
  });
});
