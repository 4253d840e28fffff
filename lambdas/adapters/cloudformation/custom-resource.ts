/** The answer that CloudFormation waits for (CloudFormation user guide, "Custom resource request and response objects"). */

/** What of a request the answer repeats, and where it goes. */
export interface CustomResourceRequest {
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
}

export type Outcome = { readonly status: 'SUCCESS' } | { readonly status: 'FAILED'; readonly reason: string };

/** CloudFormation takes answers of at most 4,096 bytes; the ids of a request take less than 1,500 of them. */
const LONGEST_REASON = 2_000;

/**
 * Sends the answer to the pre-signed URL of the request.
 *
 * @throws when S3 refuses it: Lambda then runs the function again.
 */
export async function answer(
  event: CustomResourceRequest,
  physicalResourceId: string,
  outcome: Outcome,
): Promise<void> {
  const body = JSON.stringify({
    Status: outcome.status,
    ...(outcome.status === 'FAILED' ? { Reason: outcome.reason.slice(0, LONGEST_REASON) } : {}),
    PhysicalResourceId: physicalResourceId,
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
  });
  // The URL is signed for an empty content type.
  const response = await fetch(event.ResponseURL, { method: 'PUT', body, headers: { 'content-type': '' } });
  if (!response.ok) throw new Error(`CloudFormation did not take the answer: HTTP ${response.status}`);
}
