/** What every side must agree on before a time counts: of each subnet its used addresses, free /28s and largest free block. */
export interface Answer {
  readonly used: number;
  readonly freePrefixes: number;
  /** Prefix length of the largest free aligned block of /28 or shorter; 0 for none. */
  readonly largest: number;
}

export function digest(answers: readonly Answer[]): string {
  let hash = 0;
  for (const { used, freePrefixes, largest } of answers) {
    for (const value of [used, freePrefixes, largest]) hash = (Math.imul(hash, 31) + value) | 0;
  }
  return `${answers.length}:${hash >>> 0}`;
}

/** Milliseconds for a compiler to find what is worth compiling. */
const WARM_UP_MS = 250;
const MEASURE_MS = 500;

/** Times a side once it is warm, for half a second and once at least; the median counts. */
export function time(work: () => readonly Answer[]): { ms: number; digest: string } {
  let answers: readonly Answer[];
  const warm = performance.now() + WARM_UP_MS;
  do answers = work();
  while (performance.now() < warm);
  const times: number[] = [];
  const end = performance.now() + MEASURE_MS;
  do {
    const start = performance.now();
    answers = work();
    times.push(performance.now() - start);
  } while (performance.now() < end);
  times.sort((a, b) => a - b);
  return { ms: times[times.length >> 1] as number, digest: digest(answers) };
}
