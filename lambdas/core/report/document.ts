/** Makes the document that `--json` prints of what was read and concluded. */
import type { DocumentSource, DocumentSubnet, HeadroomDocument } from '../../contract/document.ts';
import type { CapacityReport, SubnetReport } from '../assess/report.ts';
import { absentInputs, failuresOf } from '../subnet/inputs.ts';
import type { EniReading, RegionFacts } from '../subnet/snapshot.ts';

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
    return { ...head, subnets: report.subnets.map(documentSubnet), zones, clusters, findings, ...plan };
  }
  return {
    ...head,
    subnets: report.subnets.filter(({ ledger }) => only.has(ledger.subnetId)).map(documentSubnet),
    findings: report.findings.filter(({ subnetId }) => subnetId !== undefined && only.has(subnetId)),
    ...explained,
  };
}

/** A subnet as documents show it. */
export function documentSubnet(subnet: SubnetReport): DocumentSubnet {
  const { ledger, name, enis, clusters, byCluster } = subnet;
  return { ...ledger, ...(name === undefined ? {} : { name }), enis, clusters, byCluster };
}

export function sourceOf({ description, facts, enis }: ReadSource): DocumentSource {
  const { scope } = facts;
  return {
    kind: description.kind,
    ...(description.kind === 'live' ? {} : { path: description.name }),
    ...(facts.region === undefined ? {} : { region: facts.region }),
    ...(facts.account === undefined ? {} : { account: facts.account }),
    ...(scope === undefined ? {} : { scope: { vpcIds: [...scope.vpcIds], subnetIds: [...scope.subnetIds] } }),
    now: facts.now === undefined ? null : new Date(facts.now).toISOString(),
    absent: [...absentInputs(facts, enis)],
    unknown: [...failuresOf(facts, enis)],
  };
}
