/** How a cluster's pods get addresses, and what shows it. */
import type { EksUse } from '../subnet/eks-use.ts';
import type { AddonFacts, ClusterFacts, KubernetesFacts } from '../subnet/snapshot.ts';
import type { CniFacts } from './cluster-model.ts';
import { listOf } from './readings.ts';
import { compareVersions, parseVersion } from './selection/version.ts';

export interface CniEvidence {
  readonly facts: ClusterFacts | undefined;
  readonly kubernetes: KubernetesFacts | undefined;
  /** The `vpc-cni` add-on, where EKS manages it. */
  readonly addon: AddonFacts | undefined;
  /** What its nodes and pods hold, everywhere. */
  readonly use: EksUse;
}

const PREFIX_DELEGATION = 'ENABLE_PREFIX_DELEGATION';
/** The first version that discovers subnets, and does so unless told not to (CNI README, `ENABLE_SUBNET_DISCOVERY`). */
const FIRST_DISCOVERY = [1, 18, 0] as const;

export function cniFacts(evidence: CniEvidence): CniFacts {
  const { kubernetes, addon } = evidence;
  const daemonSet = kubernetes?.daemonSet.state === 'read' ? kubernetes.daemonSet.value : undefined;
  // The DaemonSet is what runs; the add-on's configuration is only what somebody overrode through EKS.
  const env = new Map([...(addon?.env ?? []), ...(daemonSet?.env ?? [])]);
  const version = parseVersion(daemonSet?.version) ?? parseVersion(addon?.version);
  const clusterName = env.get('CLUSTER_NAME');
  const discovery = subnetDiscovery(env.get('ENABLE_SUBNET_DISCOVERY'), version);
  return {
    ...mode(evidence, daemonSet?.env),
    ...(version === undefined ? {} : { version: version.join('.') }),
    ...(discovery === undefined ? {} : { subnetDiscovery: discovery }),
    customNetworking: isTrue(env.get('AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG')),
    ...(clusterName === undefined || clusterName === '' ? {} : { clusterName }),
    env,
  };
}

type Mode = Pick<CniFacts, 'mode' | 'modeEvidence' | 'modeSource'>;

function configured(mode: CniFacts['mode'], modeEvidence: string): Mode {
  return { mode, modeEvidence, modeSource: 'configured' };
}

/** The settings that run, then those that were asked for, then what can be seen. Single addresses alone prove nothing: prefixes may have run out. */
function mode({ facts, kubernetes, addon, use }: CniEvidence, env: CniFacts['env'] | undefined): Mode {
  const nodeClasses = listOf(kubernetes?.nodeClasses);
  if (env !== undefined) {
    const value = env.get(PREFIX_DELEGATION);
    if (isTrue(value)) return configured('prefix', `${PREFIX_DELEGATION}=true of the aws-node DaemonSet`);
    return configured(
      'secondary-ip',
      value === undefined
        ? `the aws-node DaemonSet does not set ${PREFIX_DELEGATION}: the default is false`
        : `${PREFIX_DELEGATION}=${value} of the aws-node DaemonSet`,
    );
  }
  if (facts?.autoMode === true) return configured('auto', 'EKS Auto Mode is on for the cluster');
  const autoClass = nodeClasses.find((nodeClass) => nodeClass.kind === 'NodeClass');
  if (autoClass !== undefined) return configured('auto', `NodeClass ${autoClass.name} is one of EKS Auto Mode`);
  const asked = addon?.env.get(PREFIX_DELEGATION);
  if (isTrue(asked)) return configured('prefix', `${PREFIX_DELEGATION}=true in the vpc-cni add-on's configuration`);
  const counted = nodeClasses.find((nodeClass) => (nodeClass.ipPrefixCount ?? 0) > 0);
  if (counted !== undefined) {
    return configured('prefix', `ipPrefixCount ${counted.ipPrefixCount} of EC2NodeClass ${counted.name}`);
  }
  if (use.prefixes > 0) {
    return { mode: 'prefix', modeEvidence: `its interfaces hold ${use.prefixes} prefixes`, modeSource: 'observed' };
  }
  if (asked !== undefined) {
    return configured('secondary-ip', `${PREFIX_DELEGATION}=${asked} in the vpc-cni add-on's configuration`);
  }
  if (addon !== undefined) {
    return configured('secondary-ip', `the vpc-cni add-on's configuration leaves ${PREFIX_DELEGATION} at false`);
  }
  return { mode: 'unknown', modeEvidence: 'neither the settings of the CNI nor a prefix on its interfaces were seen' };
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|1|t)$/i.test(value);
}

function subnetDiscovery(
  value: string | undefined,
  version: readonly [number, number, number] | undefined,
): boolean | undefined {
  if (version !== undefined && compareVersions(version, FIRST_DISCOVERY) < 0) return false;
  if (value !== undefined) return isTrue(value);
  return version === undefined ? undefined : true;
}
