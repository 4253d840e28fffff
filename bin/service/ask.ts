import { createInterface } from 'node:readline/promises';

/** Whether a person says yes. Anything but y or yes, the end of the input included, is no. */
export async function askPerson(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      lines.question(question).then(resolve, () => resolve(''));
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

export function hasPerson(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
