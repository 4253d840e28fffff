/** A deployed service as the CLI finds it: the stack in CloudFormation, and a bucket of S3 with what it kept. Lists two keys a page. */
import { snapshotKey } from '../../../lambdas/contract/names.ts';
import { snapshotToText } from '../../../lambdas/core/stored/stored-region.ts';
import { OccupancyBuilder } from '../../../lambdas/core/subnet/occupancy.ts';
import { type AwsAnswer, type AwsCall, type AwsStandIn, startAwsStandIn } from '../aws-stand-in.ts';
import { eni, region, subnet } from '../builders.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-central-1';
const BUCKET = 'kept';
const PAGE = 2;

/** Texts by key; one that is an `<Error>` of S3 is refused with it. */
export type Kept = Map<string, string>;

export function keyAt(time: string): string {
  return snapshotKey(ACCOUNT, REGION, new Date(time));
}

/** A /24 with so many addresses held, each in a /28 of its own, as a scan of that time saw it. */
export function keptSnapshot(time: string, held: number): string {
  const facts = region([subnet('10.0.0.0/24', { availableIps: 251 - held })], {
    now: Date.parse(time),
    region: REGION,
    account: ACCOUNT,
  });
  const builder = new OccupancyBuilder(facts);
  for (let n = 0; n < held; n++) builder.add(eni({ addresses: [`10.0.0.${16 * (n + 1) + 1}`] }));
  const enis = { state: 'read', managedResourcesIncluded: true, failures: [] } as const;
  return snapshotToText({ facts, enis, occupancy: builder.finish() });
}

/** @param kept what the bucket holds; may change while it runs. `undefined`: no service is deployed. */
export function startStoredService(kept: Kept | undefined): Promise<AwsStandIn> {
  return startAwsStandIn((call) => answer(call, kept));
}

/** The prefixes that were listed and the keys that were read, in this order. */
export function askedOf({ calls }: AwsStandIn): {
  readonly listed: readonly string[];
  readonly read: readonly string[];
} {
  const s3 = calls.filter(({ action }) => action === '').map(({ path }) => new URL(path, 'http://s3'));
  return {
    listed: s3.flatMap(({ searchParams }) => searchParams.get('prefix') ?? []),
    read: s3.filter(({ searchParams }) => !searchParams.has('list-type')).map(({ pathname }) => keyOf(pathname)),
  };
}

function answer({ action, path }: AwsCall, kept: Kept | undefined): AwsAnswer | undefined {
  if (action === 'DescribeStacks') return kept === undefined ? NO_STACK : STACK;
  if (action !== '' || kept === undefined) return undefined;
  const { pathname, searchParams } = new URL(path, 'http://s3');
  if (searchParams.has('list-type')) return listing(kept, searchParams);
  const text = kept.get(keyOf(pathname));
  if (text === undefined) return { status: 404, body: '<Error><Code>NoSuchKey</Code><Message>none</Message></Error>' };
  return text.startsWith('<Error>') ? { status: 403, body: text } : { body: text };
}

function keyOf(pathname: string): string {
  return decodeURIComponent(pathname.slice(`/${BUCKET}/`.length));
}

function listing(kept: Kept, query: URLSearchParams): AwsAnswer {
  const keys = [...kept.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
  const from = Number(query.get('continuation-token') ?? 0);
  const contents = keys.slice(from, from + PAGE).map((key) => `<Contents><Key>${key}</Key></Contents>`);
  const more = from + PAGE < keys.length;
  const next = more ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
  return {
    body: `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  };
}

const STACK: AwsAnswer = {
  body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/Headroom/9f0f</StackId><StackName>Headroom</StackName><CreationTime>2026-11-01T12:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs><member><OutputKey>BucketName</OutputKey><OutputValue>${BUCKET}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
};

const NO_STACK: AwsAnswer = {
  status: 400,
  body: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Headroom does not exist</Message></Error></ErrorResponse>',
};
