/** What the path and query of a REST request say. */
export interface RestOperation {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly method: string;
  /** `{Name}` stands for one path segment. */
  readonly path: string;
  readonly name: string;
}

const route = (text: string): Route => {
  const [method = '', path = '', name = ''] = text.split(' ');
  return { method, path, name };
};

/** From the `http` bindings in the SDK clients' schemas. */
const ROUTES: Readonly<Record<string, readonly Route[]>> = {
  eks: [
    'GET /clusters ListClusters',
    'GET /clusters/{name} DescribeCluster',
    'GET /clusters/{clusterName}/node-groups ListNodegroups',
    'GET /clusters/{clusterName}/node-groups/{nodegroupName} DescribeNodegroup',
    'GET /clusters/{clusterName}/addons ListAddons',
    'GET /clusters/{clusterName}/addons/{addonName} DescribeAddon',
    'GET /clusters/{clusterName}/fargate-profiles ListFargateProfiles',
    'GET /clusters/{clusterName}/fargate-profiles/{fargateProfileName} DescribeFargateProfile',
    'GET /clusters/{clusterName}/access-entries ListAccessEntries',
    'POST /clusters/{clusterName}/insights ListInsights',
    'GET /clusters/{name}/updates ListUpdates',
    'GET /clusters/{name}/updates/{updateId} DescribeUpdate',
    'GET /addons/supported-versions DescribeAddonVersions',
  ].map(route),
  lambda: [
    'GET /2015-03-31/functions ListFunctions',
    'GET /2015-03-31/functions/{FunctionName} GetFunction',
    'GET /2015-03-31/functions/{FunctionName}/configuration GetFunctionConfiguration',
    'POST /2015-03-31/functions/{FunctionName}/invocations Invoke',
    'PUT /2017-10-31/functions/{FunctionName}/concurrency PutFunctionConcurrency',
    'GET /2021-10-31/functions/{FunctionName}/url GetFunctionUrlConfig',
    'GET /2015-03-31/event-source-mappings ListEventSourceMappings',
    'PUT /2015-03-31/event-source-mappings/{UUID} UpdateEventSourceMapping',
  ].map(route),
  scheduler: [
    'GET /schedules ListSchedules',
    'GET /schedules/{Name} GetSchedule',
    'POST /schedules/{Name} CreateSchedule',
    'PUT /schedules/{Name} UpdateSchedule',
    'DELETE /schedules/{Name} DeleteSchedule',
  ].map(route),
};

const segments = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

const match = (candidate: Route, method: string, path: readonly string[]): Record<string, string> | undefined => {
  const pattern = segments(candidate.path);
  if (candidate.method !== method || pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const value = decodeURIComponent(path[index] ?? '');
    if (part.startsWith('{')) params[part.slice(1, -1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
};

/** What S3 is asked on a bucket or an object, by method and the sub-resource in the query. First match wins. */
const S3: readonly (readonly [method: string, on: 'bucket' | 'object', sub: string | undefined, name: string])[] = [
  ['GET', 'bucket', 'list-type', 'ListObjectsV2'],
  ['GET', 'bucket', 'versions', 'ListObjectVersions'],
  ['GET', 'bucket', 'uploads', 'ListMultipartUploads'],
  ['GET', 'bucket', 'location', 'GetBucketLocation'],
  ['GET', 'bucket', 'tagging', 'GetBucketTagging'],
  ['GET', 'bucket', undefined, 'ListObjects'],
  ['HEAD', 'bucket', undefined, 'HeadBucket'],
  ['POST', 'bucket', 'delete', 'DeleteObjects'],
  ['PUT', 'bucket', undefined, 'CreateBucket'],
  ['DELETE', 'bucket', undefined, 'DeleteBucket'],
  ['GET', 'object', 'tagging', 'GetObjectTagging'],
  ['GET', 'object', 'attributes', 'GetObjectAttributes'],
  ['GET', 'object', undefined, 'GetObject'],
  ['HEAD', 'object', undefined, 'HeadObject'],
  ['PUT', 'object', 'partNumber', 'UploadPart'],
  ['PUT', 'object', 'tagging', 'PutObjectTagging'],
  ['PUT', 'object', undefined, 'PutObject'],
  ['POST', 'object', 'uploads', 'CreateMultipartUpload'],
  ['POST', 'object', 'uploadId', 'CompleteMultipartUpload'],
  ['DELETE', 'object', 'uploadId', 'AbortMultipartUpload'],
  ['DELETE', 'object', undefined, 'DeleteObject'],
];

const s3Operation = (method: string, url: URL, copies: boolean): RestOperation | undefined => {
  // Path style: the SDK uses it for endpoints that are IP addresses.
  const [bucket, ...key] = segments(url.pathname);
  if (bucket === undefined) return method === 'GET' ? { name: 'ListBuckets', params: {} } : undefined;
  const on = key.length === 0 ? 'bucket' : 'object';
  const found = S3.find(
    ([itsMethod, itsPlace, sub]) =>
      itsMethod === method && itsPlace === on && (sub === undefined || url.searchParams.has(sub)),
  );
  if (found === undefined) return undefined;
  const params = {
    Bucket: decodeURIComponent(bucket),
    ...(on === 'object' ? { Key: decodeURIComponent(key.join('/')) } : {}),
  };
  const name = copies && found[3] === 'PutObject' ? 'CopyObject' : found[3];
  return { name, params: { ...Object.fromEntries(url.searchParams), ...params } };
};

/** The operation of a REST request to the service of that signing name; undefined where it fits none known here. */
export const restOperation = (
  method: string,
  url: URL,
  signingName: string,
  copies: boolean,
): RestOperation | undefined => {
  if (signingName === 's3') return s3Operation(method, url, copies);
  const path = segments(url.pathname);
  for (const candidate of ROUTES[signingName] ?? []) {
    const params = match(candidate, method, path);
    if (params !== undefined)
      return { name: candidate.name, params: { ...Object.fromEntries(url.searchParams), ...params } };
  }
  return undefined;
};
