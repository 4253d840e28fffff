/**
 * `npm run bench [-- kernel reading ...] [--rounds 5]`: every benchmark, or those that are named. Prints the results and writes them to test/bench/results.json and docs/performance.md; what was not run keeps
 * its last results.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBundles } from './bundles/bench.ts';
import { benchKernel } from './kernel/bench.ts';
import { benchOffline } from './offline/bench.ts';
import { PAGE_FILE, performancePage } from './page.ts';
import { findPython } from './python.ts';
import { benchReading } from './reading/bench.ts';
import { RESULTS_FILE, readResults } from './results.ts';
import { benchScale } from './scale/bench.ts';

const BENCHES: Readonly<Record<string, (rounds: number, python: string | undefined) => Promise<unknown>>> = {
  kernel: benchKernel,
  reading: benchReading,
  offline: benchOffline,
  bundles: benchBundles,
  scale: benchScale,
};

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals;
const python = findPython();
const results = existsSync(RESULTS_FILE)
  ? (JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as Record<string, unknown>)
  : {};
for (const name of names) {
  const bench = BENCHES[name];
  if (bench === undefined) throw new Error(`no such benchmark: ${name}; there are ${Object.keys(BENCHES).join(', ')}`);
  console.error(`${name} ...`);
  results[name] = {
    when: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cores: cpus().length,
    rounds,
    results: await bench(rounds, python),
  };
}
writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 1)}\n`);
writeFileSync(PAGE_FILE, performancePage(readResults()));
console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, results[name]])), null, 1));
