/** Maps what AWS clients throw to our own words, by code and never by message. */
import { READ_CALLS, type ReadCallName } from '../contract/read-calls.ts';
import type { InputName, ReadFailure } from '../core/subnet/snapshot.ts';
import { ReadError, type ReadErrorCode } from '../ports/read-error.ts';

/** EC2 says the first; the JSON services say the second; STS, IAM and S3 the third; SNS the last. */
const DENIED: ReadonlySet<string> = new Set([
  'UnauthorizedOperation',
  'AccessDeniedException',
  'AccessDenied',
  'AuthorizationError',
]);

const EXPIRED: ReadonlySet<string> = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired']);

/** Also what a region answers that the account has not enabled. */
const REJECTED: ReadonlySet<string> = new Set([
  'AuthFailure',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'SignatureDoesNotMatch',
  'InvalidSignatureException',
  'IncompleteSignature',
  'MissingAuthenticationToken',
  'OptInRequired',
]);

/** No credentials were found, or a source of them (an SSO session, a process) gave none. */
const NO_CREDENTIALS: ReadonlySet<string> = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ProviderError',
]);

export const THROTTLED: ReadonlySet<string> = new Set([
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'Throttled',
  'TooManyRequestsException',
  'EC2ThrottledException',
]);

/** Node's and the SDK's names for a connection that did not come about or broke. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  // Something answered, but not AWS: strict-query-protocol.ts.
  'ForeignAnswer',
]);

const CANCELLED: ReadonlySet<string> = new Set(['AbortError', 'CANCELLED']);

/** What the SDK calls an error answer that has no code. */
const UNKNOWN = 'Unknown';

/** What is asked of a thrown thing, whatever made it. */
interface Thrown {
  readonly $metadata?: { readonly httpStatusCode?: number };
  /** What the answer said, of a service of the query protocol or of one that still knows its names. */
  readonly Error?: { readonly Code?: unknown } | undefined;
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

function thrown(error: unknown): Thrown {
  return typeof error === 'object' && error !== null ? error : { message: String(error) };
}

/**
 * What an AWS client threw, as AWS names it: `UnauthorizedOperation`, `ECONNREFUSED`. A code of Node's, or of ours, wins over the name `Error`.
 *
 * The SDK has names of its own for errors of the query protocol (SNS, CloudWatch, CloudFormation, SQS, IAM, STS): `AuthorizationErrorException` for what SNS
 * calls `AuthorizationError`, and some that differ in more than the ending. A bundle has only those that something asks for (docs/adr/0033), so that what the
 * service itself said is the one name that is the same everywhere.
 */
export function awsCode(error: unknown): string {
  const { code, name, Error: answer } = thrown(error);
  for (const told of [answer?.Code, code, name]) {
    // `Client.` before a code is CloudTrail's spelling, seen from proxies and emulators too.
    if (typeof told === 'string' && told !== '') return told.replace(/^(Client|Server)\./, '');
  }
  return UNKNOWN;
}

export function isDenied(error: unknown): boolean {
  return DENIED.has(awsCode(error));
}

/**
 * The message without what must not be printed or is of no use to a reader: EC2 puts an encoded copy of the request context behind a denial, hundreds of characters
 * that whoever may call `sts:DecodeAuthorizationMessage` can open.
 */
export function awsMessage(error: unknown): string {
  const { message } = thrown(error);
  const clean = (typeof message === 'string' ? message : '')
    .replace(/\s*Encoded authorization failure message:\s*\S+/gi, '')
    // The SDK's advice to whoever writes the program.
    .replace(/\s*Deserialization error: to see the raw response, inspect the hidden field \S+ on this object\./g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean !== '' && clean !== UNKNOWN) return clean;
  const code = awsCode(error);
  const status = thrown(error).$metadata?.httpStatusCode;
  // An error page of a proxy or a gateway: no code of AWS stands in it.
  return code === UNKNOWN && status !== undefined ? `HTTP status ${status}, and nothing of AWS in the answer` : code;
}

/** What a failed call leaves unknown. */
export interface FailedRead {
  readonly input: InputName;
  readonly call: ReadCallName;
  readonly subnetIds?: readonly string[];
  readonly cluster?: string;
}

/** A failed call as the part of the region that it leaves unknown. */
export function readFailure(error: unknown, read: FailedRead): ReadFailure {
  const permission = isDenied(error) ? READ_CALLS[read.call].permission : undefined;
  return {
    ...read,
    code: awsCode(error),
    ...(permission === undefined ? {} : { permission }),
    message: awsMessage(error),
  };
}

function errorCodeOf(error: unknown): ReadErrorCode {
  const code = awsCode(error);
  if (CANCELLED.has(code)) return 'CANCELLED';
  if (DENIED.has(code)) return 'DENIED';
  if (EXPIRED.has(code)) return 'CREDENTIALS_EXPIRED';
  if (REJECTED.has(code)) return 'CREDENTIALS_REJECTED';
  if (THROTTLED.has(code)) return 'THROTTLED';
  if (UNREACHABLE.has(code)) return 'UNREACHABLE';
  if (NO_CREDENTIALS.has(code)) {
    // An SSO session that ran out is told by this class too, and signing in again is what helps.
    return /expired/i.test(awsMessage(error)) ? 'CREDENTIALS_EXPIRED' : 'NO_CREDENTIALS';
  }
  // The SDK has no class for it: its configuration loader throws a plain Error.
  if (thrown(error).message === 'Region is missing') return 'NO_REGION';
  return 'AWS_FAILED';
}

/** Where and as whom AWS was asked: named in the errors, so that nobody searches in the wrong account or region. */
export interface AskedAs {
  readonly region?: string;
  readonly profile?: string;
}

/** An error that ends the reading, with what to do about it. An error of our own passes through as it is. */
export function fatalError(error: unknown, call: ReadCallName, asked: AskedAs): ReadError {
  return fatalCallError(error, { call, permission: READ_CALLS[call].permission ?? call }, asked);
}

/** The SDK does not tell a profile that is not there from one that names no credentials: both are mended in the same two files. */
function noCredentialsRemedy(profile: string | undefined): string {
  if (profile === undefined) {
    return 'Give --profile, sign in with `aws sso login`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
  }
  return (
    `Looked for the profile ${profile} in ~/.aws/config and ~/.aws/credentials (or where AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE point): ` +
    `\`aws configure list-profiles\` lists those that are there; if it is one of them, sign in with \`aws sso login --profile ${profile}\`.`
  );
}

/** A call as CloudTrail names it, and the IAM action it needs. */
export interface NamedCall {
  readonly call: string;
  readonly permission: string;
}

/** {@link fatalError} for any call, those that no reading of a region makes too. */
export function fatalCallError(error: unknown, { call, permission }: NamedCall, asked: AskedAs): ReadError {
  if (error instanceof ReadError) return error;
  const code = errorCodeOf(error);
  const region = asked.region === undefined ? '' : ` in ${asked.region}`;
  const profile = asked.profile === undefined ? '' : ` (profile ${asked.profile})`;
  const told = awsMessage(error);
  const words: { readonly [code in ReadErrorCode]?: readonly [message: string, remedy: string] } = {
    NO_REGION: ['No region was given and none is configured.', 'Give --region, or set AWS_REGION.'],
    NO_CREDENTIALS: [`No AWS credentials were found${profile}: ${told}`, noCredentialsRemedy(asked.profile)],
    CREDENTIALS_EXPIRED: [
      `The AWS credentials have expired${profile}: ${told}`,
      'Sign in again (`aws sso login`), or fetch new session credentials.',
    ],
    CREDENTIALS_REJECTED: [
      `AWS does not accept the credentials${region}${profile}: ${told}`,
      'Check that they belong to this partition, that the clock is right, and that the account has the region enabled.',
    ],
    UNREACHABLE: [
      `No answer from AWS${region}: ${told}`,
      'Check the network, the proxy, the region name, and AWS_ENDPOINT_URL where it is set.',
    ],
    DENIED: [
      `${call} was denied${region}${profile}: ${told}`,
      `Allow ${permission}; docs/permissions.md has the whole policy.`,
    ],
    THROTTLED: [`AWS throttled ${call}${region} to the end: ${told}`, 'Run again later, or read fewer VPCs at once.'],
    CANCELLED: [`Reading was stopped before the subnets were known${region}.`, 'Run again with more time.'],
  };
  const [message, remedy] = words[code] ?? [
    `${call} failed${region}${profile}: ${withCode(awsCode(error), told)}`,
    undefined,
  ];
  return new ReadError(code, message, { cause: error, ...(remedy === undefined ? {} : { remedy }) });
}

/** The code before the message, where it says anything. */
function withCode(code: string, told: string): string {
  return code === UNKNOWN || code === 'Error' || told === code ? told : `${code}: ${told}`;
}
