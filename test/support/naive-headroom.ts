/** Node by node, as slow and as plain as can be: what the headroom arithmetic is held to. Shares nothing with it but the shapes of its input. */

export interface NaiveSubnet {
  readonly id: string;
  readonly availableIps: number;
  readonly prefixes: number;
  /** Of the prefixes, those that EC2's count does not hold. */
  readonly reservedPrefixes: number;
}

export interface NaiveNode {
  readonly ips: number;
  readonly prefixes: number;
}

type Saved = readonly [count: number, reserved: number, open: number];

/** One subnet's state while nodes land in it. */
class State {
  readonly id: string;
  count: number;
  private reserved: number;
  private open: number;

  constructor(subnet: NaiveSubnet) {
    this.id = subnet.id;
    this.count = subnet.availableIps;
    this.reserved = subnet.reservedPrefixes;
    this.open = subnet.prefixes - subnet.reservedPrefixes;
  }

  /** Lands one node. @returns whether it was served; where not, nothing changes. */
  land(node: NaiveNode): boolean {
    let { count, reserved, open } = this;
    count -= node.ips;
    for (let taken = 0; taken < node.prefixes; taken++) {
      if (reserved > 0) {
        reserved--;
      } else {
        open--;
        count -= 16;
      }
    }
    if (count < 0 || open < 0) return false;
    this.count = count;
    this.reserved = reserved;
    this.open = open;
    return true;
  }

  save(): Saved {
    return [this.count, this.reserved, this.open];
  }

  restore(saved: Saved): void {
    [this.count, this.reserved, this.open] = saved;
  }

  toString(): string {
    return this.save().join();
  }
}

export function naiveCapacity(subnet: NaiveSubnet, node: NaiveNode): number {
  const state = new State(subnet);
  let nodes = 0;
  while (state.land(node)) nodes++;
  return nodes;
}

export function naiveKarpenter(subnets: readonly NaiveSubnet[], node: NaiveNode): number {
  const states = subnets.map((subnet) => new State(subnet));
  for (let nodes = 0; ; nodes++) {
    let pick: State | undefined;
    for (const state of states) {
      if (pick === undefined || state.count > pick.count || (state.count === pick.count && state.id < pick.id)) {
        pick = state;
      }
    }
    if (pick === undefined || !pick.land(node)) return nodes;
  }
}

export function naiveNodegroup(subnets: readonly NaiveSubnet[], node: NaiveNode): number {
  let turns = subnets.map((subnet) => new State(subnet)).sort((a, b) => (a.id < b.id ? -1 : 1));
  let nodes = 0;
  while (turns.length > 0) {
    const willing: State[] = [];
    for (const state of turns) {
      if (state.land(node)) {
        nodes++;
        willing.push(state);
      } else if (state.count > 0) {
        // The node launches, and its pods hang.
        return nodes;
      }
    }
    turns = willing;
  }
  return nodes;
}

/** A zone where a node takes one thing of its own subnet and another of a pod subnet. */
export class NaiveZone {
  private readonly nodes: readonly State[];
  private readonly pods: readonly State[];

  private constructor(nodes: readonly State[], pods: readonly State[]) {
    this.nodes = nodes;
    this.pods = pods;
  }

  static of(subnets: readonly (NaiveSubnet & { readonly nodes: boolean; readonly pods: boolean })[]): NaiveZone {
    const states = subnets.map((subnet) => ({ subnet, state: new State(subnet) }));
    const those = (use: 'nodes' | 'pods') => states.filter(({ subnet }) => subnet[use]).map(({ state }) => state);
    return new NaiveZone(those('nodes'), those('pods'));
  }

  /** Every way of placing one node after the other, tried out. */
  most(node: NaiveNode, share: NaiveNode): number {
    const states = [...new Set([...this.nodes, ...this.pods])];
    const seen = new Map<string, number>();
    const search = (): number => {
      const key = states.map((state) => state.toString()).join(' ');
      const known = seen.get(key);
      if (known !== undefined) return known;
      let best = 0;
      for (const home of this.nodes) {
        for (const room of this.pods) {
          const before = states.map((state) => state.save());
          if (room.land(share) && home.land(node)) best = Math.max(best, 1 + search());
          states.forEach((state, at) => {
            state.restore(before[at] as Saved);
          });
        }
      }
      seen.set(key, best);
      return best;
    };
    return search();
  }

  /** Each node in the subnet with most addresses, its pods beside the nodes' subnets as long as they can be, else where most addresses are. */
  byMostAvailable(node: NaiveNode, share: NaiveNode): number {
    const fullest = (states: readonly State[]) => [...states].sort((a, b) => b.count - a.count);
    for (let nodes = 0; ; nodes++) {
      const home = fullest(this.nodes)[0];
      if (home === undefined || !home.land(node)) return nodes;
      const beside = this.pods.filter((state) => !this.nodes.includes(state));
      const shared = this.pods.filter((state) => this.nodes.includes(state));
      if (![...fullest(beside), ...fullest(shared)].some((state) => state.land(share))) return nodes;
    }
  }
}
