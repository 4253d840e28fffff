/** The calls about network interfaces alone: a function that makes no others is spared the SDK's description of them, and the reader of whole regions. */
import {
  DescribeNetworkInterfacesCommand,
  type DescribeNetworkInterfacesCommandInput,
  EC2Client,
} from '@aws-sdk/client-ec2';
import type { ReadCallName } from '../../contract/read-calls.ts';
import type { ClientConfig } from '../live/client-config.ts';
import { watched } from '../live/throttle-watch.ts';
import type { Pace } from '../pace.ts';
import { StrictQueryProtocol } from './strict-query-protocol.ts';

export class InterfaceCalls {
  readonly client: EC2Client;
  protected readonly config: ClientConfig;
  protected readonly pace: Pace;

  constructor(config: ClientConfig, pace: Pace) {
    this.client = watched(new EC2Client({ ...config, protocol: StrictQueryProtocol }), pace);
    this.config = config;
    this.pace = pace;
  }

  readonly networkInterfaces = (input: DescribeNetworkInterfacesCommandInput) =>
    this.run('ec2:DescribeNetworkInterfaces', (how) =>
      this.client.send(new DescribeNetworkInterfacesCommand(input), how),
    );

  protected run<T>(call: ReadCallName, send: (how: { readonly abortSignal?: AbortSignal }) => Promise<T>): Promise<T> {
    const signal = this.pace.signal;
    return this.pace.run(call, () => send(signal === undefined ? {} : { abortSignal: signal }));
  }
}
