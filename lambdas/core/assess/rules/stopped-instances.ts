import type { Finding } from '../../../contract/finding.ts';
import type { AssessContext } from '../context.ts';
import { compareText, finding } from '../finding.ts';
import { addresses, count, nameOf } from '../words.ts';

/** Instances named in evidence, those that hold most. */
const NAMED_INSTANCES = 50;

/** `STOPPED_INSTANCES_HOLD_IPS`: a stopped instance keeps every address and prefix of its interfaces. */
export function stoppedInstances(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const stopped = [...(view.occupancy?.stopped ?? [])].sort(
      ([a, aIps], [b, bIps]) => bIps - aIps || compareText(a, b),
    );
    if (stopped.length === 0) continue;
    const ips = stopped.reduce((sum, [, held]) => sum + held, 0);
    findings.push(
      finding(
        'STOPPED_INSTANCES_HOLD_IPS',
        { subnet: view.facts },
        {
          severity: 'info',
          observed: ips,
          threshold: 0,
          message: `${count(stopped.length, 'stopped instance')} in ${nameOf(view.facts)} ${stopped.length === 1 ? 'holds' : 'hold'} ${addresses(ips)}, for as long as ${stopped.length === 1 ? 'it exists' : 'they exist'}.`,
          evidence: {
            ips,
            count: stopped.length,
            instances: stopped.slice(0, NAMED_INSTANCES).map(([instanceId, held]) => ({ instanceId, ips: held })),
          },
          remedy:
            'Terminate those that nobody starts again, or move them to a subnet that serves no nodes. A warm pool of an Auto Scaling group holds its addresses on purpose.',
        },
      ),
    );
  }
  return findings;
}
