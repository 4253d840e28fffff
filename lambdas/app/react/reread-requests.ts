/** Asks observe to measure VPCs again: a mark on the item that every scan begins with, so the next tick does it, and a burst costs one scan. */
import { SERVICE_ITEMS } from '../../contract/names.ts';
import { needInterfaces } from '../../core/observe/changes.ts';
import { askForScan, NO_SCAN_YET, type ScanState } from '../../core/observe/scan-lock.ts';
import type { RereadRequests } from '../../ports/reacting.ts';
import type { StateTable } from '../../ports/state-table.ts';
import { update } from '../observe/items.ts';

export function rereadRequests(state: StateTable): RereadRequests {
  return {
    ask({ vpcIds }) {
      // A subnet whose VPC nobody knows is new, and every scan reads what is new.
      const needs = vpcIds.map(needInterfaces);
      return update<ScanState, void>(state, 'service', SERVICE_ITEMS.scan, (current) => {
        const before = current ?? NO_SCAN_YET;
        const after = askForScan(before, needs);
        return after === before ? { answer: undefined } : { write: after, answer: undefined };
      });
    },
  };
}
