/** Is the service blind or unheard? Pure judgements over what CloudTrail and SNS say; the doctor asks the same. */
import type { Finding } from '../../contract/finding.ts';
import { finding } from '../assess/finding.ts';

/** A trail, as far as it decides whether EventBridge is told of calls that change something. */
export interface TrailFacts {
  readonly arn: string;
  readonly logging: boolean;
  /** `undefined` where the selectors could not be read. */
  readonly writesSelected: boolean | undefined;
}

/** One selector of GetEventSelectors, in the words of the API. */
export interface BasicSelector {
  readonly includeManagementEvents?: boolean;
  /** `All`, `WriteOnly`, `ReadOnly`. */
  readonly readWriteType?: string;
}

export interface FieldSelector {
  readonly field: string;
  readonly equals?: readonly string[];
}

/** Whether selectors let management calls that change something through: with none at all, a trail logs all of them. */
export function selectsWrites(
  basic: readonly BasicSelector[],
  advanced: readonly (readonly FieldSelector[])[],
): boolean {
  if (advanced.length > 0) {
    return advanced.some((fields) => {
      const of = (name: string) => fields.find(({ field }) => field === name)?.equals;
      return of('eventCategory')?.includes('Management') === true && of('readOnly')?.includes('true') !== true;
    });
  }
  if (basic.length === 0) return true;
  return basic.some(
    ({ includeManagementEvents, readWriteType }) => includeManagementEvents !== false && readWriteType !== 'ReadOnly',
  );
}

/** `REACT_BLIND`, where no trail delivers the calls; nothing where one does, or where that is not known. */
export function reactBlind(trails: readonly TrailFacts[]): readonly Finding[] {
  if (trails.some(({ logging, writesSelected }) => logging && writesSelected !== false)) return [];
  const stopped = trails.filter(({ logging }) => !logging).length;
  return [
    finding(
      'REACT_BLIND',
      {},
      {
        severity: 'warning',
        observed: trails.length,
        message:
          trails.length === 0
            ? 'No CloudTrail trail covers this region, so AWS tells nobody of failed calls and changes: Headroom sees them on its next tick only.'
            : `No CloudTrail trail of this region delivers management calls that write (${stopped} of ${trails.length} are stopped): Headroom sees failures and changes on its next tick only.`,
        evidence: {
          trails: trails.map(({ arn, logging, writesSelected }) => ({
            arn,
            logging,
            writesSelected: writesSelected ?? null,
          })),
        },
        remedy: 'Start a trail with management events of type All or WriteOnly; one for all regions is enough.',
      },
    ),
  ];
}

export interface TopicFacts {
  readonly arn: string;
  readonly level: 'critical' | 'warning';
  /** Confirmed subscriptions. */
  readonly confirmed: number;
  readonly pending: number;
}

/** `NOBODY_IS_PAGED`, one for each topic that alarms go to and nobody has confirmed. */
export function nobodyIsPaged(topics: readonly TopicFacts[]): readonly Finding[] {
  return topics
    .filter(({ confirmed }) => confirmed === 0)
    .map(({ arn, level, pending }) =>
      finding(
        'NOBODY_IS_PAGED',
        { part: arn },
        {
          severity: 'critical',
          observed: 0,
          threshold: 1,
          message: `The topic of ${level} alarms has no confirmed subscriber${pending > 0 ? ` (${pending} not yet confirmed)` : ''}: its alarms reach nobody.`,
          evidence: { topicArn: arn, level, pending },
          remedy: `Subscribe to ${arn} and confirm, then run headroom test-alert.`,
        },
      ),
    );
}
