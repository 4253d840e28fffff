/** The command was not typed as it should be: the message names the option or word. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
