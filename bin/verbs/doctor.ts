import { liveOptions } from '../options.ts';
import { openService } from '../service.ts';
import { verb } from '../verb.ts';

export const doctor = verb({
  command: 'doctor',
  describe: 'What would keep the deployed service from seeing or being heard',
  options: (yargs) =>
    liveOptions(yargs)
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document (docs/schema/checks.json)' })
      .example('$0 doctor --region eu-central-1', 'exit status 2: a problem; 3: something could not be looked at'),
  run: async ({ json, now = Date.now(), ...args }, terminal) => {
    const { deployment, options } = await openService(args);
    const [{ awsProbes }, { doctor: look }, { loopbackWebhook }, { printChecks }] = await Promise.all([
      import('../../lambdas/adapters/doctor/aws-probes.ts'),
      import('../../lambdas/app/doctor.ts'),
      import('../../lambdas/contract/environment.ts'),
      import('../checks.ts'),
    ]);
    const probes = awsProbes(deployment, { ...options, now, loopback: loopbackWebhook(process.env) });
    return printChecks(terminal, await look(deployment, probes, now), deployment, json);
  },
});
