import { ReadError } from '../../ports/read-error.ts';

/** Values that EC2 takes in one filter ("Using filtering", Amazon EC2 API reference: up to 200 values for all filters of a request). */
export const FILTER_VALUES = 200;

/** Items of a page that a call gives at most (its `MaxResults` in the EC2 service model). */
const PAGE_SIZE = 1000;
export const SMALL_PAGE_SIZE = 100;

/** The page size to ask for: as many as the call gives, or fewer where the reader was told so. */
export function pageSize(wanted: number | undefined, most = PAGE_SIZE): number {
  return Math.min(wanted ?? most, most);
}

/**
 * Asks for page after page and hands each to `use`, which settles before the next is asked for. A page may be empty and yet have a next one.
 *
 * A token that comes back as it was sent would go round for ever: that is an error, as in the SDK's own paginators.
 */
export async function eachPage<Page>(
  ask: (token: string | undefined) => Promise<Page>,
  nextToken: (page: Page) => string | undefined,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  let token: string | undefined;
  do {
    const page = await ask(token);
    await use(page);
    const next = nextToken(page);
    if (next !== undefined && next !== '' && next === token) {
      throw new ReadError('AWS_FAILED', 'AWS answered with the page token that it had been sent.');
    }
    token = next;
  } while (token !== undefined && token !== '');
}

/** One EC2 filter; `Values` must not be empty, since EC2 would then match nothing or everything. */
export function filter(name: string, values: readonly string[]) {
  return { Name: name, Values: [...values] };
}
