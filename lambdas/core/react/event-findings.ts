/** The findings that failed requests prove. Their ids are those that a scan of the same subnet gives the same facts. */
import type { EvidenceValue, Finding, Severity } from '../../contract/finding.ts';
import { DEFAULT_THRESHOLDS } from '../../contract/thresholds.ts';
import { compareFindings, finding } from '../assess/finding.ts';
import { plainCode } from './codes.ts';
import type { Fold } from './fold.ts';

/** Findings of the folds, worst first. */
export function eventFindings(folds: readonly Fold[]): readonly Finding[] {
  return folds.map(eventFinding).sort(compareFindings);
}

/** Names that stand in one evidence; a storm comes from a thousand nodes. */
const MOST_NAMED = 20;

export function eventFinding(fold: Fold): Finding {
  const { code, subnetId, room } = fold;
  return finding(
    code,
    { subnet: room ?? { subnetId } },
    {
      severity: severityOf(fold),
      observed: observedOf(fold),
      threshold: THRESHOLDS[code as ShortageCode],
      message: `${requests(fold)} in ${nameOf(fold)} ${fold.count === 1 ? 'was' : 'were'} refused${when(fold)}: ${REASONS[code as ShortageCode]}.${counts(fold)}${quote(fold)}`,
      evidence: {
        origin: 'event',
        count: fold.count,
        firstTime: iso(fold.firstTime),
        lastTime: iso(fold.lastTime),
        classes: fold.classes,
        errorCodes: fold.codes,
        callers: fold.callers.slice(0, MOST_NAMED),
        eventIds: fold.eventIds.slice(0, MOST_NAMED),
        askedPrefixes: fold.asked.prefixes === 0 ? undefined : fold.asked.prefixes,
        availableIps: room?.availableIps ?? undefined,
        usedImplied: usedImplied(fold),
        freePrefixesMin: room?.freePrefixes?.min,
        freePrefixesMax: room?.freePrefixes?.max,
        clusters: room?.clusters,
        confidence: confidenceOf(fold),
      },
      remedy: remedyOf(fold),
    },
  );
}

type ShortageCode = 'SUBNET_EXHAUSTED' | 'PREFIX_EXHAUSTED' | 'ELB_HEADROOM_LOW' | 'EKS_UPGRADE_BLOCKED';

const REASONS: Readonly<Record<ShortageCode, string>> = {
  SUBNET_EXHAUSTED: 'not enough free addresses',
  PREFIX_EXHAUSTED: 'no whole free /28',
  ELB_HEADROOM_LOW: 'a load balancer wants at least 8 free addresses',
  EKS_UPGRADE_BLOCKED: 'the control plane wants at least 5 free addresses',
};

/** As in the assessment of a scan; what AWS itself asks for, whatever is configured. */
const THRESHOLDS: Readonly<Record<ShortageCode, number>> = {
  SUBNET_EXHAUSTED: 0,
  PREFIX_EXHAUSTED: 0,
  ELB_HEADROOM_LOW: DEFAULT_THRESHOLDS.elbFreeIps,
  EKS_UPGRADE_BLOCKED: DEFAULT_THRESHOLDS.eksUpgradeFreeIps,
};

/** Services of AWS that make interfaces for themselves and for no node or pod. */
const NOT_FOR_NODES =
  /^(?:lambda|elasticfilesystem|rds|elasticache|redshift|dms|ds|workspaces|glue|sagemaker)\.amazonaws\.com$/;

/** A failed request is proof; it is only less than critical where nobody but other services asks, of a subnet that no cluster may use. */
function severityOf({ code, room, callers }: Fold): Severity {
  if (code === 'ELB_HEADROOM_LOW' || code === 'EKS_UPGRADE_BLOCKED') return 'warning';
  const others = callers.length > 0 && callers.every((caller) => NOT_FOR_NODES.test(caller));
  return others && room !== undefined && room.clusters.length === 0 ? 'warning' : 'critical';
}

function observedOf({ code, room }: Fold): EvidenceValue {
  if (room === undefined) return null;
  return code === 'PREFIX_EXHAUSTED' ? (room.freePrefixes?.max ?? null) : room.availableIps;
}

/** What the finding rests on. */
function confidenceOf({ code, room, classes, codes }: Fold): string {
  const open = classes.includes('PREFIX_OR_IP_CAPACITY');
  if (code === 'PREFIX_EXHAUSTED' && open) return 'inferred-from-event; the subnet is read again to confirm';
  const said = codes.some((word) => plainCode(word) === 'InsufficientCidrBlocks');
  if (code === 'PREFIX_EXHAUSTED' && !said && room?.confidence === 'counts-only') {
    return 'inferred-from-event-and-count; confirm with ENI scan';
  }
  return room === undefined ? 'said-by-event' : `said-by-event; ledger ${room.confidence}`;
}

function requests({ code, count, asked }: Fold): string {
  const what = code === 'PREFIX_EXHAUSTED' && asked.prefixes > 0 ? ' for a prefix' : '';
  return count === 1 ? `1 request${what}` : `${count} requests${what}`;
}

function nameOf({ subnetId, room }: Fold): string {
  return room?.name === undefined ? subnetId : `${subnetId} (${room.name})`;
}

function when({ firstTime, lastTime }: Fold): string {
  if (firstTime === undefined || lastTime === undefined) return '';
  return firstTime === lastTime ? ` at ${iso(firstTime)}` : ` between ${iso(firstTime)} and ${iso(lastTime)}`;
}

function counts({ code, room }: Fold): string {
  if (room === undefined || room.availableIps === null) return '';
  const usable = room.usableIps === null ? '' : ` of ${room.usableIps} usable`;
  const said = ` EC2 counts ${room.availableIps} available${usable}`;
  if (code !== 'PREFIX_EXHAUSTED') return `${said}.`;
  return `${said}, which says nothing about whole /28s.`;
}

function quote({ message }: Fold): string {
  return message === '' ? '' : ` AWS said: ${JSON.stringify(message)}`;
}

function remedyOf({ code, subnetId, room }: Fold): string {
  const zone = room === undefined ? 'its zone' : room.availabilityZone;
  const look = `headroom explain ${subnetId}`;
  switch (code) {
    case 'PREFIX_EXHAUSTED':
      return `Do not take the subnet for full: scan its interfaces (${look}). Give pods a new or drained subnet in ${zone} with a CIDR reservation of type prefix.`;
    case 'ELB_HEADROOM_LOW':
      return `Give the load balancer another subnet in ${zone}, or free addresses here: ${look} shows who holds them.`;
    case 'EKS_UPGRADE_BLOCKED':
      return `Free addresses here (${look} shows who holds them), or change the cluster's subnets (aws eks update-cluster-config --resources-vpc-config subnetIds=...).`;
    default:
      return `Give the cluster another subnet in ${zone}, and see who holds this one: ${look}.`;
  }
}

/** Where only counts are known: what EC2's count leaves as used. */
function usedImplied({ room }: Fold): number | undefined {
  if (room?.confidence !== 'counts-only' || room.usableIps === null || room.availableIps === null) return undefined;
  return room.usableIps - room.availableIps;
}

function iso(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
}
