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
