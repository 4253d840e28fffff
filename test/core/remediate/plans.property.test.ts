/** What no plan may ever do, over regions with clusters that share a zone, marked and unmarked standbys, protected and foreign subnets, and leaked interfaces. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ANSWERED_CODES } from '../../../lambdas/contract/plan.ts';
import { reportOf } from '../../../lambdas/core/assess/assess.ts';
import type { Decision, Write } from '../../../lambdas/core/remediate/plan.ts';
import { placeOfDecision } from '../../../lambdas/core/remediate/plans.ts';
import { PLAN_DEFAULTS } from '../../../lambdas/core/remediate/settings.ts';
import { eni } from '../../support/builders.ts';
import { addon, cluster, instance, read } from '../../support/cluster-facts.ts';
import {
  applied,
  at,
  contextOf,
  counted,
  DISCOVERY,
  decisionsOf,
  filler,
  type Ground,
  known,
  ready,
} from './planning.ts';

const OURS = '111111111111';
const RUNS = { numRuns: 60 };

const subnetSpec = fc.record({
  held: fc.constantFrom(0, 3, 120, 240, 246, 251),
  scattered: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  serves: fc.constantFrom('a', 'b', undefined),
  standbyFor: fc.constantFrom('a', 'a', 'b', undefined),
  discovery: fc.constantFrom(undefined, undefined, 'retired', 'b'),
  protected: fc.boolean(),
  foreign: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  leaked: fc.constantFrom(0, 0, 2),
});

/** Nine addresses in every inner /28: no prefix is left, and 125 addresses are. */
function scatter(n: number) {
  const addresses = Array.from({ length: 14 * 9 }, (_, i) => `10.0.${n}.${(Math.floor(i / 9) + 1) * 16 + (i % 9)}`);
  return [eni({ id: `eni-scatter-${n}`, subnetId: `subnet-${n}`, addresses, attachment: { instanceId: `i-${n}` } })];
}

const groundOf = fc
  .record({
    subnets: fc.array(subnetSpec, { minLength: 1, maxLength: 6 }),
    prefixes: fc.boolean(),
    version: fc.constantFrom('v1.18.0', 'v1.22.1'),
  })
  .map(({ subnets, prefixes, version }): Ground => {
    const facts = known(
      subnets.map((one, n) =>
        at(
          n + 1,
          {
            ...(one.serves === undefined ? {} : { [DISCOVERY]: one.serves }),
            ...(one.serves === undefined && one.discovery !== undefined ? { [DISCOVERY]: one.discovery } : {}),
            ...(one.standbyFor === undefined ? {} : { 'headroom:standby-for': one.standbyFor }),
            ...(one.protected ? { 'headroom:protected': '' } : {}),
          },
          { ownerId: one.foreign ? '222222222222' : OURS },
        ),
      ),
      {
        clusters: read([cluster('a'), cluster('b')]),
        addons: read(['a', 'b'].map((of) => addon(of, prefixes ? { ENABLE_PREFIX_DELEGATION: 'true' } : {}, version))),
        instances: read(
          ['a', 'b'].map((of) => instance(`i-node-${of}`, 'subnet-1', { [`kubernetes.io/cluster/${of}`]: 'owned' })),
        ),
      },
    );
    const enis = subnets.flatMap(({ held, leaked, scattered }, n) => [
      ...(scattered ? scatter(n + 1) : filler(n + 1, Math.max(0, held - leaked))),
      ...Array.from({ length: leaked }, (_, k) =>
        eni({
          id: `eni-leaked-${n}-${k}`,
          subnetId: `subnet-${n + 1}`,
          addresses: [`10.0.${n + 1}.${4 + k}`],
          status: 'available',
          description: 'aws-K8S-i-gone',
          tags: {
            'node.k8s.amazonaws.com/instance_id': 'i-gone',
            'node.k8s.amazonaws.com/createdAt': '2026-11-30T09:00:00Z',
            ...(k === 0 ? {} : { 'headroom:quarantined-at': '2026-11-28T09:00:00Z' }),
          },
        }),
      ),
    ]);
    return counted({ facts, enis });
  });

function writesOf(decisions: readonly Decision[]): readonly Write[] {
  return decisions.flatMap(({ writes }) => writes);
}

function targetOf(write: Write): string {
  return write.kind === 'setTags'
    ? write.resourceId
    : write.kind === 'createReservation'
      ? write.subnetId
      : write.eniId;
}

test('the generator reaches what the properties are about: every action becomes ready in some region', () => {
  const actions = new Set(
    fc.sample(groundOf, 600).flatMap((ground) => ready(decisionsOf(ground)).map(({ action }) => action)),
  );
  expect([...actions].sort()).toEqual(['activateStandby', 'cleanLeakedEnis', 'reservePrefixes']);
});

describe('a plan', () => {
  test('answers a finding that plans answer, so that without one there is nothing to plan', () => {
    fc.assert(
      fc.property(groundOf, (ground) => {
        const { findings } = reportOf(contextOf(ground));
        const codes = new Map(findings.map(({ id, code }) => [id, code]));
        const answered = new Set<string | undefined>(ANSWERED_CODES);
        for (const { findingIds } of decisionsOf(ground)) {
          expect(findingIds.some((id) => answered.has(codes.get(id)))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('is empty after its own application', () => {
    fc.assert(
      fc.property(groundOf, (ground) => {
        const done = ready(decisionsOf(ground));
        const again = ready(decisionsOf(applied(ground, done)));
        const repeated = writesOf(again).filter((write) =>
          writesOf(done).some((one) => JSON.stringify(one) === JSON.stringify(write)),
        );
        expect(repeated).toEqual([]);
        expect(
          again.map(({ subject }) => subject).filter((subject) => done.some((one) => one.subject === subject)),
        ).toEqual([]);
      }),
      RUNS,
    );
  });

  test('comes to an end: applied again and again, nothing is left, and every write was made once', () => {
    fc.assert(
      fc.property(groundOf, (ground) => {
        const made: string[] = [];
        let now = ground;
        for (let round = 0; round < 20; round++) {
          const next = ready(decisionsOf(now));
          if (next.length === 0) break;
          made.push(...writesOf(next).map((write) => JSON.stringify(write)));
          now = applied(now, next);
        }
        expect(ready(decisionsOf(now))).toEqual([]);
        expect(new Set(made).size).toBe(made.length);
      }),
      RUNS,
    );
  });

  test('is the same in a dry run and in earnest', () => {
    const auto = {
      ...PLAN_DEFAULTS,
      iacIgnoresTags: true,
      mode: { activateStandby: 'auto', reservePrefixes: 'auto', cleanLeakedEnis: 'auto' },
    } as const;
    fc.assert(
      fc.property(groundOf, (ground) => {
        const withoutMode = (decisions: readonly Decision[]) => decisions.map(({ mode: _, ...rest }) => rest);
        expect(withoutMode(decisionsOf(ground, auto))).toEqual(withoutMode(decisionsOf(ground)));
      }),
      RUNS,
    );
  });

  test('does not depend on the order of subnets or interfaces', () => {
    fc.assert(
      fc.property(groundOf, ({ facts, enis }) => {
        const turned = { facts: { ...facts, subnets: [...facts.subnets].reverse() }, enis: [...enis].reverse() };
        const essence = (ground: Ground) => decisionsOf(ground).map(({ subject, writes }) => ({ subject, writes }));
        expect(essence(turned)).toEqual(essence({ facts, enis }));
      }),
      RUNS,
    );
  });

  test('under steady input makes at most one transition', () => {
    fc.assert(
      fc.property(groundOf, (ground) => {
        const first = decisionsOf(ground);
        const places = new Set(first.map(placeOfDecision));
        const subjects = (decisions: readonly Decision[]) => decisions.map(({ subject }) => subject);
        const second = decisionsOf(ground, PLAN_DEFAULTS, (place) => places.has(place));
        const after = new Set(second.map(placeOfDecision));
        expect(subjects(decisionsOf(ground, PLAN_DEFAULTS, (place) => after.has(place)))).toEqual(subjects(second));
        expect(subjects(second)).toEqual(subjects(first));
      }),
      RUNS,
    );
  });
});

describe('no write', () => {
  const each = (check: (write: Write, ground: Ground, decision: Decision) => void) =>
    fc.assert(
      fc.property(groundOf, (ground) => {
        for (const decision of ready(decisionsOf(ground)))
          for (const write of decision.writes) check(write, ground, decision);
      }),
      RUNS,
    );
  const subnetOf = ({ facts }: Ground, id: string) => facts.subnets.find(({ subnetId }) => subnetId === id);

  test('changes a tag that has another value: another cluster’s is never overwritten', () => {
    each((write, ground) => {
      if (write.kind !== 'setTags') return;
      const tags = subnetOf(ground, write.resourceId)?.tags;
      for (const [key, value] of Object.entries(write.tags)) expect([undefined, value]).toContain(tags?.get(key));
    });
  });

  test('touches headroom:standby-for or headroom:protected', () => {
    each((write) => {
      if (write.kind === 'setTags')
        expect(Object.keys(write.tags)).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/standby-for|protected/)]),
        );
    });
  });

  test('touches what is protected, or another account’s beyond its tags', () => {
    each((write, ground) => {
      const home =
        write.kind === 'setTags' || write.kind === 'createReservation' ? subnetOf(ground, targetOf(write)) : undefined;
      const subnet =
        home ?? subnetOf(ground, ground.enis.find(({ eniId }) => eniId === targetOf(write))?.subnetId ?? '');
      expect(subnet?.tags.has('headroom:protected')).toBe(false);
      if (home === undefined || write.kind !== 'setTags') expect(subnet?.ownerId).toBe(OURS);
    });
  });

  test('opens a subnet whose owner did not mark it for the very cluster', () => {
    each((write, ground, { action, cluster: of }) => {
      if (action === 'activateStandby')
        expect(subnetOf(ground, targetOf(write))?.tags.get('headroom:standby-for')).toBe(of);
    });
  });

  test('deletes an interface that was not in quarantine for a day', () => {
    each((write, ground) => {
      if (write.kind !== 'deleteInterface') return;
      expect(ground.enis.find(({ eniId }) => eniId === write.eniId)?.tags.get('headroom:quarantined-at')).toBe(
        '2026-11-28T09:00:00Z',
      );
    });
  });

  test('takes a subnet away from a cluster: every zone keeps the subnets it had', () => {
    fc.assert(
      fc.property(groundOf, (ground) => {
        const after = applied(ground, ready(decisionsOf(ground)));
        for (const before of ground.facts.subnets) {
          const now = subnetOf(after, before.subnetId);
          expect([...before.tags].filter(([key, value]) => now?.tags.get(key) !== value)).toEqual([]);
          // A reservation leaves single addresses to launch nodes with.
          if (before.availableIps >= 26) expect(now?.availableIps).toBeGreaterThanOrEqual(16);
        }
      }),
      RUNS,
    );
  });
});
