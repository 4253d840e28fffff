/** Makes findings: stable ids, no empty fields, and the one order in which they are always given. */
import {
  type EvidenceValue,
  type Finding,
  type FindingCode,
  SEVERITIES,
  type Severity,
} from '../../contract/finding.ts';
import type { SubnetFacts } from '../subnet/snapshot.ts';

/** What a finding is about. The id is made of it, so nothing here may change while the fact stays the same. */
export interface FindingSubject {
  /** Of a subnet that no snapshot holds, only the id is known. */
  readonly subnet?: Pick<SubnetFacts, 'subnetId'> &
    Partial<Pick<SubnetFacts, 'vpcId' | 'availabilityZone' | 'availabilityZoneId'>>;
  readonly cluster?: string;
  /** Taken from the subnet where one is given, as are `zoneId` and `vpcId`. */
  readonly zone?: string;
  readonly zoneId?: string;
  readonly vpcId?: string;
  /** Tells two facts of one code about one subject apart: a node class, a tag key. Never a number that changes. */
  readonly part?: string;
}

export interface FindingDetails {
  readonly severity: Severity;
  readonly observed: EvidenceValue;
  readonly threshold?: EvidenceValue | undefined;
  readonly message: string;
  /** Entries that are `undefined` are left out. */
  readonly evidence?: { readonly [name: string]: EvidenceValue | undefined };
  readonly eniIds?: readonly string[] | undefined;
  readonly remedy?: string | undefined;
}

/** Builds a finding; what is `undefined` does not appear in it. */
export function finding(code: FindingCode, subject: FindingSubject, details: FindingDetails): Finding {
  const { subnet, cluster } = subject;
  return {
    id: findingId(code, subject),
    code,
    severity: details.severity,
    ...present({
      subnetId: subnet?.subnetId,
      zone: subject.zone ?? subnet?.availabilityZone,
      zoneId: subject.zoneId ?? subnet?.availabilityZoneId,
      cluster,
      vpcId: subject.vpcId ?? subnet?.vpcId,
      eniIds: details.eniIds === undefined || details.eniIds.length === 0 ? undefined : details.eniIds,
    }),
    observed: details.observed,
    ...present({ threshold: details.threshold }),
    message: details.message,
    evidence: known(details.evidence ?? {}),
    ...present({ remedy: details.remedy }),
  };
}

/**
 * `CODE/subject/...`: the code and the names of what it speaks of, so that the same fact has the same id in every scan.
 *
 * A subnet id is unique by itself; anything wider is told apart by its VPC, and by its zone's id, which is the same in every account.
 */
function findingId(code: FindingCode, subject: FindingSubject): string {
  const place =
    subject.subnet === undefined
      ? [subject.vpcId, subject.cluster, subject.zoneId ?? subject.zone]
      : [subject.subnet.subnetId, subject.cluster];
  return [code, ...place, subject.part].filter((part) => part !== undefined).join('/');
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(fields: T): Present<T> {
  const kept: Present<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
}

function known(evidence: { readonly [name: string]: EvidenceValue | undefined }): Finding['evidence'] {
  const kept: { [name: string]: EvidenceValue } = {};
  for (const [name, value] of Object.entries(evidence)) if (value !== undefined) kept[name] = value;
  return kept;
}

const RANK: ReadonlyMap<Severity, number> = new Map(SEVERITIES.map((severity, rank) => [severity, rank]));

/** Worst first, then by code, subnet, cluster and id. A total order: ids are unique. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    compareText(a.code, b.code) ||
    compareText(a.subnetId ?? '', b.subnetId ?? '') ||
    compareText(a.cluster ?? '', b.cluster ?? '') ||
    compareText(a.id, b.id)
  );
}

/** 0 is the worst. */
export function severityRank(severity: Severity): number {
  return RANK.get(severity) ?? SEVERITIES.length;
}

/** By code unit, the same on every machine whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
