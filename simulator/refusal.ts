/** Why a call is refused, in AWS's own terms. */

/** An error answer. `status` is the HTTP status: 400 unless AWS documents another. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = status;
  }
}
