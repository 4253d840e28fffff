/** Makes the document that `--json` prints of what was read and concluded. */
import type { DocumentSource, DocumentSubnet, HeadroomDocument } from '../../contract/document.ts';
import type { CapacityReport, SubnetReport } from '../assess/report.ts';
import type { EniReading, InputName, KubernetesFacts, ReadFailure, Reading, RegionFacts } from '../subnet/snapshot.ts';

/** As a type the schema's own: importing the value would load the schema library for every run. */
const SCHEMA_VERSION: HeadroomDocument['schemaVersion'] = 1;

/** What was read, as far as the document speaks of it. */
export interface ReadSource {
  readonly description: { readonly kind: 'live' | 'files' | 'snapshot'; readonly name: string };
  readonly facts: RegionFacts;
  readonly enis: EniReading;
}

export interface DocumentInput extends ReadSource {
  /** Absent for a verb that only reads. */
  readonly report?: CapacityReport;
  /** Only these subnets and what is found on them; default: all. */
  readonly only?: ReadonlySet<string>;
  /** What explaining one subnet adds. */
  readonly explained?: Pick<HeadroomDocument, 'reservations' | 'blocks'>;
  readonly plan?: HeadroomDocument['plan'];
  /** Epoch milliseconds of the real clock. */
  readonly generatedAt: number;
}

export function documentOf(input: DocumentInput): HeadroomDocument {
  const { report, only, explained } = input;
  const head = {
    schemaVersion: SCHEMA_VERSION,
    generatedAt: new Date(input.generatedAt).toISOString(),
    source: sourceOf(input),
  } as const;
  if (report === undefined) return { ...head, subnets: [] };
  if (only === undefined) {
    const { zones, clusters, findings } = report;
    const plan = input.plan === undefined ? {} : { plan: input.plan };
    return { ...head, subnets: report.subnets.map(subnetOf), zones, clusters, findings, ...plan };
  }
  return {
    ...head,
    subnets: report.subnets.filter(({ ledger }) => only.has(ledger.subnetId)).map(subnetOf),
    findings: report.findings.filter(({ subnetId }) => subnetId !== undefined && only.has(subnetId)),
    ...explained,
  };
}

function subnetOf(subnet: SubnetReport): DocumentSubnet {
  const { ledger, name, enis, clusters, byCluster } = subnet;
  return { ...ledger, ...(name === undefined ? {} : { name }), enis, clusters, byCluster };
}

export function sourceOf({ description, facts, enis }: ReadSource): DocumentSource {
  return {
    kind: description.kind,
    ...(description.kind === 'live' ? {} : { path: description.name }),
    ...(facts.region === undefined ? {} : { region: facts.region }),
    ...(facts.account === undefined ? {} : { account: facts.account }),
    now: facts.now === undefined ? null : new Date(facts.now).toISOString(),
    absent: absentInputs(facts, enis),
    unknown: failuresOf(facts, enis),
  };
}

/** Inputs that nobody gave: each counts as empty. */
function absentInputs(facts: RegionFacts, enis: EniReading): InputName[] {
  const absent = inputsIn(facts, enis, 'absent');
  const failed = new Set(facts.failures.map(({ input }) => input));
  if (facts.account === undefined && !failed.has('caller')) absent.push('caller');
  if (facts.now === undefined) absent.push('now');
  return absent;
}

/** Inputs that were read to the end. */
export function inputsRead(facts: RegionFacts, enis: EniReading): InputName[] {
  return inputsIn(facts, enis, 'read');
}

/** The inputs whose reading ended so, in the order of {@link INPUT_NAMES}; those from inside clusters where it is so for all. */
function inputsIn(facts: RegionFacts, enis: EniReading, state: Reading<unknown>['state']): InputName[] {
  const inside = (reading: (cluster: KubernetesFacts) => Reading<unknown>) =>
    facts.kubernetes.every((cluster) => reading(cluster).state === state)
      ? facts.kubernetes.length > 0 || state === 'absent'
      : false;
  const is = (reading: Reading<unknown>) => reading.state === state;
  const eniState = enis.state === 'read' && enis.failures.length > 0 ? 'unknown' : enis.state;
  const inputs: readonly (readonly [InputName, boolean])[] = [
    ['network-interfaces', eniState === state],
    ['cidr-reservations', is(facts.reservations)],
    ['vpcs', is(facts.vpcs)],
    ['route-tables', is(facts.routeTables)],
    ['network-acls', is(facts.networkAcls)],
    ['availability-zones', is(facts.zones)],
    ['instances', is(facts.instances)],
    ['instance-types', is(facts.instanceTypes)],
    ['clusters', is(facts.clusters)],
    ['nodegroups', is(facts.nodegroups)],
    ['addons', is(facts.addons)],
    ['nodes', inside(({ nodes }) => nodes)],
    ['pods', inside(({ pods }) => pods)],
    ['nodeclasses', inside(({ nodeClasses }) => nodeClasses)],
    ['nodepools', inside(({ nodePools }) => nodePools)],
    ['eniconfigs', inside(({ eniConfigs }) => eniConfigs)],
    ['daemonset', inside(({ daemonSet }) => daemonSet)],
  ];
  return inputs.filter(([, matches]) => matches).map(([input]) => input);
}

/** Every read that failed, each once, in call order: those of the facts, then those of the network interfaces. */
export function failuresOf(facts: RegionFacts, enis: EniReading): ReadFailure[] {
  return [...new Set([...facts.failures, ...(enis.state === 'read' ? enis.failures : [])])];
}
