/** Makes the document that `--json` prints of what was read and concluded. */
import {
  DOCUMENT_SCHEMA_VERSION,
  type DocumentSource,
  type DocumentSubnet,
  type HeadroomDocument,
} from '../../contract/document.ts';
import type { CapacityReport, SubnetReport } from '../assess/report.ts';
import type { EniReading, InputName, ReadFailure, Reading, RegionFacts } from '../subnet/snapshot.ts';

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
  /** Epoch milliseconds of the real clock. */
  readonly generatedAt: number;
}

export function documentOf(input: DocumentInput): HeadroomDocument {
  const { report, only, explained } = input;
  const head = {
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    generatedAt: new Date(input.generatedAt).toISOString(),
    source: sourceOf(input),
  } as const;
  if (report === undefined) return { ...head, subnets: [] };
  if (only === undefined) {
    const { zones, clusters, findings } = report;
    return { ...head, subnets: report.subnets.map(subnetOf), zones, clusters, findings };
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

/** Inputs that nobody gave, in the order of {@link INPUT_NAMES}: each counts as empty. */
export function absentInputs(facts: RegionFacts, enis: EniReading): InputName[] {
  const absent: InputName[] = enis.state === 'absent' ? ['network-interfaces'] : [];
  const look = (input: InputName, reading: Reading<unknown>) => {
    if (reading.state === 'absent') absent.push(input);
  };
  look('cidr-reservations', facts.reservations);
  look('vpcs', facts.vpcs);
  look('route-tables', facts.routeTables);
  look('network-acls', facts.networkAcls);
  look('availability-zones', facts.zones);
  look('instances', facts.instances);
  look('instance-types', facts.instanceTypes);
  look('clusters', facts.clusters);
  look('nodegroups', facts.nodegroups);
  look('addons', facts.addons);
  const inside = facts.kubernetes;
  const missing = (
    input: InputName,
    state: (facts: RegionFacts['kubernetes'][number]) => Reading<unknown>['state'],
  ) => {
    if (inside.every((cluster) => state(cluster) === 'absent')) absent.push(input);
  };
  missing('nodes', ({ nodes }) => nodes.state);
  missing('pods', ({ pods }) => pods.state);
  missing('nodeclasses', ({ nodeClasses }) => nodeClasses.state);
  missing('nodepools', ({ nodePools }) => nodePools.state);
  missing('eniconfigs', ({ eniConfigs }) => eniConfigs.state);
  missing('daemonset', ({ daemonSet }) => daemonSet.state);
  const failed = new Set(facts.failures.map(({ input }) => input));
  if (facts.account === undefined && !failed.has('caller')) absent.push('caller');
  if (facts.now === undefined) absent.push('now');
  return absent;
}

/** Every read that failed, each once, in call order: those of the facts, then those of the network interfaces. */
export function failuresOf(facts: RegionFacts, enis: EniReading): ReadFailure[] {
  return [...new Set([...facts.failures, ...(enis.state === 'read' ? enis.failures : [])])];
}
