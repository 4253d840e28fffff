import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** The outputs of a deployed stack by name. Throws, with the names there are, where one is asked for that is not there. */
export const stackOutputs = async (
  client: CloudFormationClient,
  stackName: string,
): Promise<(name: string) => string> => {
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
  const outputs = new Map((Stacks[0]?.Outputs ?? []).map((output) => [output.OutputKey, output.OutputValue]));
  return (name) => {
    const value = outputs.get(name);
    if (value === undefined) throw new Error(`${stackName} has no output ${name}: ${[...outputs.keys()].join(', ')}`);
    return value;
  };
};
