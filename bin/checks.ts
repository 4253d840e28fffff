/** Prints checks the way they were asked for, and says how the run ended. */
import { CHECKS_SCHEMA_VERSION, type Check, type ChecksDocument } from '../lambdas/contract/checks-document.ts';
import { checksText } from '../lambdas/core/report/checks-text.ts';
import { printableJson } from '../lambdas/core/report/printable.ts';
import type { Deployment } from '../lambdas/ports/deployment.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

export function printChecks(
  terminal: Terminal,
  checks: readonly Check[],
  deployment: Deployment,
  json: boolean,
): ExitStatus {
  const document: ChecksDocument = {
    schemaVersion: CHECKS_SCHEMA_VERSION,
    generatedAt: new Date().toISOString(),
    account: deployment.account,
    region: deployment.region,
    stack: deployment.stackName,
    checks: [...checks],
  };
  terminal.print(
    json ? printableJson(JSON.stringify(document, null, 2)) : checksText(terminal.pen, document).join('\n'),
  );
  if (checks.some(({ state }) => state === 'problem')) return EXIT.critical;
  return checks.some(({ state }) => state === 'unknown') ? EXIT.partial : EXIT.done;
}
