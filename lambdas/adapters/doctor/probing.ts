import { ProbeFailure } from '../../ports/service-probes.ts';
import { awsCode, awsMessage, isDenied } from '../aws-error.ts';

/** Runs a call; what goes wrong becomes a {@link ProbeFailure} that names the permission where that is what is missing. */
export async function probing<T>(permission: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProbeFailure) throw error;
    if (isDenied(error)) {
      throw new ProbeFailure(`${permission} is not allowed`, permission);
    }
    throw new ProbeFailure(`${permission} failed: ${awsCode(error)}: ${awsMessage(error)}`);
  }
}
