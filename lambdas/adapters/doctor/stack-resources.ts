import { type CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';

/** Physical ids of the stack's resources, by CloudFormation type. */
export async function stackResources(
  client: CloudFormationClient,
  stackName: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  let NextToken: string | undefined;
  do {
    const page = await client.send(
      new ListStackResourcesCommand({ StackName: stackName, ...(NextToken === undefined ? {} : { NextToken }) }),
    );
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (ResourceType === undefined || PhysicalResourceId === undefined) continue;
      found.set(ResourceType, [...(found.get(ResourceType) ?? []), PhysicalResourceId]);
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return found;
}
