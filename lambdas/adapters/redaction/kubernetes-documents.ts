/** What of each `kubectl get` document may be written, and how. */
import type { InputName, SubnetSelectorTerm } from '../../core/subnet/snapshot.ts';
import { writersOf } from './aws-documents.ts';
import { redactEnvironment } from './environment.ts';
import { ZONE } from './known-tags.ts';
import type { Pseudonyms } from './pseudonyms.ts';
import { fields, keep, list, type Rule, text } from './rules.ts';

/** Writes one selector term, by one or more. */
export type WriteTerm = (term: SubnetSelectorTerm) => readonly object[];

/** Namespaces that every cluster has. */
const NAMESPACES: ReadonlySet<string> = new Set(['', 'default', 'kube-system', 'kube-public', 'kube-node-lease']);

export function kubernetesRules(names: Pseudonyms, writeTerm: WriteTerm): Partial<Readonly<Record<InputName, Rule>>> {
  const { id, name, tagMap } = writersOf(names);
  const metadata = fields({ name });
  const pods = fields({ pods: keep });
  const terms: Rule = (value) =>
    Array.isArray(value) ? value.flatMap((term: unknown) => writeTerm(termOf(term))) : undefined;
  return {
    nodes: objects(
      fields({
        kind: keep,
        metadata: fields({ name, labels: tagMap }),
        spec: fields({ providerID: text((provider) => redactProvider(provider, names)) }),
        status: fields({ allocatable: pods, capacity: pods }),
      }),
    ),
    pods: objects(
      fields({
        kind: keep,
        metadata: fields({
          name,
          namespace: text((namespace) => (NAMESPACES.has(namespace) ? namespace : names.name(namespace))),
        }),
        spec: fields({ nodeName: name, hostNetwork: keep }),
        status: fields({ phase: keep }),
      }),
    ),
    nodeclasses: objects(
      fields({
        kind: keep,
        metadata,
        spec: fields({
          subnetSelectorTerms: terms,
          podSubnetSelectorTerms: terms,
          ipPrefixCount: keep,
          kubelet: fields({ maxPods: keep }),
        }),
      }),
    ),
    nodepools: objects(
      fields({
        kind: keep,
        metadata,
        spec: fields({
          template: fields({ spec: fields({ expireAfter: keep, nodeClassRef: fields({ kind: keep, name }) }) }),
          disruption: fields({ expireAfter: keep }),
        }),
      }),
    ),
    eniconfigs: objects(
      fields({
        kind: keep,
        // Named after its zone where nodes find it by their zone label.
        metadata: fields({ name: text((of) => (ZONE.test(of) ? of : names.name(of))) }),
        spec: fields({ subnet: id }),
      }),
    ),
    daemonset: objects(daemonSet(names)),
  };
}

/** One object, or a list of them. */
function objects(rule: Rule): Rule {
  const items = fields({ kind: keep, items: list(rule) });
  return (value) => (typeof value === 'object' && value !== null && 'items' in value ? items(value) : rule(value));
}

function redactProvider(provider: string, names: Pseudonyms): string {
  const [, zone, instanceId] = /^aws:\/\/\/([^/]*)\/([^/]+)$/.exec(provider) ?? [];
  return instanceId === undefined ? names.name(provider) : `aws:///${zone}/${names.id(instanceId)}`;
}

function termOf(raw: unknown): SubnetSelectorTerm {
  const { id, tags } = raw as {
    readonly id?: string | null;
    readonly tags?: { readonly [key: string]: string } | null;
  };
  return { ...(typeof id === 'string' ? { id } : {}), tags: new Map(Object.entries(tags ?? {})) };
}

/** The CNI's own container: name, version and settings. */
function daemonSet(names: Pseudonyms): Rule {
  const env: Rule = (value) => {
    if (!Array.isArray(value)) return undefined;
    const given = new Map<string, string>();
    for (const variable of value as readonly {
      readonly name: string;
      readonly value?: string;
      valueFrom?: unknown;
    }[]) {
      if (variable.valueFrom === undefined || variable.valueFrom === null) {
        given.set(variable.name, variable.value ?? '');
      }
    }
    return [...redactEnvironment(given, names)].map(([name, written]) => ({ name, value: written }));
  };
  const container = fields({
    name: text((name) => (name === 'aws-node' ? name : names.name(name))),
    // The registry names an account: of the image only the version says anything.
    image: text((image) => `amazon-k8s-cni${/:v\d+\.\d+\.\d+[\w.-]*/.exec(image)?.[0] ?? ''}`),
    env,
  });
  return fields({
    kind: keep,
    metadata: fields({
      name: text((name) => (name === 'aws-node' ? name : names.name(name))),
      namespace: keep,
    }),
    spec: fields({ template: fields({ spec: fields({ containers: list(container) }) }) }),
  });
}
