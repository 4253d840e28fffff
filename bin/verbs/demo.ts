import { EXIT, type ExitStatus } from '../exit-status.ts';
import type { Terminal } from '../terminal.ts';
import { verb } from '../verb.ts';

export const demo = verb({
  command: 'demo',
  describe: 'The whole pipeline on a sample region in the embedded EC2 simulator; needs no AWS account',
  options: (yargs) => yargs,
  run: async (_args, terminal: Terminal): Promise<ExitStatus> => {
    const { readSampleRegion } = await import('../demo/read-sample.ts');
    const { demoText } = await import('../demo/demo-text.ts');
    terminal.print(
      demoText(terminal.pen, await readSampleRegion())
        .join('\n')
        .trimEnd(),
    );
    // The sample has critical findings by design; a newcomer's first run is no failure.
    return EXIT.done;
  },
});
