/**
 * Imported first, it keeps the young generation of the JavaScript heap as small as it starts. For a process through which a region passes: hardly an interface is kept, and the buffers that pages arrive in, which
 * lie outside the heap, are freed only when the young generation is full. Left to grow, it takes 50 MB more for S2 of docs/performance.md, and the whole heap is searched every fourth page because of those buffers.
 *
 * Lambda gives a function's process a size of its own on the command line (`--max-semi-space-size`, a twentieth of the function's memory), which goes before NODE_OPTIONS; this factor it does not name.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--semi-space-growth-factor=1');
