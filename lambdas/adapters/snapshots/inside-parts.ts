/** Decodes one file from inside a cluster, and puts the files of each cluster together. */
import type { Place } from '../../core/input/place.ts';
import type {
  CniDaemonSetFacts,
  EniConfigFacts,
  InputName,
  KubernetesFacts,
  NodeClassFacts,
  NodeFacts,
  NodePoolFacts,
  PodFacts,
  Reading,
} from '../../core/subnet/snapshot.ts';
import { decodeDaemonSet } from '../describe/kube-daemon-set.ts';
import { decodeEniConfigs } from '../describe/kube-eni-configs.ts';
import { decodeNodeClasses } from '../describe/kube-node-classes.ts';
import { decodeNodePools } from '../describe/kube-node-pools.ts';
import { decodeNodes } from '../describe/kube-nodes.ts';
import { decodePods } from '../describe/kube-pods.ts';

/** What one file told. */
export interface InsidePart {
  readonly nodes?: readonly NodeFacts[];
  readonly pods?: readonly PodFacts[];
  readonly nodeClasses?: readonly NodeClassFacts[];
  readonly nodePools?: readonly NodePoolFacts[];
  readonly eniConfigs?: readonly EniConfigFacts[];
  readonly daemonSet?: CniDaemonSetFacts;
}

const DECODERS = {
  nodes: (document, place) => ({ nodes: decodeNodes(document, place) }),
  pods: (document, place) => ({ pods: decodePods(document, place) }),
  nodeclasses: (document, place) => ({ nodeClasses: decodeNodeClasses(document, place) }),
  nodepools: (document, place) => ({ nodePools: decodeNodePools(document, place) }),
  eniconfigs: (document, place) => ({ eniConfigs: decodeEniConfigs(document, place) }),
  daemonset: (document, place) => ({ daemonSet: decodeDaemonSet(document, place) }),
} as const satisfies Partial<Record<InputName, (document: unknown, place: Place) => InsidePart>>;

export type InsideInput = keyof typeof DECODERS;

export function isInsideInput(input: InputName): input is InsideInput {
  return input in DECODERS;
}

export function decodeInside(input: InsideInput, document: unknown, place: Place): InsidePart {
  return DECODERS[input](document, place);
}

/** One entry for each cluster, by name; an input of which no file was found is `absent`. */
export function kubernetesOf(
  parts: readonly { readonly cluster: string; readonly part: InsidePart }[],
): readonly KubernetesFacts[] {
  const clusters = [...new Set(parts.map(({ cluster }) => cluster))].sort();
  return clusters.map((cluster) => {
    const own = parts.filter((one) => one.cluster === cluster).map(({ part }) => part);
    return {
      cluster,
      nodes: listed(
        own.map(({ nodes }) => nodes),
        ({ name }) => name,
      ),
      pods: listed(
        own.map(({ pods }) => pods),
        ({ namespace, name }) => `${namespace}/${name}`,
      ),
      nodeClasses: listed(
        own.map(({ nodeClasses }) => nodeClasses),
        ({ kind, name }) => `${kind}/${name}`,
      ),
      nodePools: listed(
        own.map(({ nodePools }) => nodePools),
        ({ name }) => name,
      ),
      eniConfigs: listed(
        own.map(({ eniConfigs }) => eniConfigs),
        ({ name }) => name,
      ),
      daemonSet: single(own.map(({ daemonSet }) => daemonSet)),
    };
  });
}

function listed<T>(lists: readonly (readonly T[] | undefined)[], idOf: (item: T) => string): Reading<readonly T[]> {
  const given = lists.filter((list) => list !== undefined);
  if (given.length === 0) return { state: 'absent' };
  const byId = new Map(given.flat().map((item) => [idOf(item), item]));
  return { state: 'read', value: [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item) };
}

function single<T>(values: readonly (T | undefined)[]): Reading<T> {
  const value = values.find((one) => one !== undefined);
  return value === undefined ? { state: 'absent' } : { state: 'read', value };
}
