/** Standard input among file names. yargs drops a lone `-` from positional arguments, so it travels under the name that the system has for it. */

export const STANDARD_INPUT = '/dev/stdin';

/** The words of a command line with `-` written as {@link STANDARD_INPUT}. */
export function withStandardInput(argv: readonly string[]): readonly string[] {
  return argv.map((word) => (word === '-' ? STANDARD_INPUT : word));
}
