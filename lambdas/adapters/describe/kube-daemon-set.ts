/** `kubectl get daemonset aws-node -n kube-system`. */
import type { Place } from '../../core/input/place.ts';
import type { CniDaemonSetFacts } from '../../core/subnet/snapshot.ts';
import { type KubeObject, kubeObjects } from './documents.ts';
import { asObject, defined, type Fields, optionalListAt, optionalTextAt, textAt, wrongDocument } from './fields.ts';
import { nameOf, under } from './kube-metadata.ts';

const SHAPE = { command: 'kubectl get daemonset aws-node -n kube-system', kinds: ['DaemonSet'] };
const CNI = 'aws-node';

/** The `aws-node` DaemonSet of the document. Errors: `WRONG_DOCUMENT` where it holds none. */
export function decodeDaemonSet(document: unknown, place: Place): CniDaemonSetFacts {
  const objects = kubeObjects(document, place, SHAPE);
  const named = objects.map((object) => ({ name: nameOf(object), object }));
  const found = named.find(({ name }) => name === CNI);
  if (found === undefined) {
    const names = named.map(({ name }) => JSON.stringify(name));
    const what = names.length === 0 ? 'holds no DaemonSet' : `holds ${names.slice(0, 4).join(', ')}`;
    throw wrongDocument(place, what, `the DaemonSet ${CNI}, as ${SHAPE.command} -o json prints it`);
  }
  const [container, inside] = cniContainer(found.object);
  return defined({ version: versionOf(container, inside), env: environment(container, inside) });
}

/** The container of the CNI itself; beside it stands the network policy agent, and others may have put sidecars. */
function cniContainer(object: KubeObject): [Fields, Place] {
  const [spec, place] = under(object, 'spec', 'template', 'spec');
  const inside = place.at('containers');
  for (const [index, item] of optionalListAt(spec, 'containers', place).entries()) {
    const container = asObject(item, inside.at(index));
    if (optionalTextAt(container, 'name', inside.at(index)) === CNI) return [container, inside.at(index)];
  }
  throw wrongDocument(inside, `has no container ${CNI}`, `the DaemonSet ${CNI}, whose container has that name too`);
}

/** `v1.22.1` of `registry/amazon-k8s-cni:v1.22.1-eksbuild.1@sha256:...`. */
function versionOf(container: Fields, place: Place): string | undefined {
  const image = optionalTextAt(container, 'image', place);
  return image === undefined ? undefined : /:(v\d+\.\d+\.\d+)(?:[-+.@]|$)/.exec(image)?.[1];
}

/** Variables with a value; one that is taken from elsewhere (`valueFrom`) cannot be read here. */
function environment(container: Fields, place: Place): ReadonlyMap<string, string> {
  const env = new Map<string, string>();
  for (const [index, item] of optionalListAt(container, 'env', place).entries()) {
    const inside = place.at('env').at(index);
    const variable = asObject(item, inside);
    const value = optionalTextAt(variable, 'value', inside);
    const name = textAt(variable, 'name', inside, 'the name of a variable');
    if (value !== undefined) env.set(name, value);
    // kubectl leaves an empty value out altogether.
    else if (variable.valueFrom === undefined || variable.valueFrom === null) env.set(name, '');
  }
  return env;
}
