import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from '@jest/globals';
import { awsCode, awsMessage, fatalError, readFailure } from '../../lambdas/adapters/aws-error.ts';
import { type AwsAnswer, startAwsStandIn } from '../support/aws-stand-in.ts';

interface Config {
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly maxAttempts: number;
}
const publish = (config: Config) => new SNSClient(config).send(new PublishCommand({ TopicArn: 't', Message: 'm' }));
const getRole = new GetRoleCommand({ RoleName: 'r' });
const assumeRole = new AssumeRoleCommand({ RoleArn: 'arn:aws:iam::111122223333:role/r', RoleSessionName: 's' });
const describeStacks = new DescribeStacksCommand({ StackName: 's' });
const sendMessage = new SendMessageCommand({ QueueUrl: 'https://sqs.example/111122223333/q', MessageBody: 'm' });

function awsError(name: string, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { name }, fields);
}

describe('the code', () => {
  test.each<[string, unknown]>([
    ['UnauthorizedOperation', awsError('UnauthorizedOperation', 'no')],
    ['UnauthorizedOperation', awsError('Client.UnauthorizedOperation', 'no')],
    ['InternalError', awsError('Server.InternalError', 'no')],
    ['ECONNREFUSED', awsError('Error', 'connect', { code: 'ECONNREFUSED' })],
    ['CredentialsProviderError', awsError('CredentialsProviderError', 'Could not load credentials from any providers')],
    ['Unknown', 'thrown text'],
    ['Unknown', undefined],
  ])('%s', (code, error) => expect(awsCode(error)).toBe(code));
});

/** Each is called by the SDK something else than by the service, whose name alone is known in a bundle. */
describe('the code of an answer is the one that the service sent', () => {
  const xml = (code: string): AwsAnswer => ({
    status: 400,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`,
  });
  const json = (type: string, code: string): AwsAnswer => ({
    status: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-query-error': `${code};Sender` },
    body: JSON.stringify({ __type: `com.amazonaws#${type}`, message: 'no' }),
  });

  test.each<[string, string, AwsAnswer, (config: Config) => Promise<unknown>]>([
    ['ParameterValueInvalid', 'InvalidParameterValueException', xml('ParameterValueInvalid'), publish],
    ['AuthorizationError', 'AuthorizationErrorException', xml('AuthorizationError'), publish],
    ['NoSuchEntity', 'NoSuchEntityException', xml('NoSuchEntity'), (config) => new IAMClient(config).send(getRole)],
    [
      'PackedPolicyTooLarge',
      'PackedPolicyTooLargeException',
      xml('PackedPolicyTooLarge'),
      (config) => new STSClient(config).send(assumeRole),
    ],
    [
      'ConditionalCheckFailed',
      'OperationStatusCheckFailedException',
      xml('ConditionalCheckFailed'),
      (config) => new CloudFormationClient(config).send(describeStacks),
    ],
    [
      'AWS.SimpleQueueService.NonExistentQueue',
      'QueueDoesNotExist',
      json('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'),
      (config) => new SQSClient(config).send(sendMessage),
    ],
  ])('%s, not %s', async (code, sdkName, answer, call) => {
    const aws = await startAwsStandIn(() => answer);
    try {
      const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
      const error: unknown = await call({
        region: 'eu-central-1',
        endpoint: aws.url,
        credentials,
        maxAttempts: 1,
      }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: sdkName });
      expect(awsCode(error)).toBe(code);
    } finally {
      await aws.stop();
    }
  });

  test('what no right to a topic is called is a denial too', () => {
    const failure = readFailure(awsError('AuthorizationError', 'no'), { input: 'vpcs', call: 'ec2:DescribeVpcs' });
    expect(failure.permission).toBe('ec2:DescribeVpcs');
  });
});

describe('the message', () => {
  test('keeps who was denied what, and not the encoded request behind it', () => {
    const message =
      'You are not authorized to perform this operation. User: arn:aws:sts::111111111111:assumed-role/r/s is not authorized to perform: ' +
      'ec2:DescribeSubnets because no identity-based policy allows the ec2:DescribeSubnets action. Encoded authorization failure message: ' +
      `${'Q9_-x'.repeat(200)}`;
    expect(awsMessage(awsError('UnauthorizedOperation', message))).toBe(message.slice(0, message.indexOf(' Encoded')));
  });

  test('is one line, and the code where there is none', () => {
    expect(awsMessage(awsError('X', 'a\n  b'))).toBe('a b');
    expect(awsMessage(awsError('Teapot', ' '))).toBe('Teapot');
  });
});

describe('a failure', () => {
  test.each(['UnauthorizedOperation', 'AccessDeniedException', 'AccessDenied'])('%s names the permission', (name) => {
    const failure = readFailure(awsError(name, 'no'), {
      input: 'vpcs',
      call: 'ec2:DescribeVpcs',
      subnetIds: ['subnet-1'],
    });
    expect(failure).toEqual({
      input: 'vpcs',
      call: 'ec2:DescribeVpcs',
      subnetIds: ['subnet-1'],
      code: name,
      permission: 'ec2:DescribeVpcs',
      message: 'no',
    });
  });

  test('of another kind names none', () => {
    const failure = readFailure(awsError('InternalError', 'oh'), { input: 'vpcs', call: 'ec2:DescribeVpcs' });
    expect(failure).toEqual({ input: 'vpcs', call: 'ec2:DescribeVpcs', code: 'InternalError', message: 'oh' });
  });
});

describe('an error that ends the reading', () => {
  test('of a profile without credentials says where the profile was looked for, not to give one', () => {
    const error = awsError('CredentialsProviderError', 'Could not load credentials from any providers');
    const { remedy } = fatalError(error, 'ec2:DescribeSubnets', { profile: 'nosuch' });
    expect(remedy).toMatch(/profile nosuch in ~\/\.aws\/config and ~\/\.aws\/credentials/);
    expect(remedy).not.toMatch(/Give --profile/);
    expect(fatalError(error, 'ec2:DescribeSubnets', {}).remedy).toMatch(/^Give --profile/);
  });

  test.each([
    ['CredentialsProviderError', 'Could not load credentials from any providers', 'NO_CREDENTIALS'],
    ['CredentialsProviderError', 'The SSO session associated with this profile has expired.', 'CREDENTIALS_EXPIRED'],
    ['TokenProviderError', "Token is expired. To refresh run 'aws sso login'", 'CREDENTIALS_EXPIRED'],
    ['ExpiredTokenException', 'The security token included in the request is expired', 'CREDENTIALS_EXPIRED'],
    ['UnrecognizedClientException', 'The security token included in the request is invalid.', 'CREDENTIALS_REJECTED'],
    ['OptInRequired', 'You are not subscribed to this service.', 'CREDENTIALS_REJECTED'],
    ['TimeoutError', 'Socket timed out', 'UNREACHABLE'],
  ])('%s: %s', (name, message, code) => {
    const error = fatalError(awsError(name, message), 'ec2:DescribeSubnets', { region: 'eu-west-1', profile: 'ops' });
    expect(error).toMatchObject({ name: 'ReadError', code, message: expect.stringContaining(message) });
    expect(error.message).toContain(code === 'UNREACHABLE' ? 'eu-west-1' : 'profile ops');
    expect(error.remedy).toMatch(/\.$/);
  });

  test('of our own passes through', () => {
    const error = fatalError(awsError('X', 'y'), 'ec2:DescribeSubnets', {});
    expect(fatalError(error, 'ec2:DescribeSubnets', {})).toBe(error);
  });
});
