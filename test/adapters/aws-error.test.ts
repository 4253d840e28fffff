import { describe, expect, test } from '@jest/globals';
import { awsCode, awsMessage, fatalError, readFailure } from '../../lambdas/adapters/aws-error.ts';

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
