import { createInterface } from 'node:readline/promises';

/** Where a person is asked, and answers. */
export interface Conversation {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Whether a person says yes. Anything but y or yes, the end of the input included, is no. */
export async function askPerson(question: string, { input, output }: Conversation): Promise<boolean> {
  const lines = createInterface({ input, output });
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
