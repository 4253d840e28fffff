/** Whose subnet an interface is in, for many interfaces at once. */
import type { InterfaceLookup } from '../../ports/reacting.ts';
import { chunks, eachOf, MAX_IN_FLIGHT } from '../pace.ts';
import type { InterfaceCalls } from './interface-calls.ts';
import { ManagedResources } from './managed-resources.ts';
import { eachPage, FILTER_VALUES, filter, pageSize } from './paging.ts';

/** Interfaces whose subnet is remembered: an interface never changes its subnet, and a node repeats its failed call every two minutes. About 10 MB. */
const MOST_REMEMBERED = 100_000;

/**
 * Asks by filter, not by id: by id one interface that is gone would fail the whole call (`InvalidNetworkInterfaceID.NotFound`).
 *
 * @param remembered - outlives single runs.
 */
export function interfaceLookup(calls: InterfaceCalls, remembered: Map<string, string>): InterfaceLookup {
  const managed = new ManagedResources();

  async function ask(eniIds: readonly string[]): Promise<void> {
    await eachPage(
      (token) =>
        managed.ask((flag) =>
          calls.networkInterfaces({
            Filters: [filter('network-interface-id', eniIds)],
            MaxResults: pageSize(undefined),
            ...(token === undefined ? {} : { NextToken: token }),
            ...flag,
          }),
        ),
      (page) => page.NextToken,
      async ({ NetworkInterfaces = [] }) => {
        for (const { NetworkInterfaceId, SubnetId } of NetworkInterfaces) {
          if (NetworkInterfaceId === undefined || SubnetId === undefined) continue;
          if (remembered.size >= MOST_REMEMBERED) remembered.clear();
          remembered.set(NetworkInterfaceId, SubnetId);
        }
      },
    );
  }

  return {
    async subnetsOf(eniIds) {
      const wanted = [...new Set(eniIds)];
      const known = new Map(wanted.flatMap((id) => pairOf(remembered, id)));
      const unknown = wanted.filter((id) => !known.has(id));
      await eachOf(chunks(unknown, FILTER_VALUES), MAX_IN_FLIGHT, (part) => ask(part));
      for (const id of unknown) for (const [eniId, subnetId] of pairOf(remembered, id)) known.set(eniId, subnetId);
      return known;
    },
  };
}

function pairOf(remembered: ReadonlyMap<string, string>, id: string): readonly (readonly [string, string])[] {
  const subnetId = remembered.get(id);
  return subnetId === undefined ? [] : [[id, subnetId]];
}
