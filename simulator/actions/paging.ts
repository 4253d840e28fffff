/** Pages: MaxResults, NextToken, and what real pages may look like. */
import { Refusal } from '../refusal.ts';
import type { View } from '../world/table.ts';

/** How pages may be made awkward; a client has to bear it, since EC2 promises neither full pages nor a still world. */
export interface PageQuirks {
  /** No page holds more than this, whatever was asked. */
  readonly pageSize?: number | undefined;
  /** Every Nth page, N from 2, is empty and has a token all the same. */
  readonly emptyPageEvery?: number | undefined;
  /** Each page begins with the last item of the one before. */
  readonly repeatAcrossPages?: boolean | undefined;
}

export interface PageRequest {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}

/** Bounds of MaxResults, and the page size where it is not given (botocore service model). */
export interface PageBounds {
  readonly min: number;
  readonly max: number;
  readonly unasked: number;
}

export const USUAL_BOUNDS: PageBounds = { min: 5, max: 1000, unasked: Number.POSITIVE_INFINITY };

export interface Page<T> {
  readonly items: readonly T[];
  readonly NextToken?: string;
}

/**
 * One page of the resources at these ascending slots that are accepted.
 *
 * @throws Refusal `InvalidParameterValue`: MaxResults out of bounds; `InvalidPaginationToken`: a token that is none of ours.
 */
export function pageOf<T>(
  view: View<T>,
  slots: readonly number[] | undefined,
  accept: (item: T) => boolean,
  request: PageRequest,
  bounds: PageBounds,
  quirks: PageQuirks,
): Page<T> {
  const limit = Math.min(limitOf(request, bounds), quirks.pageSize ?? Number.POSITIVE_INFINITY);
  const { page, after } = readToken(request.NextToken);
  const every = quirks.emptyPageEvery ?? 0;
  if (every > 1 && page % every === 0) return { items: [], NextToken: writeToken(page + 1, after) };

  const from = quirks.repeatAcrossPages === true && limit > 1 ? after : after + 1;
  const items: T[] = [];
  let last = after;
  const end = slots === undefined ? view.end : slots.length;
  for (let i = slots === undefined ? Math.max(0, from) : firstFrom(slots, from); i < end; i++) {
    const slot = slots === undefined ? i : (slots[i] ?? 0);
    const item = view.at(slot);
    if (item === undefined || !accept(item)) continue;
    if (items.length >= limit) return { items, NextToken: writeToken(page + 1, last) };
    items.push(item);
    last = slot;
  }
  return { items };
}

function limitOf(request: PageRequest, bounds: PageBounds): number {
  const asked = request.MaxResults;
  if (asked === undefined) return bounds.unasked;
  if (!Number.isInteger(asked) || asked < bounds.min) {
    const message = `Value ( ${asked} ) for parameter maxResults is invalid. Expecting a value greater than or equal to ${bounds.min}.`;
    throw new Refusal('InvalidParameterValue', message);
  }
  if (asked > bounds.max) {
    const message = `Value ( ${asked} ) for parameter maxResults is invalid. Expecting a value less than or equal to ${bounds.max}.`;
    throw new Refusal('InvalidParameterValue', message);
  }
  return asked;
}

function writeToken(page: number, after: number): string {
  return Buffer.from(`p${page}:${after}`).toString('base64url');
}

function readToken(token: string | undefined): { readonly page: number; readonly after: number } {
  if (token === undefined) return { page: 1, after: -1 };
  const match = /^p(\d+):(-?\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (match === null)
    throw new Refusal('InvalidPaginationToken', 'The specified pagination token is not valid or is expired.');
  return { page: Number(match[1]), after: Number(match[2]) };
}

/** Index of the first slot that is not below `from`. */
function firstFrom(slots: readonly number[], from: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((slots[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
