import { liveOptions } from '../options.ts';
import { openService } from '../service.ts';
import { verb } from '../verb.ts';

export const testAlert = verb({
  command: 'test-alert',
  describe: 'Send one message marked TEST through every real path of the deployed service',
  options: (yargs) =>
    liveOptions(yargs)
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document (docs/schema/checks.json)' })
      .example('$0 test-alert --region eu-central-1', 'pages whoever is on call, marked as a test'),
  run: async ({ json, now = Date.now(), ...args }, terminal) => {
    const service = await openService(args);
    const { deployment, options } = service;
    const [
      { awsTestPaths },
      { testAlert: send },
      { callerArn },
      { printChecks },
      { randomUUID },
      { setTimeout: wait },
    ] = await Promise.all([
      import('../../lambdas/adapters/doctor/aws-test-paths.ts'),
      import('../../lambdas/app/test-alert.ts'),
      import('../../lambdas/adapters/sts/caller-arn.ts'),
      import('../checks.ts'),
      import('node:crypto'),
      import('node:timers/promises'),
    ]);
    const by = await callerArn(options);
    terminal.progress.say('sending, and waiting for what becomes of it: up to 90 s');
    const { account, region, outputs } = deployment;
    const detail = {
      schemaVersion: 1,
      id: `test/${randomUUID()}`,
      account,
      region,
      at: new Date(now).toISOString(),
      by,
    } as const;
    const channels = ['messages', 'chat', ...(outputs.slackSecret === undefined ? [] : ['slack'])];
    const time = { now: () => Date.now(), wait: (milliseconds: number) => wait(milliseconds) };
    const checks = await send(awsTestPaths(deployment, options), time, { detail, channels });
    return printChecks(terminal, checks, deployment, json);
  },
});
