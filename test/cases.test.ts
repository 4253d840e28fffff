/** Every real case through the folder reader: ledgers, findings with their numbers, and what must not be found. */
import { describe, expect, test } from '@jest/globals';
import type { Finding } from '../lambdas/contract/finding.ts';
import { capacityOf, roomOf } from '../lambdas/core/assess/footprint.ts';
import { untagEffect } from '../lambdas/core/assess/untag.ts';
import { isFull } from '../lambdas/core/subnet/ledger.ts';
import {
  assessCase,
  caseNames,
  diagnoseCase,
  type ExpectedFinding,
  expectedOf,
  notCovered,
  type Unwanted,
  unwantedOf,
} from './support/cases.ts';

type Case = Awaited<ReturnType<typeof assessCase>>;

const ALB_CLASSES = ['elb-alb', 'elb-nlb', 'elb-gwlb', 'elb-classic'];
const NODE_CLASSES = ['karpenter-node-primary', 'node-primary', 'vpc-cni-secondary'];

/** Fields of an expected finding that explain it and are no part of it. */
const EXPLANATIONS = new Set(['severityWhy', 'confidence']);
const FIELDS = new Set(['code', 'severity', 'subnetId', 'zone', 'zoneId', 'cluster', 'vpcId', 'eniIds', 'threshold']);

/** Whether a finding has everything the case says of it: contract fields as they are, all others in its evidence. */
function matches(found: Finding, expected: ExpectedFinding): boolean {
  return Object.entries(expected).every(([name, value]) => {
    if (EXPLANATIONS.has(name)) return true;
    const actual = FIELDS.has(name) ? found[name as keyof Finding] : found.evidence[name];
    return JSON.stringify(actual) === JSON.stringify(value);
  });
}

function isUnwanted(found: Finding, { code, severity, subnetId, eniId }: Unwanted): boolean {
  return (
    (code === undefined || found.code === code) &&
    (severity === undefined || found.severity === severity) &&
    (subnetId === undefined || found.subnetId === subnetId) &&
    (eniId === undefined || (found.eniIds ?? []).includes(eniId))
  );
}

function finds({ report }: Case, expected: ExpectedFinding): boolean {
  return report.findings.some((found) => matches(found, expected));
}

/** What follows from the action that the case's verb asks about. */
function untagged({ context }: Case, verb = ''): readonly Finding[] {
  const subnetId = /^plan --untag (\S+)$/.exec(verb)?.[1];
  return subnetId === undefined ? [] : (untagEffect(context, subnetId)?.findings ?? []);
}

function holders({ report }: Case, subnetId: string | undefined, classes: readonly string[], unit: 'enis' | 'ips') {
  let total = 0;
  for (const { ledger } of report.subnets) {
    if (!isFull(ledger) || (subnetId !== undefined && ledger.subnetId !== subnetId)) continue;
    for (const holder of ledger.holders) if (classes.includes(holder.class)) total += holder[unit];
  }
  return total;
}

function evidence({ report }: Case, subnetId: string, code: string) {
  return report.findings.find((found) => found.code === code && found.subnetId === subnetId)?.evidence;
}

function subnetOf({ context }: Case, subnetId: string) {
  const view = context.subnets.get(subnetId);
  if (view === undefined) throw new Error(`no ${subnetId}`);
  return view;
}

function served(one: Case, subnetId: string): number | null | undefined {
  const { ledger, clusters } = subnetOf(one, subnetId);
  const footprint = clusters[0]?.footprint;
  return footprint === undefined ? undefined : capacityOf(roomOf(ledger, 'max'), footprint.node);
}

/** How each number that was worked out by hand is read from a report. */
const WORKED_OUT: { readonly [name: string]: (one: Case, subnetId: string) => unknown } = {
  byCluster: ({ report }, id) =>
    Object.fromEntries(
      report.subnets
        .find(({ ledger }) => ledger.subnetId === id)
        ?.byCluster.map(({ cluster, ips }) => [cluster, ips]) ?? [],
    ),
  byService: (one, id) => ({ rds: holders(one, id, ['rds'], 'ips'), elb: holders(one, id, ALB_CLASSES, 'ips') }),
  branchEnis: (one, id) => holders(one, id, ['sgp-branch'], 'enis'),
  trunkEnis: (one, id) => holders(one, id, ['sgp-trunk'], 'enis'),
  enisWithoutIpv4: (one, id) => subnetOf(one, id).occupancy?.enisWithoutIpv4,
  autoAssignableSingleIps: (one, id) => {
    const { ledger } = subnetOf(one, id);
    if (!isFull(ledger) || ledger.reservedFreeIps === null) return undefined;
    return ledger.freeIps - ledger.reservedFreeIps.prefix - ledger.reservedFreeIps.explicit;
  },
  leakedEnis: (one, id) => evidence(one, id, 'LEAKED_ENI')?.count ?? 0,
  leakedIps: (one, id) => evidence(one, id, 'LEAKED_ENI')?.ips,
  freeAfterCleanup: (one, id) => evidence(one, id, 'LEAKED_ENI')?.freeAfterCleanup,
  assignablePrefixesAfterCleanup: (one, id) => evidence(one, id, 'LEAKED_ENI')?.assignablePrefixesAfterCleanup,
  reviewEnis: (one, id) => evidence(one, id, 'DETACHED_NODE_PRIMARY')?.count,
  reviewIps: (one, id) => evidence(one, id, 'DETACHED_NODE_PRIMARY')?.ips,
  doNotTouchEnis: (one, id) => {
    const unattached = subnetOf(one, id).occupancy?.unattached.length ?? 0;
    const counted = (code: string) => Number(evidence(one, id, code)?.count ?? 0);
    return unattached - counted('LEAKED_ENI') - counted('DETACHED_NODE_PRIMARY');
  },
  elbReady: (one, id) => evidence(one, id, 'ELB_HEADROOM_LOW') === undefined,
  albMinSizeOk: (one, id) => evidence(one, id, 'SUBNET_TOO_SMALL_FOR_ALB') === undefined,
  nlbWithExplicitIpPossible: (one, id) => Number(evidence(one, id, 'ELB_HEADROOM_LOW')?.free) > 0,
  eksUpgradeReady: (one, id) => evidence(one, id, 'EKS_UPGRADE_BLOCKED') === undefined,
  warmIdleIps: (one, id) => evidence(one, id, 'WARM_POOL_WASTE')?.ips ?? 0,
  ipv4Exhausted: (one, id) => evidence(one, id, 'SUBNET_EXHAUSTED')?.family === 'ipv4',
  ipv4Applicable: (one, id) => subnetOf(one, id).ledger.applicable,
  exhausted: (one, id) => evidence(one, id, 'SUBNET_EXHAUSTED') !== undefined,
  nodesLaunchable: (one, id) => {
    const { ledger } = subnetOf(one, id);
    return ledger.applicable ? ledger.availableIps : undefined;
  },
  nodesFullyServedFirstEni: served,
  selectedBy: (one, id) =>
    one.context.clusters
      .filter(({ kubernetes }) => kubernetes !== undefined)
      .flatMap(({ launchers }) => launchers.filter((l) => l.subnetIds.includes(id)).map((l) => l.name)),
};

/** Numbers of `perSubnet` that speak of something an assessment does not say, and what holds them instead. */
const ELSEWHERE: { readonly [name: string]: string } = {
  usedImplied: 'arithmetic on a count, said by diagnose',
  byInstance: 'the number of interfaces behind a trunk, which no report has',
  eniSlotsUsed: 'slots of one interface, which no report has',
  eniSlotsFree: 'slots of one interface, which no report has',
  driftedNodes: 'plan --untag',
  notDriftedNodes: 'plan --untag',
  eligible: 'the standby choice of test/core/assess',
  reason: 'the standby choice of test/core/assess',
  candidate: 'the CNI choice of test/core/assess',
  candidateByKeyOnly: 'the CNI choice of test/core/assess',
  candidateByValue: 'the CNI choice of test/core/assess',
};

describe.each(caseNames())('%s', (name) => {
  const expected = expectedOf(name);

  test('has the ledgers that were worked out by hand', async () => {
    const { report } = await assessCase(name);
    const ledgers = new Map(report.subnets.map(({ ledger }) => [ledger.subnetId, ledger]));
    for (const [subnetId, wanted] of Object.entries(expected.subnets ?? {})) {
      const ledger = ledgers.get(subnetId) as unknown as Record<string, unknown>;
      const compared = Object.fromEntries(Object.keys(wanted).map((field) => [field, ledger[field]]));
      expect(compared).toEqual(wanted);
    }
    for (const [subnetId, wanted] of Object.entries(expected.countsOnly ?? {})) {
      expect(ledgers.get(subnetId)).toMatchObject({ confidence: 'counts-only', ...wanted });
    }
  });

  test('has the further numbers that were worked out by hand', async () => {
    const one = await assessCase(name);
    for (const [subnetId, wanted] of Object.entries(expected.perSubnet ?? {})) {
      for (const [field, value] of Object.entries(wanted)) {
        const read = WORKED_OUT[field];
        if (read === undefined) expect(ELSEWHERE).toHaveProperty(field);
        else expect({ subnetId, [field]: read(one, subnetId) }).toEqual({ subnetId, [field]: value });
      }
    }
    for (const [kind, value] of Object.entries(expected.byKind ?? {})) {
      const classes = { nodeEnis: NODE_CLASSES, vpcEndpoint: ['vpc-endpoint'], eksControlPlane: ['eks-control-plane'] };
      expect({ [kind]: holders(one, undefined, classes[kind as keyof typeof classes], 'enis') }).toEqual({
        [kind]: value,
      });
    }
  });

  test('finds what it says, or stands in the list of what is not covered yet', async () => {
    const one = await assessCase(name);
    const asked = [...(await diagnoseCase(name)), ...untagged(one, expected.verb)];
    const missing = expected.findings
      .filter((wanted) => !finds(one, wanted) && !asked.some((found) => matches(found, wanted)))
      .map(({ code }) => code);
    const listed = notCovered()
      .filter((entry) => entry.case === name)
      .map(({ code }) => code);
    expect(missing.sort()).toEqual(listed.sort());
  });

  test('finds nothing that would be wrong', async () => {
    const { report } = await assessCase(name);
    const unwanted = unwantedOf(name);
    expect(unwanted.length).toBeGreaterThan(0);
    for (const entry of unwanted) {
      const { why } = entry;
      const wrong = report.findings.filter((found) => isUnwanted(found, entry)).map(({ id }) => id);
      expect({ why, wrong }).toEqual({ why, wrong: [] });
    }
  });

  test('gives findings that are unique, ordered, printable and free of NaN', async () => {
    const { report } = await assessCase(name);
    const ids = report.findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const found of report.findings) {
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      expect(`${found.message} ${found.remedy ?? ''}`).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
    }
  });
});

test('every entry of the list of what is not covered yet speaks of a case and one of its findings', () => {
  for (const entry of notCovered()) {
    expect(caseNames()).toContain(entry.case);
    expect(expectedOf(entry.case).findings.map(({ code }) => code)).toContain(entry.code);
  }
});
