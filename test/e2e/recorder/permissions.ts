import type { Permission } from './call.ts';

/** Where a call goes, for the ARNs in it. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

type Params = Readonly<Record<string, unknown>>;
type Rule = (params: Params, place: Place) => readonly Permission[];

/** Signing names that differ from the prefix of the service's IAM actions. */
const PREFIXES: Readonly<Record<string, string>> = { monitoring: 'cloudwatch' };

/** The IAM prefix of a service, by its signing name. */
export const iamPrefix = (signingName: string): string => PREFIXES[signingName] ?? signingName;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly Params[] => (Array.isArray(value) ? (value as Params[]) : []);
const record = (value: unknown): Params => (typeof value === 'object' && value !== null ? (value as Params) : {});

const need = (action: string, resource: string, context: Permission['context'] = {}): Permission => ({
  action,
  resource: resource === '' ? '*' : resource,
  context,
});

const arn = (service: string, place: Place, rest: string): string =>
  `arn:aws:${service}:${place.region}:${place.account}:${rest}`;

/** A name, or an ARN already, as an ARN. */
const named = (service: string, place: Place, kind: string, name: string): string =>
  name === '' || name.startsWith('arn:') ? name : arn(service, place, `${kind}${name}`);

const table = (name: unknown, place: Place): string => named('dynamodb', place, 'table/', text(name));
const queue = (url: unknown, place: Place): string => arn('sqs', place, text(url).split('/').at(-1) ?? '');
const objects = (params: Params): string => `arn:aws:s3:::${text(params.Bucket)}/${text(params.Key)}`;
const bucket = (params: Params): string => `arn:aws:s3:::${text(params.Bucket)}`;
const alarm = (name: unknown, place: Place): string => arn('cloudwatch', place, `alarm:${text(name)}`);

/** The items of an EC2 Query list: `ResourceId.1`, `ResourceId.2`, ... */
const numbered = (params: Params, name: string): string[] =>
  Object.keys(params)
    .filter((key) => new RegExp(`^${name}\\.\\d+$`).test(key))
    .map((key) => text(params[key]));

/** ARN kinds of EC2 resources by the prefix of their ids. */
const EC2_KINDS: Readonly<Record<string, string>> = {
  subnet: 'subnet',
  eni: 'network-interface',
  i: 'instance',
  vpc: 'vpc',
};
const ec2 = (id: string, place: Place): string => {
  const kind = EC2_KINDS[id.slice(0, id.lastIndexOf('-'))];
  return kind === undefined ? '*' : arn('ec2', place, `${kind}/${id}`);
};

const tagRule =
  (action: string): Rule =>
  (params, place) => {
    const context: Record<string, string | string[]> = {};
    const keys: string[] = [];
    for (const [name, key] of Object.entries(params)) {
      const index = /^Tag\.(\d+)\.Key$/.exec(name)?.[1];
      if (index === undefined) continue;
      keys.push(text(key));
      const value = params[`Tag.${index}.Value`];
      if (value !== undefined) context[`aws:RequestTag/${text(key)}`] = text(value);
    }
    if (keys.length > 0) context['aws:TagKeys'] = keys;
    return numbered(params, 'ResourceId').map((id) => need(`ec2:${action}`, ec2(id, place), context));
  };

const transact: Rule = (params, place) =>
  list(params.TransactItems).flatMap((item) =>
    Object.entries(item).map(([kind, request]) =>
      need(
        `dynamodb:${kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`}`,
        table(record(request).TableName, place),
      ),
    ),
  );

const batch =
  (action: string): Rule =>
  (params, place) =>
    Object.keys(record(params.RequestItems)).map((name) => need(action, table(name, place)));

const on = (action: string, resource: (params: Params, place: Place) => string): Rule => {
  return (params, place) => [need(action, resource(params, place))];
};

const secret = (params: Params, place: Place): string =>
  named('secretsmanager', place, 'secret:', text(params.SecretId));
const parameter = (name: unknown, place: Place): string =>
  named('ssm', place, 'parameter/', text(name).replace(/^\//, ''));
const cluster = (params: Params, place: Place): string =>
  arn('eks', place, `cluster/${text(params.name ?? params.clusterName)}`);
/** EKS ends the ARNs of what is inside a cluster in an id of its own, which no request names. */
const MADE_UP_ID = '00000000-0000-0000-0000-000000000000';
const insideCluster =
  (kind: string, name: string) =>
  (params: Params, place: Place): string =>
    arn('eks', place, `${kind}/${text(params.clusterName)}/${text(params[name])}/${MADE_UP_ID}`);
const fn = (params: Params, place: Place): string => named('lambda', place, 'function:', text(params.FunctionName));

/** Where the action, its resource or its conditions are not simply `prefix:Operation` on `*`. */
const RULES: Readonly<Record<string, Rule>> = {
  'eks:DescribeNodegroup': on('eks:DescribeNodegroup', insideCluster('nodegroup', 'nodegroupName')),
  'eks:DescribeAddon': on('eks:DescribeAddon', insideCluster('addon', 'addonName')),
  'cloudwatch:PutMetricData': (params) => [
    need('cloudwatch:PutMetricData', '*', { 'cloudwatch:namespace': text(params.Namespace) }),
  ],
  'cloudwatch:PutMetricAlarm': on('cloudwatch:PutMetricAlarm', (params, place) => alarm(params.AlarmName, place)),
  'cloudwatch:PutCompositeAlarm': on('cloudwatch:PutCompositeAlarm', (params, place) => alarm(params.AlarmName, place)),
  'cloudwatch:SetAlarmState': on('cloudwatch:SetAlarmState', (params, place) => alarm(params.AlarmName, place)),
  'cloudwatch:DeleteAlarms': (params, place) =>
    (Array.isArray(params.AlarmNames) ? params.AlarmNames : []).map((name) =>
      need('cloudwatch:DeleteAlarms', alarm(name, place)),
    ),
  'cloudwatch:TagResource': on('cloudwatch:TagResource', (params) => text(params.ResourceARN)),
  'dynamodb:TransactWriteItems': transact,
  'dynamodb:TransactGetItems': transact,
  'dynamodb:BatchGetItem': batch('dynamodb:BatchGetItem'),
  'dynamodb:BatchWriteItem': batch('dynamodb:BatchWriteItem'),
  'ec2:CreateTags': tagRule('CreateTags'),
  'ec2:DeleteTags': tagRule('DeleteTags'),
  'ec2:CreateSubnetCidrReservation': on('ec2:CreateSubnetCidrReservation', (params, place) =>
    ec2(text(params.SubnetId), place),
  ),
  'ec2:DeleteNetworkInterface': on('ec2:DeleteNetworkInterface', (params, place) =>
    ec2(text(params.NetworkInterfaceId), place),
  ),
  'events:PutEvents': (params, place) =>
    list(params.Entries).map((entry) =>
      need('events:PutEvents', named('events', place, 'event-bus/', text(entry.EventBusName) || 'default'), {
        'events:source': text(entry.Source),
        'events:detail-type': text(entry.DetailType),
      }),
    ),
  'lambda:Invoke': on('lambda:InvokeFunction', fn),
  's3:GetObject': on('s3:GetObject', objects),
  's3:HeadObject': on('s3:GetObject', objects),
  's3:PutObject': on('s3:PutObject', objects),
  's3:CopyObject': on('s3:PutObject', objects),
  's3:CreateMultipartUpload': on('s3:PutObject', objects),
  's3:UploadPart': on('s3:PutObject', objects),
  's3:CompleteMultipartUpload': on('s3:PutObject', objects),
  's3:AbortMultipartUpload': on('s3:AbortMultipartUpload', objects),
  's3:DeleteObject': on('s3:DeleteObject', objects),
  's3:DeleteObjects': on('s3:DeleteObject', (params) => `${bucket(params)}/*`),
  's3:ListObjects': (params) => [need('s3:ListBucket', bucket(params), { 's3:prefix': text(params.prefix) })],
  's3:ListObjectsV2': (params) => [need('s3:ListBucket', bucket(params), { 's3:prefix': text(params.prefix) })],
  's3:ListObjectVersions': on('s3:ListBucketVersions', bucket),
  's3:HeadBucket': on('s3:ListBucket', bucket),
  's3:ListBuckets': on('s3:ListAllMyBuckets', () => '*'),
  'secretsmanager:GetSecretValue': on('secretsmanager:GetSecretValue', secret),
  'secretsmanager:DescribeSecret': on('secretsmanager:DescribeSecret', secret),
  'sns:Publish': on('sns:Publish', (params) => text(params.TopicArn)),
  'sns:PublishBatch': on('sns:Publish', (params) => text(params.TopicArn)),
  'sqs:SendMessageBatch': on('sqs:SendMessage', (params, place) => queue(params.QueueUrl, place)),
  'sqs:DeleteMessageBatch': on('sqs:DeleteMessage', (params, place) => queue(params.QueueUrl, place)),
  'ssm:GetParameter': on('ssm:GetParameter', (params, place) => parameter(params.Name, place)),
  'ssm:PutParameter': on('ssm:PutParameter', (params, place) => parameter(params.Name, place)),
  'ssm:GetParameters': (params, place) =>
    (Array.isArray(params.Names) ? params.Names : []).map((name) => need('ssm:GetParameters', parameter(name, place))),
};

/** Services whose every operation on a thing names it in the same parameter. */
const BY_SERVICE: Readonly<Record<string, (params: Params, place: Place) => string>> = {
  dynamodb: (params, place) => table(params.TableName, place),
  sqs: (params, place) => (params.QueueUrl === undefined ? '*' : queue(params.QueueUrl, place)),
  sns: (params) => text(params.TopicArn),
  eks: (params, place) =>
    params.name === undefined && params.clusterName === undefined ? '*' : cluster(params, place),
  lambda: (params, place) => fn(params, place),
};

/**
 * The permissions that an API call needs, as far as the request says. Source: Service Authorization Reference.
 * An operation without a rule needs `prefix:Operation` on the thing its service names, or on `*`.
 */
export const permissionsOf = (
  service: string,
  operation: string,
  params: Params,
  place: Place,
): readonly Permission[] => {
  const name = `${service}:${operation}`;
  const rule = RULES[name];
  if (rule !== undefined) return rule(params, place);
  return [need(name, BY_SERVICE[service]?.(params, place) ?? '*')];
};
