import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { Place } from '../../core/input/place.ts';
import { decodeCaller } from '../describe/caller.ts';
import type { ClientConfig } from '../live/client-config.ts';
import { type Part, type ReadingTaps, readPart, type Shard } from '../live/part.ts';
import type { Pace } from '../pace.ts';

/** The account that asks: what it cannot see of a subnet that another account shares is no leak. */
export function readCaller(config: ClientConfig, pace: Pace, taps: ReadingTaps): Promise<Part<string>> {
  const client = new STSClient(config);
  const signal = pace.signal;
  return readPart<Shard, string>(taps, {
    input: 'caller',
    call: 'sts:GetCallerIdentity',
    shards: [{}],
    read: async (_, take) => {
      const { UserId, Account, Arn } = await pace.run('sts:GetCallerIdentity', () =>
        client.send(new GetCallerIdentityCommand({}), signal === undefined ? {} : { abortSignal: signal }),
      );
      const answer = { UserId, Account, Arn };
      await take(answer, [decodeCaller(answer, Place.of('sts:GetCallerIdentity'))]);
    },
  });
}
