import { EXIT, type ExitStatus } from '../exit-status.ts';
import { one } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { verb } from '../verb.ts';

export const simulator = verb({
  command: 'simulator',
  describe: 'Serve an EC2 region on this machine until interrupted, empty or from a folder',
  options: (yargs) =>
    yargs
      .option('port', {
        type: 'string',
        requiresArg: true,
        default: '0',
        coerce: port,
        describe: 'Port on 127.0.0.1; 0 for any free one',
      })
      .option('from', {
        type: 'string',
        requiresArg: true,
        coerce: one('from'),
        describe: 'Folder of JSON that the AWS CLI prints',
      }),
  run: async ({ port: number, from }): Promise<ExitStatus> => {
    const { runSimulator } = await import('../../simulator/index.ts');
    const status = await runSimulator({ port: number, ...(from === undefined ? {} : { from }) });
    return status === 0 ? EXIT.done : EXIT.error;
  },
});

function port(value: unknown): number {
  const text = one('port')(value) ?? '0';
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new UsageError(`--port must be 0 to 65535, not "${text}"`);
  return number;
}
