/** What the queue of remediate holds: findings from the bus, calls to look from approve, and the hourly one. */

export interface LookRequest {
  readonly vpcIds: readonly string[];
  /** Also every VPC with an open plan. */
  readonly open: boolean;
}

/** VPCs that the messages name. One that names none, whatever it is, asks for those with an open plan: a look does no harm. */
export function requestsOf(messages: readonly { readonly body: string }[]): LookRequest {
  const named = messages.map(({ body }) => vpcsIn(body));
  return { vpcIds: [...new Set(named.flat())].sort(), open: named.some((vpcIds) => vpcIds.length === 0) };
}

const VPC_ID = /^vpc-[0-9a-f]{8,17}$/;

function vpcsIn(body: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [];
  }
  const look = at(value, 'look');
  const found: unknown[] = Array.isArray(look) ? look : [at(at(at(value, 'detail'), 'finding'), 'vpcId')];
  return found.filter((id): id is string => typeof id === 'string' && VPC_ID.test(id));
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
