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

/** Times a side: once to warm up, then until half a second or 15 runs are full; the median counts. */
export function time(work: () => readonly Answer[]): { ms: number; digest: string } {
  let answers = work();
  const times: number[] = [];
  const end = performance.now() + 500;
  do {
    const start = performance.now();
    answers = work();
    times.push(performance.now() - start);
  } while (times.length < 15 && performance.now() < end);
  times.sort((a, b) => a - b);
  return { ms: times[times.length >> 1] as number, digest: digest(answers) };
}
