/**
 * Holds the page scanner to the SDK's decoder on random and on broken pages, for as long as it is told: `npm run fuzz:reader -- --minutes 10`.
 *
 * Each page is told by its seed; a difference prints the seed and ends with status 1. One scanner reads all pages, as in the functions, and learns from them; every other page is read by a new one.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ItemScanner } from '../../lambdas/adapters/ec2/eni-reader/item-scanner.ts';
import { UnexpectedPage } from '../../lambdas/adapters/ec2/eni-reader/xml-bytes.ts';
import { decodeWithSdk, scan } from '../support/eni-decoding.ts';
import { type Oddity, randomPage, seededPick } from '../support/eni-pages.ts';
import { cut, mutate } from '../support/spoiled-bytes.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const counts = { pages: 0, interfaces: 0, same: 0, refusedByBoth: 0, askedAgain: 0, askedAgainPlain: 0, fallbacks: 0 };

function attempt<T>(read: () => T): { value: T } | { error: unknown } {
  try {
    return { value: read() };
  } catch (error) {
    return { error };
  }
}

let seed = Number(values.seed);
for (; Date.now() < end; seed++) {
  const pick = seededPick(seed);
  const oddity = pick(3) as Oddity;
  const broken = pick(2) === 0;
  const page = Buffer.from(randomPage(pick, pick(5), oddity));
  const xml = broken ? mutate(page, pick) : page;
  const bySdk = attempt(() => decodeWithSdk(xml));
  const byScanner = attempt(() => scan(cut(xml, pick, 8), seed % 2 === 0 ? new ItemScanner() : undefined));
  counts.pages++;
  if ('error' in byScanner) {
    if ('error' in bySdk) counts.refusedByBoth++;
    else if (byScanner.error instanceof UnexpectedPage) {
      counts.askedAgain++;
      if (!broken && oddity < 2) counts.askedAgainPlain++;
    } else throw new Error(`seed ${seed}: only the scanner refuses the page`, { cause: byScanner.error });
    continue;
  }
  if ('error' in bySdk) throw new Error(`seed ${seed}: only the SDK refuses the page`, { cause: bySdk.error });
  const { records, nextToken, fallbacks } = byScanner.value;
  if (!isDeepStrictEqual({ records, nextToken }, bySdk.value))
    throw new Error(`seed ${seed}: the two read differently`);
  counts.same++;
  counts.interfaces += records.length;
  counts.fallbacks += fallbacks;
}
if (counts.askedAgainPlain > 0)
  throw new Error(`${counts.askedAgainPlain} pages of ordinary spelling were not understood`);
process.stdout.write(`${JSON.stringify({ ...counts, lastSeed: seed - 1 })}\n`);
