/** Where a new subnet would fit: the gaps between a VPC's subnets, and ranges that a VPC may still be given. Pure address arithmetic. */
import { blockSize, type Cidr } from '../ip/ipv4.ts';

/** The largest and smallest subnet that EC2 makes (`CreateSubnet`). */
const LARGEST_SUBNET = 16;
/** Smaller than this is of no use to nodes: a /26 has two whole /28s for prefixes at most. */
const SMALLEST_USEFUL = 26;

/** The largest aligned block of a VPC's ranges that no subnet touches; of equal ones the lowest. `undefined` where none is at least a /26. */
export function largestGap(vpc: readonly Cidr[], subnets: readonly Cidr[]): Cidr | undefined {
  for (let length = LARGEST_SUBNET; length <= SMALLEST_USEFUL; length++) {
    const found = firstGap(vpc, subnets, length);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first block of this length that lies in one of the ranges and touches none of the others, walking from one obstacle to the next. */
export function firstGap(ranges: readonly Cidr[], taken: readonly Cidr[], length: number): Cidr | undefined {
  const size = blockSize(length);
  const obstacles = [...taken].sort((a, b) => a.base - b.base);
  for (const range of [...ranges].sort((a, b) => a.base - b.base)) {
    if (range.length > length) continue;
    const end = range.base + blockSize(range.length);
    let base = range.base;
    for (const obstacle of obstacles) {
      const obstacleEnd = obstacle.base + blockSize(obstacle.length);
      if (obstacleEnd <= base) continue;
      if (obstacle.base >= base + size) break;
      base = Math.ceil(obstacleEnd / size) * size;
      if (base + size > end) break;
    }
    if (base + size <= end) return { base, length };
  }
  return undefined;
}

/** 100.64.0.0/10, which may be added to a VPC whatever ranges it has (VPC user guide, "IPv4 CIDR block association restrictions"; domain.md 9.5). */
export const SHARED_SPACE: Cidr = { base: 0x64400000, length: 10 };
/** The largest range that a VPC can be given at once (`AssociateVpcCidrBlock`). */
const LARGEST_RANGE = 16;

/** The first /16 of 100.64.0.0/10 that no range of the VPC touches and no route of it leads into: EC2 refuses a range that a route's destination lies within. */
export function secondaryRange(vpc: readonly Cidr[], routed: readonly Cidr[]): Cidr | undefined {
  // A wider destination hinders nothing: the VPC's own route is the narrower one and wins.
  const inTheWay = routed.filter(({ length }) => length >= LARGEST_RANGE);
  return firstGap([SHARED_SPACE], [...vpc, ...inTheWay], LARGEST_RANGE);
}
