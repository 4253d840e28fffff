/**
 * The one family of errors that are thrown on purpose: the message is for a person to read, the code for a program. Anything else that is thrown is a mistake of ours.
 *
 * It stands at the bottom of the layers so that whoever reports an error can ask for the family and need not load those who throw it.
 */
export abstract class HeadroomError extends Error {
  /** One of the closed set that its class names. */
  abstract readonly code: string;
  /** Whether the same again may succeed with nothing changed by anyone. */
  abstract readonly retryable: boolean;
}
