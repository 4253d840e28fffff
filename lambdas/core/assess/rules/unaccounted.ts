import type { Finding } from '../../../contract/finding.ts';
import { isFull } from '../../subnet/ledger.ts';
import { sharedFrom } from '../consumers.ts';
import type { AssessContext, SubnetView } from '../context.ts';
import { finding } from '../finding.ts';
import { addresses, nameOf } from '../words.ts';

/** `UNACCOUNTED_IPS`: EC2 counts addresses as taken that no visible interface or reservation explains. */
export function unaccounted(context: AssessContext): readonly Finding[] {
  const findings: Finding[] = [];
  for (const view of context.subnets.values()) {
    const ledger = view.ledger;
    if (!isFull(ledger) || ledger.unaccountedIps === 0) continue;
    const shared = sharedFrom(view, context.facts.account);
    const { min, max } = ledger.freePrefixesRange;
    findings.push(
      finding(
        'UNACCOUNTED_IPS',
        { subnet: view.facts },
        {
          severity: shared === true ? 'info' : 'warning',
          observed: ledger.unaccountedIps,
          threshold: 0,
          message: `EC2 counts ${addresses(ledger.unaccountedIps)} of ${nameOf(view.facts)} as taken that no visible interface explains, so it has ${min === max ? `${min} free /28s` : `between ${min} and ${max} free /28s`}. ${explanation(context, view, shared)}`,
          evidence: {
            ips: ledger.unaccountedIps,
            hint: hint(context, view, shared),
            shared: shared ?? null,
            owner: view.facts.ownerId,
            freeIps: ledger.freeIps,
            availableIps: ledger.availableIps,
            freePrefixesMin: min,
            freePrefixesMax: max,
          },
          remedy: remedy(context, view, shared),
        },
      ),
    );
  }
  return findings;
}

function managedHidden(context: AssessContext): boolean {
  return context.enis.state === 'read' && context.enis.managedResourcesIncluded === false;
}

function managedUnknown(context: AssessContext): boolean {
  return context.enis.state === 'read' && context.enis.managedResourcesIncluded === undefined;
}

/** Not given or not readable: either way a reservation may be the whole answer. */
function reservationsUnknown(context: AssessContext, view: SubnetView): boolean {
  return view.reservations === undefined || context.facts.reservations.state === 'absent';
}

function hint(context: AssessContext, view: SubnetView, shared: boolean | undefined): string {
  if (shared === true) return `shared subnet: owner ${view.facts.ownerId} is not the caller`;
  if (reservationsUnknown(context, view)) return 'CIDR reservations were not read';
  if (managedHidden(context)) return 'interfaces that AWS manages may be hidden';
  return shared === false ? 'the caller owns the subnet' : 'whether the subnet is shared is not known';
}

function explanation(context: AssessContext, view: SubnetView, shared: boolean | undefined): string {
  if (shared === true) {
    const reserved = view.reservations?.some(({ type }) => type === 'prefix') === true;
    return `Account ${view.facts.ownerId} owns the subnet: a participant sees only its own interfaces${
      reserved ? ', and what others take inside a prefix reservation shows in neither number' : ''
    }.`;
  }
  const causes: string[] = [];
  if (reservationsUnknown(context, view)) causes.push('its CIDR reservations were not read');
  if (managedHidden(context)) causes.push('interfaces that AWS manages may have been left out');
  if (managedUnknown(context)) causes.push('whether interfaces that AWS manages were asked for is not known');
  if (shared === undefined) causes.push("whether another account owns it is not known without the caller's identity");
  if (causes.length === 0) return 'The caller owns the subnet; EC2 may lag, or a managed service hides its interfaces.';
  const text = causes.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function remedy(context: AssessContext, view: SubnetView, shared: boolean | undefined): string {
  if (shared === true)
    return `Run headroom in account ${view.facts.ownerId}, which sees every interface; until then trust the range only.`;
  if (reservationsUnknown(context, view)) {
    return `aws ec2 get-subnet-cidr-reservations --subnet-id ${view.facts.subnetId}, then assess again.`;
  }
  if (shared === undefined)
    return 'Compare aws sts get-caller-identity with the OwnerId of the subnet; the owner account sees every interface.';
  return 'Read again with IncludeManagedResources; where the gap stays, look for interfaces of participant accounts and of managed services.';
}
