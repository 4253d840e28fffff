/**
 * Error codes and texts of AWS, and the class each stands for. Sources of every line: docs/events.md.
 *
 * By code first: wordings differ from place to place. By text where the code is generic (`InvalidParameterValue`) or is not given (Auto Scaling).
 */
import type { EventClass } from '../../contract/event-class.ts';

/** Codes without `Client.` or `Server.` before them and without `Exception` behind. */
const BY_CODE: Readonly<Record<string, EventClass>> = {
  InsufficientFreeAddressesInSubnet: 'IP_EXHAUSTED',
  InsufficientFreeAddresses: 'IP_EXHAUSTED',
  SubnetIPAddressLimitReached: 'IP_EXHAUSTED',
  SubnetOutOfIPAddresses: 'IP_EXHAUSTED',
  NoFreeAddressesInSubnet: 'IP_EXHAUSTED',
  InsufficientCidrBlocks: 'PREFIX_EXHAUSTED',
  PrivateIpAddressLimitExceeded: 'INSTANCE_ENI_LIMIT',
  AttachmentLimitExceeded: 'INSTANCE_ENI_LIMIT',
  DryRunOperation: 'DRY_RUN',
  UnauthorizedOperation: 'PERMISSION',
  AccessDenied: 'PERMISSION',
  EC2AccessDenied: 'PERMISSION',
  AuthFailure: 'PERMISSION',
  OperationNotPermitted: 'PERMISSION',
  Forbidden: 'PERMISSION',
  Blocked: 'PERMISSION',
  OptInRequired: 'PERMISSION',
  ExpiredToken: 'PERMISSION',
  RequestExpired: 'PERMISSION',
  InvalidClientTokenId: 'PERMISSION',
  UnrecognizedClient: 'PERMISSION',
  SignatureDoesNotMatch: 'PERMISSION',
  RequestLimitExceeded: 'THROTTLED',
  RequestThrottled: 'THROTTLED',
  Throttling: 'THROTTLED',
  Throttled: 'THROTTLED',
  EC2Throttled: 'THROTTLED',
  TooManyRequests: 'THROTTLED',
  SlowDown: 'THROTTLED',
  PriorRequestNotComplete: 'THROTTLED',
  ENILimitReached: 'ACCOUNT_QUOTA',
  MaxSpotInstanceCountExceeded: 'ACCOUNT_QUOTA',
  MaxFleetCountExceeded: 'ACCOUNT_QUOTA',
};

/** Families of codes, tried in order after {@link BY_CODE}. */
const BY_CODE_FORM: readonly (readonly [RegExp, EventClass])[] = [
  [/^AuthFailure\./, 'PERMISSION'],
  [/Throttl/i, 'THROTTLED'],
  [/(?:Limit|Quota)Exceeded$|LimitReached$|^TooMany(?!Requests)/, 'ACCOUNT_QUOTA'],
  [
    /^(?:Invalid|Missing|Malformed|Unsupported|Unknown|Validation|Incorrect|Duplicate)|NotFound$|\.NotFound\b/,
    'CONFIG',
  ],
];

/** `undecided`: addresses or prefixes, the text does not say which. */
export type TextClass = EventClass | 'undecided';

/** Texts that say more than a generic code, tried in order. Each is looked for without regard to case. */
const BY_TEXT: readonly (readonly [RegExp, TextClass])[] = [
  [/sufficient free ipv4 addresses or prefixes/i, 'undecided'],
  [/enough free cidr blocks/i, 'PREFIX_EXHAUSTED'],
  [
    /enough free addresses|sufficient free (?:private )?(?:ipv4 |ip )?addresses|no (?:available|free) ip(?:v4)? addresses|\binsufficient (?:free )?ip(?:v4)? addresses/i,
    'IP_EXHAUSTED',
  ],
  [/not enough ip space available|elb requires at least \d+ free ip/i, 'ELB_HEADROOM'],
  [/need at least \d+ ips? in each subnet|subnet-[0-9a-f]+ free ips: ?\d+/i, 'EKS_UPGRADE_HEADROOM'],
  [
    /unpaginated|without (?:pagination|paginating)|must (?:be paginated|paginate|use pagination)/i,
    'API_BLOCKED_UNPAGINATED',
  ],
  [
    /not owned by|owned by (?:a different|another)|belongs? to (?:a different|another)|is shared but|shared (?:subnet|vpc)/i,
    'SHARED_SUBNET_OWNERSHIP',
  ],
  [/network address (?:units?|usage)/i, 'ACCOUNT_QUOTA'],
  [
    /ipv6[- ](?:only|native)|(?:no|not have an?|without an?|not associated with an?) (?:associated )?ipv4 cidr/i,
    'CONFIG_IPV6_ONLY_SUBNET',
  ],
  [
    /number of (?:private|secondary|ipv4)[\w ]* (?:will exceed|exceeds)|interface count \d+ exceeds|exceeds? the (?:limit|maximum)[\w ]* for (?:the )?(?:instance|[a-z0-9-]+\.[a-z0-9-]+)/i,
    'INSTANCE_ENI_LIMIT',
  ],
  [/\bnot authori[sz]ed to perform\b|encoded authori[sz]ation failure message/i, 'PERMISSION'],
];

/** Codes whose meaning stands in their text alone, by their form: what a text says of any other code changes nothing. */
const GENERIC =
  /^(?:Invalid|Unsupported|Validation|OperationNotPermitted|UnauthorizedOperation|AccessDenied|AuthFailure|Client|Resource|Service)/;

/** The code as the API's own documentation has it. */
export function plainCode(code: string): string {
  return code
    .trim()
    .replace(/^(?:Client|Server)\./, '')
    .replace(/(?<=.)(?:Exception|Fault)$/, '');
}

/** What a text says by itself, or `undefined`. */
export function classOfText(text: string): TextClass | undefined {
  return BY_TEXT.find(([pattern]) => pattern.test(text))?.[1];
}

/** The class of an error. @param code as it came. @param text what came with it; may be empty. */
export function classOfError(code: string, text: string): TextClass {
  const plain = plainCode(code);
  const known = Object.hasOwn(BY_CODE, plain) ? BY_CODE[plain] : BY_CODE_FORM.find(([form]) => form.test(plain))?.[1];
  const said = known === undefined || GENERIC.test(plain) ? classOfText(text) : undefined;
  return said ?? known ?? 'NOT_CAPACITY';
}
