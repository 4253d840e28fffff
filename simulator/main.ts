/** The simulator by hand: `node simulator/main.ts --port 4568 --from DIR`. */
import { parseArgs } from 'node:util';
import { runSimulator } from './run.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    from: { type: 'string' },
    'page-size': { type: 'string' },
    seed: { type: 'string' },
    region: { type: 'string' },
    account: { type: 'string' },
  },
});
process.exitCode = await runSimulator({
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.from === undefined ? {} : { from: values.from }),
  ...(values['page-size'] === undefined ? {} : { pageSize: Number(values['page-size']) }),
  ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  ...(values.region === undefined ? {} : { region: values.region }),
  ...(values.account === undefined ? {} : { account: values.account }),
});
