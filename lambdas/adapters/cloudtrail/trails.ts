import {
  type CloudTrailClient,
  DescribeTrailsCommand,
  GetEventSelectorsCommand,
  GetTrailStatusCommand,
} from '@aws-sdk/client-cloudtrail';
import { selectsWrites, type TrailFacts } from '../../core/publish/service-findings.ts';

/**
 * The trails that cover this region, those of other regions and of the organisation among them (`includeShadowTrails`, the default of DescribeTrails).
 *
 * A trail of the organisation's account may not be asked for its selectors: they are then not known.
 */
export async function readTrails(client: CloudTrailClient): Promise<readonly TrailFacts[]> {
  const { trailList = [] } = await client.send(new DescribeTrailsCommand({ includeShadowTrails: true }));
  return Promise.all(
    trailList.map(async ({ TrailARN = '' }) => {
      const { IsLogging = false } = await client.send(new GetTrailStatusCommand({ Name: TrailARN }));
      return { arn: TrailARN, logging: IsLogging, writesSelected: await selected(client, TrailARN) };
    }),
  );
}

async function selected(client: CloudTrailClient, arn: string): Promise<boolean | undefined> {
  try {
    const { EventSelectors = [], AdvancedEventSelectors = [] } = await client.send(
      new GetEventSelectorsCommand({ TrailName: arn }),
    );
    return selectsWrites(
      EventSelectors.map(({ IncludeManagementEvents, ReadWriteType }) => ({
        ...(IncludeManagementEvents === undefined ? {} : { includeManagementEvents: IncludeManagementEvents }),
        ...(ReadWriteType === undefined ? {} : { readWriteType: ReadWriteType }),
      })),
      AdvancedEventSelectors.map(({ FieldSelectors = [] }) =>
        FieldSelectors.map(({ Field = '', Equals }) => ({
          field: Field,
          ...(Equals === undefined ? {} : { equals: Equals }),
        })),
      ),
    );
  } catch (error) {
    if (error instanceof Error && /AccessDenied|TrailNotFound|CloudTrailARNInvalid/.test(error.name)) return undefined;
    throw error;
  }
}
