import { expect, test } from '@jest/globals';
import { eachPage } from '../../../lambdas/adapters/ec2/paging.ts';

interface Page {
  readonly items: readonly number[];
  readonly next?: string;
}

async function readPages(pages: { readonly [token: string]: Page }): Promise<number[]> {
  const items: number[] = [];
  await eachPage<Page>(
    async (token) => pages[token ?? ''] as Page,
    ({ next }) => next,
    async (page) => {
      items.push(...page.items);
    },
  );
  return items;
}

test('goes on behind an empty page, and ends at an empty token as at none', async () => {
  await expect(
    readPages({ '': { items: [1], next: 'a' }, a: { items: [], next: 'b' }, b: { items: [2], next: '' } }),
  ).resolves.toEqual([1, 2]);
});

test('a token that comes back as it was sent is an error, not an endless loop', async () => {
  await expect(readPages({ '': { items: [1], next: 'a' }, a: { items: [2], next: 'a' } })).rejects.toMatchObject({
    code: 'AWS_FAILED',
  });
});
