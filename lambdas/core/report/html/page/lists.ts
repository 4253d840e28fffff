/** The tables of rooms and subnets. */
import type { PageRoom, PageSubnet } from '../page-data.ts';
import { el, number, rankBadge } from './dom.ts';
import type { PageState } from './state.ts';
import { subnetButton } from './subnet-button.ts';
import { type Column, sortableTable } from './table.ts';

const RANKS = ['critical', 'warning', 'info', 'ok'];

function roomColumns(state: PageState, ofClusters: boolean): Column<PageRoom>[] {
  const cluster: Column<PageRoom> = {
    title: 'Cluster',
    cell: (room) => room.cluster,
    key: (room) => room.cluster,
    head: true,
  };
  const nodes: Column<PageRoom> = {
    title: 'More nodes',
    cell: (room) => number(room.nodes),
    key: (room) => room.nodes,
    numeric: true,
  };
  const mode: Column<PageRoom> = { title: 'Mode', cell: (room) => room.mode, key: (room) => room.mode };
  return [
    { title: 'Worst', cell: (room) => rankBadge(room.rank), key: (room) => RANKS.indexOf(room.rank) },
    ...(ofClusters ? [cluster] : []),
    { title: 'Zone', cell: (room) => room.zone, key: (room) => room.zone, head: !ofClusters },
    ...(ofClusters ? [nodes] : []),
    { title: '/28 free', cell: (room) => number(room.freePrefixes), key: (room) => room.freePrefixes, numeric: true },
    {
      title: 'Addresses free',
      cell: (room) => number(room.availableIps),
      key: (room) => room.availableIps,
      numeric: true,
    },
    { title: 'Runs out first', cell: (room) => subnetButton(state, room.first), key: (room) => room.first },
    { title: 'Subnets', cell: (room) => number(room.subnets), key: (room) => room.subnets, numeric: true },
    ...(ofClusters ? [mode] : []),
    { title: 'VPC', cell: (room) => room.vpc, key: (room) => room.vpc },
  ];
}

export function buildRooms(state: PageState, place: HTMLElement): void {
  const { rooms, zones } = state.data;
  if (rooms.length > 0) {
    const table = sortableTable('Room by cluster and zone', roomColumns(state, true));
    table.show(rooms);
    place.append(el('h3', {}, 'By cluster and zone'), table.element);
  }
  const table = sortableTable('Room by VPC and zone', roomColumns(state, false));
  table.show(zones);
  place.append(el('h3', {}, 'By VPC and zone (subnets that serve nodes or pods)'), table.element);
}

export function buildSubnetTable(state: PageState, place: HTMLElement): void {
  const positions = new Map(state.data.subnets.map((subnet, at) => [subnet, at]));
  const columns: Column<PageSubnet>[] = [
    { title: 'Worst', cell: ({ rank }) => rankBadge(rank), key: ({ rank }) => RANKS.indexOf(rank) },
    {
      title: 'Subnet',
      cell: (subnet) => subnetButton(state, positions.get(subnet) ?? -1),
      key: ({ name, id }) => name || id,
      head: true,
    },
    { title: 'Id', cell: ({ id }) => id, key: ({ id }) => id },
    { title: 'CIDR', cell: ({ cidr }) => cidr, key: ({ base }) => base },
    { title: 'Zone', cell: ({ zone }) => zone, key: ({ zone }) => zone },
    {
      title: 'Addresses free',
      cell: ({ addressWords }) => addressWords,
      key: ({ availableIps }) => availableIps,
      numeric: true,
    },
    {
      title: '/28 free',
      cell: ({ prefixWords }) => prefixWords,
      key: ({ freePrefixes }) => freePrefixes,
      numeric: true,
    },
    {
      title: 'Fragmentation',
      cell: ({ fragmentation }) => (fragmentation === null ? '?' : `${Math.round(fragmentation * 100)} %`),
      key: ({ fragmentation }) => fragmentation,
      numeric: true,
    },
    { title: 'Confidence', cell: ({ confidence }) => confidence, key: ({ confidence }) => confidence },
  ];
  const table = sortableTable('Every subnet', columns);
  const draw = () => table.show(state.data.subnets.filter((_, at) => state.shows(at)));
  state.on(['filter'], draw);
  place.append(table.element);
  draw();
}
