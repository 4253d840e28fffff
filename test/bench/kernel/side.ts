/** One side of the kernel benchmark, in a process of its own: `node side.ts SIDE DATASET` prints milliseconds and the digest of its answers as JSON. */
import { type DataSet, dataSet } from './data.ts';
import { time } from './digest.ts';
import { SIDES, type SideName } from './sides.ts';

const [side, set] = process.argv.slice(2) as [SideName, DataSet];
// As a program has them that read them from somewhere: flat strings, not the ropes that concatenation leaves.
const given = JSON.parse(JSON.stringify(dataSet(set))) as ReturnType<typeof dataSet>;
const work = SIDES[side](given);
process.stdout.write(`${JSON.stringify(time(work))}\n`);
