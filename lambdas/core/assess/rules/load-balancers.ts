import type { Finding } from '../../../contract/finding.ts';
import { servesApplicationLoadBalancers, servesLoadBalancers } from '../consumers.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { subnetThresholds } from '../subnet-thresholds.ts';
import { addresses, nameOf } from '../words.ts';

/** The smallest subnet that an application load balancer may be put in (Elastic Load Balancing user guide, "Subnets for your load balancer"). */
const ALB_SMALLEST_LENGTH = 27;

/** `ELB_HEADROOM_LOW` and `SUBNET_TOO_SMALL_FOR_ALB`. */
export function loadBalancers(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const low = headroom(context, view);
    if (low !== undefined) findings.push(low);
    const small = tooSmall(view);
    if (small !== undefined) findings.push(small);
  }
  return findings;
}

function headroom(context: AssessContext, view: SubnetView): Finding | undefined {
  const { ledger } = view;
  const threshold = subnetThresholds(context, view).elbFreeIps;
  if (!ledger.applicable || ledger.availableIps >= threshold || !servesLoadBalancers(view)) return undefined;
  const free = ledger.availableIps;
  return finding(
    'ELB_HEADROOM_LOW',
    { subnet: view.facts },
    {
      severity: 'warning',
      observed: free,
      threshold,
      message: `${addresses(free)} of ${nameOf(view.facts)} ${free === 1 ? 'is' : 'are'} available; a load balancer asks for ${threshold} in each of its subnets, so a new one may fail here and one that is here may not grow.`,
      evidence: { free, need: threshold, usable: ledger.usableIps },
      remedy: `Free ${addresses(threshold - free)}, or tag a roomier subnet of ${view.facts.availabilityZone} with kubernetes.io/role/elb or internal-elb and take the tag off this one. A network load balancer that is given its address by name may still fit.`,
    },
  );
}

function tooSmall(view: SubnetView): Finding | undefined {
  const cidr = view.facts.cidr;
  if (cidr === undefined || cidr.length <= ALB_SMALLEST_LENGTH || !servesApplicationLoadBalancers(view))
    return undefined;
  return finding(
    'SUBNET_TOO_SMALL_FOR_ALB',
    { subnet: view.facts },
    {
      severity: 'info',
      observed: cidr.length,
      threshold: ALB_SMALLEST_LENGTH,
      message: `${nameOf(view.facts)} is a load-balancer subnet and a /${cidr.length}: an application load balancer needs a /${ALB_SMALLEST_LENGTH} or larger.`,
      evidence: { length: cidr.length, smallestLength: ALB_SMALLEST_LENGTH },
      remedy: `A subnet cannot be resized: make one of /${ALB_SMALLEST_LENGTH} or larger in ${view.facts.availabilityZone}, tag it, and take the tag off this one.`,
    },
  );
}
