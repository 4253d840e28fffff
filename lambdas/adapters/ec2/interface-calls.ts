/** The calls about network interfaces alone: a function that makes no others is spared the SDK's description of them. */
import {
  DescribeNetworkInterfacesCommand,
  type DescribeNetworkInterfacesCommandInput,
  EC2Client,
} from '@aws-sdk/client-ec2';
import type { ReadCallName } from '../../contract/read-calls.ts';
import type { EniSink } from '../../core/subnet/snapshot.ts';
import type { ClientConfig } from '../live/client-config.ts';
import { watched } from '../live/throttle-watch.ts';
import type { Pace } from '../pace.ts';
import { EniQueryProtocol, scanInterfaces } from './eni-reader/eni-query-protocol.ts';
import { StrictQueryProtocol } from './strict-query-protocol.ts';

export class InterfaceCalls {
  readonly client: EC2Client;
  private readonly config: ClientConfig;
  private readonly pace: Pace;
  private scanning: EC2Client | undefined;

  constructor(config: ClientConfig, pace: Pace) {
    this.client = watched(new EC2Client({ ...config, protocol: StrictQueryProtocol }), pace);
    this.config = config;
    this.pace = pace;
  }

  readonly networkInterfaces = (input: DescribeNetworkInterfacesCommandInput) =>
    this.run('ec2:DescribeNetworkInterfaces', (how) =>
      this.client.send(new DescribeNetworkInterfacesCommand(input), how),
    );

  /** A page through the scanner and into the sink. Rejects with `UnexpectedPage` where only the SDK's decoder may judge the answer. */
  readonly scannedInterfaces = (input: DescribeNetworkInterfacesCommandInput, sink: EniSink) =>
    this.run('ec2:DescribeNetworkInterfaces', (how) => {
      this.scanning ??= watched(new EC2Client({ ...this.config, protocol: EniQueryProtocol }), this.pace);
      return scanInterfaces(this.scanning, input, sink, how);
    });

  protected run<T>(call: ReadCallName, send: (how: { readonly abortSignal?: AbortSignal }) => Promise<T>): Promise<T> {
    const signal = this.pace.signal;
    return this.pace.run(call, () => send(signal === undefined ? {} : { abortSignal: signal }));
  }
}
