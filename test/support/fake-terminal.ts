import type { ExitStatus } from '../../bin/exit-status.ts';
import { runCommandLine } from '../../bin/program.ts';
import { Progress } from '../../bin/progress.ts';
import { plainPen } from './plain-pen.ts';

export interface Typed {
  readonly status: ExitStatus;
  readonly printed: string;
  readonly remarks: readonly string[];
}

/** Runs a command line inside this process: the same code as the command, less the streams. Nobody is there to be asked. */
export function type(...argv: readonly string[]): Promise<Typed> {
  return typed(argv);
}

/** As {@link type}, with somebody who answers. */
export async function typed(argv: readonly string[], confirm?: (question: string) => Promise<boolean>): Promise<Typed> {
  let printed = '';
  const remarks: string[] = [];
  const status = await runCommandLine(argv, {
    pen: plainPen,
    print: (text) => {
      printed += `${text}\n`;
    },
    remark: (line) => remarks.push(line),
    progress: new Progress({ write: () => true }, () => 0),
    ...(confirm === undefined ? {} : { confirm }),
  });
  return { status, printed, remarks };
}
