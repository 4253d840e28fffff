/** What a call needs of its caller's role: an IAM action on a resource, with the condition keys the request carries. */
export interface Permission {
  /** e.g. `dynamodb:PutItem`, as IAM spells it, which is not always the API's name. */
  readonly action: string;
  /** An ARN, or `*` where the action has no resource or the request does not say which. */
  readonly resource: string;
  /** e.g. `{'cloudwatch:namespace': 'Headroom'}`; tags of the resource itself are not in the request, so not in here. */
  readonly context: Readonly<Record<string, string | readonly string[]>>;
}

/** Who sent a call: from the session token that the launcher gives each function. */
export interface Caller {
  readonly functionName: string;
  readonly functionArn: string;
  readonly roleArn: string;
}

/** One AWS API call by a function, read off the wire. */
export interface RecordedCall extends Caller {
  /** The IAM prefix: `cloudwatch`, not the signing name `monitoring`. */
  readonly service: string;
  /** The API's operation: `ListObjectsV2`. `UnknownOperation` where the request fits no known one; no role allows that. */
  readonly action: string;
  readonly region: string;
  /** The parameters: a Query request's flat ones, else the decoded document; REST path and query parameters by name. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly requires: readonly Permission[];
  /** HTTP status of the answer. */
  readonly status: number;
  /** Milliseconds since the epoch at which the request had come in. */
  readonly at: number;
}
