import {
  DescribeAddonCommand,
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  EKSClient,
  ListClustersCommand,
  ListNodegroupsCommand,
} from '@aws-sdk/client-eks';
import type { ReadCallName } from '../../contract/read-calls.ts';
import type { ClientConfig } from '../live/client-config.ts';
import { watched } from '../live/throttle-watch.ts';
import type { Pace } from '../pace.ts';

/** Names that EKS gives in one page at most (its `maxResults` in the EKS API reference). */
const PAGE_SIZE = 100;

/** The EKS calls that reading a region makes, each at the pace of all the others. */
export class EksCalls {
  private readonly client: EKSClient;
  private readonly pace: Pace;

  constructor(config: ClientConfig, pace: Pace) {
    this.client = watched(new EKSClient(config), pace);
    this.pace = pace;
  }

  readonly listClusters = (nextToken: string | undefined) =>
    this.run('eks:ListClusters', (how) =>
      this.client.send(new ListClustersCommand({ maxResults: PAGE_SIZE, nextToken }), how),
    );

  readonly cluster = (name: string) =>
    this.run('eks:DescribeCluster', (how) => this.client.send(new DescribeClusterCommand({ name }), how));

  readonly listNodegroups = (clusterName: string, nextToken: string | undefined) =>
    this.run('eks:ListNodegroups', (how) =>
      this.client.send(new ListNodegroupsCommand({ clusterName, maxResults: PAGE_SIZE, nextToken }), how),
    );

  readonly nodegroup = (clusterName: string, nodegroupName: string) =>
    this.run('eks:DescribeNodegroup', (how) =>
      this.client.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }), how),
    );

  readonly addon = (clusterName: string, addonName: string) =>
    this.run('eks:DescribeAddon', (how) => this.client.send(new DescribeAddonCommand({ clusterName, addonName }), how));

  private run<T>(call: ReadCallName, send: (how: { readonly abortSignal?: AbortSignal }) => Promise<T>): Promise<T> {
    const signal = this.pace.signal;
    return this.pace.run(call, () => send(signal === undefined ? {} : { abortSignal: signal }));
  }
}
