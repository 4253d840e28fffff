/** How Headroom may act, as far as plans depend on it. */
import type { Config } from '../../contract/config.ts';
import type { Action, Mode } from '../../contract/modes.ts';
import type { SubnetSelectorTerm } from '../subnet/snapshot.ts';

export interface PlanSettings {
  /** By cluster: what the role may write is made of these. `undefined`: no configuration was given, and nothing is held against it. */
  readonly configured?: ReadonlyMap<string, { readonly karpenterSelectors?: readonly SubnetSelectorTerm[] }>;
  readonly mode: Readonly<Record<Action, Mode>>;
  readonly iacIgnoresTags: boolean;
  /** Seconds between the two sightings of a leaked interface. */
  readonly quarantineSeconds: number;
  readonly excludeSubnets: ReadonlySet<string>;
  /** A subnet with one of these tags is never acted on. */
  readonly excludeTags: ReadonlyMap<string, string>;
}

/** With no configuration: what could be done, and nothing that is done. */
export const PLAN_DEFAULTS: PlanSettings = {
  mode: { activateStandby: 'observe', reservePrefixes: 'observe', cleanLeakedEnis: 'observe' },
  iacIgnoresTags: false,
  quarantineSeconds: 86_400,
  excludeSubnets: new Set(),
  excludeTags: new Map(),
};

export function planSettings({ clusters, mode, remediation, scope }: Config): PlanSettings {
  return {
    configured: new Map(
      Object.entries(clusters).map(([name, { karpenterSelectors }]) => [
        name,
        karpenterSelectors === undefined
          ? {}
          : {
              karpenterSelectors: karpenterSelectors.map((term) => ({
                ...term,
                tags: new Map(Object.entries(term.tags)),
              })),
            },
      ]),
    ),
    mode,
    iacIgnoresTags: remediation.iacIgnoresTags,
    quarantineSeconds: remediation.quarantine,
    excludeSubnets: new Set(scope.excludeSubnets),
    excludeTags: new Map(Object.entries(scope.excludeTags)),
  };
}
