/** Links and ARNs of what a message is about. */
import { runbookAnchor } from '../../../contract/names.ts';
import type { Link } from './message.ts';

export interface Home {
  readonly account: string;
  readonly region: string;
}

/** What a finding or plan can point at. */
export interface Subject {
  readonly subnetId?: string | undefined;
  readonly vpcId?: string | undefined;
  readonly cluster?: string | undefined;
}

interface Partition {
  readonly name: string;
  readonly console: string;
}

/** Partition and console of a region, by the prefix of its name (AWS General Reference, "Amazon Resource Names", and the consoles' own addresses). */
function partitionOf(region: string): Partition {
  if (region.startsWith('cn-')) return { name: 'aws-cn', console: 'console.amazonaws.cn' };
  if (region.startsWith('us-gov-')) return { name: 'aws-us-gov', console: 'console.amazonaws-us-gov.com' };
  return { name: 'aws', console: 'console.aws.amazon.com' };
}

/** The AWS console on the subnet, else the VPC, else the cluster; none where the finding is about nothing of the kind. */
export function consoleLink({ region }: Home, { subnetId, vpcId, cluster }: Subject): Link | undefined {
  const host = partitionOf(region).console;
  const at = inUrl(region);
  const page = (service: string, fragment: string) => `https://${host}/${service}/home?region=${at}#${fragment}`;
  if (subnetId !== undefined) {
    return { text: 'Console', url: page('vpcconsole', `SubnetDetails:subnetId=${inUrl(subnetId)}`) };
  }
  if (vpcId !== undefined) {
    return { text: 'Console', url: page('vpcconsole', `VpcDetails:VpcId=${inUrl(vpcId)}`) };
  }
  if (cluster !== undefined) {
    return { text: 'Console', url: page('eks', `/clusters/${inUrl(cluster)}`) };
  }
  return undefined;
}

/** Half a surrogate pair has no place in a URL, and would be an error. */
function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * The section of the runbook.
 *
 * @param base - where the runbook can be read (`notifications.runbookUrl`); without it the link is the file in the repository.
 */
export function runbookLink(heading: string, base?: string): Link {
  const anchor = runbookAnchor(heading);
  return { text: 'Runbook', url: base === undefined ? anchor : `${base}${anchor.slice(anchor.indexOf('#'))}` };
}

export function resourceArns({ account, region }: Home, { subnetId, vpcId, cluster }: Subject): readonly string[] {
  const { name } = partitionOf(region);
  const arn = (service: string, resource: string) => `arn:${name}:${service}:${region}:${account}:${resource}`;
  return [
    ...(subnetId === undefined ? [] : [arn('ec2', `subnet/${subnetId}`)]),
    ...(vpcId === undefined ? [] : [arn('ec2', `vpc/${vpcId}`)]),
    ...(cluster === undefined ? [] : [arn('eks', `cluster/${cluster}`)]),
  ];
}
