/** Which inputs of a region were read, which nobody gave and which failed: what the document's `source` says. */
import {
  type EniReading,
  INPUT_NAMES,
  type InputName,
  type KubernetesFacts,
  type ReadFailure,
  type RegionFacts,
} from './snapshot.ts';

type State = 'read' | 'absent' | 'unknown';

/** The state of each input, in the order of {@link INPUT_NAMES}; how they were read (`reading`) is no input of its own. */
export function inputStates(facts: RegionFacts, enis: EniReading): ReadonlyMap<InputName, State> {
  const given = (value: unknown): State => (value === undefined ? 'absent' : 'read');
  const failed = (input: InputName) => facts.failures.some((failure) => failure.input === input);
  const inside = (name: Exclude<keyof KubernetesFacts, 'cluster'>): State => {
    const states = facts.kubernetes.map((one) => one[name].state);
    if (states.includes('unknown')) return 'unknown';
    return states.includes('read') ? 'read' : 'absent';
  };
  const states: Readonly<Record<Exclude<InputName, 'reading'>, State>> = {
    subnets: failed('subnets') ? 'unknown' : 'read',
    'network-interfaces': enis.state === 'read' && enis.failures.length > 0 ? 'unknown' : enis.state,
    'cidr-reservations': facts.reservations.state,
    vpcs: facts.vpcs.state,
    'route-tables': facts.routeTables.state,
    'network-acls': facts.networkAcls.state,
    'availability-zones': facts.zones.state,
    instances: facts.instances.state,
    'instance-types': facts.instanceTypes.state,
    clusters: facts.clusters.state,
    nodegroups: facts.nodegroups.state,
    addons: facts.addons.state,
    nodes: inside('nodes'),
    pods: inside('pods'),
    nodeclasses: inside('nodeClasses'),
    nodepools: inside('nodePools'),
    eniconfigs: inside('eniConfigs'),
    daemonset: inside('daemonSet'),
    caller: failed('caller') ? 'unknown' : given(facts.account),
    now: given(facts.now),
  };
  return new Map(INPUT_NAMES.flatMap((name) => (name === 'reading' ? [] : [[name, states[name]] as const])));
}

/** The inputs that nobody gave. */
export function absentInputs(facts: RegionFacts, enis: EniReading): readonly InputName[] {
  return [...inputStates(facts, enis)].filter(([, state]) => state === 'absent').map(([name]) => name);
}

/** The inputs that were read to the end, if only to find nothing. */
export function readInputs(facts: RegionFacts, enis: EniReading): readonly InputName[] {
  return [...inputStates(facts, enis)].filter(([, state]) => state === 'read').map(([name]) => name);
}

/** Every read that failed, each once, in call order: those of the facts, then those of the network interfaces. */
export function failuresOf(facts: RegionFacts, enis: EniReading): readonly ReadFailure[] {
  return [...new Set([...facts.failures, ...(enis.state === 'read' ? enis.failures : [])])];
}
