/** The calls that change EC2, one function each, made once: the SDK never repeats them, since EC2 knows no conditional write. */
import {
  CreateSubnetCidrReservationCommand,
  CreateTagsCommand,
  DeleteNetworkInterfaceCommand,
  DeleteSubnetCidrReservationCommand,
  DeleteTagsCommand,
  EC2Client,
  type EC2ClientConfig,
} from '@aws-sdk/client-ec2';
import { RESERVATION_DESCRIPTION, type WriteCallName } from '../../contract/write-calls.ts';
import type { NetworkWriter } from '../../ports/remediating.ts';
import { WriteError } from '../../ports/write-error.ts';
import { awsCode, awsMessage } from '../aws-error.ts';

/** Each function names the call it makes by its key here: `WRITE_CALLS` has the IAM permission of each, and a test holds the two together. */
export const WRITES = {
  setTags: 'ec2:CreateTags',
  removeTags: 'ec2:DeleteTags',
  createReservation: 'ec2:CreateSubnetCidrReservation',
  deleteReservation: 'ec2:DeleteSubnetCidrReservation',
  deleteInterface: 'ec2:DeleteNetworkInterface',
} as const satisfies Record<keyof NetworkWriter, WriteCallName>;

/** Milliseconds: EC2 answers a call that writes within seconds. */
const ANSWER_TIMEOUT_MS = 20_000;

/** @param config of the client; retries are switched off whatever it says. Rejects with `WriteError`. */
export function networkWriter(config: EC2ClientConfig): NetworkWriter {
  const client = new EC2Client({
    requestHandler: { connectionTimeout: 5_000, requestTimeout: ANSWER_TIMEOUT_MS, socketTimeout: ANSWER_TIMEOUT_MS },
    ...config,
    maxAttempts: 1,
    retryMode: 'standard',
  });
  return {
    setTags: (ids, tags) =>
      once(WRITES.setTags, async () => {
        await client.send(new CreateTagsCommand({ Resources: [...ids], Tags: tagList(tags) }));
      }),

    removeTags: (ids, tags) =>
      once(WRITES.removeTags, async () => {
        await client.send(new DeleteTagsCommand({ Resources: [...ids], Tags: tagList(tags) }));
      }),

    createReservation: (subnetId, cidr) =>
      once(WRITES.createReservation, async () => {
        const { SubnetCidrReservation: made } = await client.send(
          new CreateSubnetCidrReservationCommand({
            SubnetId: subnetId,
            Cidr: cidr,
            ReservationType: 'prefix',
            Description: RESERVATION_DESCRIPTION,
          }),
        );
        return made?.SubnetCidrReservationId ?? '';
      }),

    deleteReservation: (reservationId) =>
      once(WRITES.deleteReservation, async () => {
        await client.send(new DeleteSubnetCidrReservationCommand({ SubnetCidrReservationId: reservationId }));
      }),

    deleteInterface: (eniId) =>
      once(WRITES.deleteInterface, async () => {
        await client.send(new DeleteNetworkInterfaceCommand({ NetworkInterfaceId: eniId }));
      }),
  };
}

function tagList(tags: { readonly [key: string]: string }) {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

async function once<T>(call: WriteCallName, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = awsCode(error);
    throw new WriteError(code, `${call}: ${code}: ${awsMessage(error)}`, {
      unanswered: !isAnswer(error),
      cause: error,
    });
  }
}

/** An error below 500 is EC2's own word that it did nothing. */
function isAnswer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return false;
  const { $metadata: metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  const status = metadata?.httpStatusCode;
  // EC2 throttles with 503, before it does anything.
  return status !== undefined && (status < 500 || awsCode(error) === 'RequestLimitExceeded');
}
