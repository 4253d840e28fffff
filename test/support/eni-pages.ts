/** Pages of `DescribeNetworkInterfaces` as XML: random interfaces in random spelling, and the SDK's own reading of them. */
import { DescribeNetworkInterfacesResult$ } from '@aws-sdk/client-ec2';
import { AwsEc2QueryProtocol } from '@aws-sdk/core/protocols';
import { NormalizedSchema } from '@smithy/core/schema';
import { toEniRecord } from '../../lambdas/adapters/describe/network-interfaces.ts';
import { PageScanner } from '../../lambdas/adapters/ec2/eni-reader/page-scanner.ts';
import { Place } from '../../lambdas/core/input/place.ts';
import type { EniRecord } from '../../lambdas/core/subnet/snapshot.ts';

/** A source of whole numbers from 0 to `below - 1`, seeded. */
export type Pick = (below: number) => number;

/** Mulberry32: small, seeded, good enough to choose spellings. */
export function seededPick(seed: number): Pick {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const TEXTS = [
  'in-use',
  'available',
  '',
  'aws-K8S-i-00000000000000001',
  'Amazon EKS prod',
  'a & b < c > d "e" \'f\'',
  'naïve 名前 🚀',
  ' leading and trailing ',
  'line\nbreak',
  ']]>',
  'tab\there',
  '\u202eright to left',
];

function escapeText(text: string, pick: Pick): string {
  switch (pick(6)) {
    case 0:
      return text.includes(']]>') ? escapeText(text, () => 5) : `<![CDATA[${text}]]>`;
    case 1:
      return [...text]
        .map((c) => (/[\w./-]/.test(c) && c.length === 1 ? c : c.length > 1 ? c : `&#${c.charCodeAt(0)};`))
        .join('');
    case 2:
      return [...text]
        .map((c) => (c.length > 1 || /[\w./-]/.test(c) ? c : `&#x${c.charCodeAt(0).toString(16)};`))
        .join('');
    default:
      return text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&apos;');
  }
}

/** How odd the spelling is: 0 as EC2 sends it, 1 whatever XML allows, 2 things that EC2 would never send. */
export type Oddity = 0 | 1 | 2;

class Writer {
  readonly parts: string[] = [];
  private readonly pick: Pick;
  private readonly oddity: Oddity;
  private depth = 0;

  constructor(pick: Pick, oddity: Oddity) {
    this.pick = pick;
    this.oddity = oddity;
  }

  private odd(oneIn: number, from: Oddity = 1): boolean {
    return this.oddity >= from && this.pick(oneIn) === 0;
  }

  private space(): void {
    if (this.odd(40, 2)) this.parts.push(' ');
    else if (!this.odd(30)) this.parts.push(`\n${'    '.repeat(this.depth)}`);
    if (this.odd(60)) this.parts.push('<!-- a <comment> -->');
    if (this.odd(120)) this.parts.push('<?note this?>');
    if (this.odd(200)) this.parts.push('\r\n');
    if (this.odd(150))
      this.parts.push(this.pick(2) === 0 ? '<unknown a="1>2"><item><x/>y</item></unknown>' : '<unknown/>');
    if (this.odd(300, 2)) this.parts.push('stray text');
  }

  private attributes(): string {
    return this.odd(150, 2) ? ` note='a>b' x="${this.pick(9)}"` : '';
  }

  leaf(name: string, text: string | undefined): void {
    if (text === undefined) return;
    this.space();
    const pieces = this.oddity > 0 ? escapeText(text, this.pick) : escapeText(text, () => 5);
    const comment = this.odd(80) ? '<!--x-->' : '';
    if (text === '' && this.pick(2) === 0) this.parts.push(`<${name}${this.attributes()}/>`);
    else this.parts.push(`<${name}${this.attributes()}>${comment}${pieces}${this.odd(90) ? '<?p?>' : ''}</${name}>`);
    if (this.odd(400, 2)) this.leaf(name, 'again');
  }

  node(name: string, write: () => void): void {
    this.space();
    this.parts.push(`<${name}${this.attributes()}>`);
    this.depth++;
    write();
    this.depth--;
    this.space();
    this.parts.push(`</${name}>`);
  }

  empty(name: string): void {
    this.space();
    this.parts.push(this.pick(2) === 0 ? `<${name}/>` : `<${name}></${name}>`);
  }

  list(name: string, count: number, write: (index: number) => void): void {
    if (count === 0) this.empty(name);
    else
      this.node(name, () => {
        for (let i = 0; i < count; i++) this.node('item', () => write(i));
      });
  }
}

function hex(pick: Pick, digits: number): string {
  return Array.from({ length: digits }, () => pick(16).toString(16)).join('');
}

function address(pick: Pick): string {
  return `10.${pick(4)}.${pick(256)}.${pick(256)}`;
}

const boolean = (pick: Pick) => (pick(2) === 0 ? 'true' : 'false');
const maybe = <T>(pick: Pick, value: T): T | undefined => (pick(4) === 0 ? undefined : value);

function writeInterface(w: Writer, pick: Pick, oddity: Oddity): void {
  const text = () => TEXTS[pick(TEXTS.length)] as string;
  const first = address(pick);
  const fields: (() => void)[] = [
    () => w.leaf('networkInterfaceId', oddity === 2 && pick(60) === 0 ? '' : `eni-0${hex(pick, 16)}`),
    () => w.leaf('subnetId', oddity === 2 && pick(60) === 0 ? undefined : `subnet-0${hex(pick, 1)}`),
    () => w.leaf('vpcId', 'vpc-00000000000000001'),
    () => w.leaf('availabilityZone', maybe(pick, 'us-east-1a')),
    () => w.leaf('description', maybe(pick, text())),
    () => w.leaf('ownerId', maybe(pick, '111111111111')),
    () => w.leaf('requesterId', pick(5) === 0 ? 'amazon-elb' : undefined),
    () => w.leaf('requesterManaged', maybe(pick, oddity === 2 && pick(30) === 0 ? 'TRUE' : boolean(pick))),
    () => w.leaf('status', maybe(pick, 'in-use')),
    () => w.leaf('macAddress', '02:00:00:00:00:01'),
    () => w.leaf('privateIpAddress', pick(6) === 0 ? undefined : first),
    () => w.leaf('privateDnsName', maybe(pick, `ip-${first.replaceAll('.', '-')}.ec2.internal`)),
    () => w.leaf('sourceDestCheck', boolean(pick)),
    () => w.leaf('interfaceType', maybe(pick, ['interface', 'trunk', 'efa', 'nat_gateway'][pick(4)])),
    () =>
      w.list('groupSet', pick(3), () => {
        w.leaf('groupId', 'sg-1');
        w.leaf('groupName', text());
      }),
    () => {
      if (pick(5) === 0) return;
      if (pick(10) === 0) {
        w.empty('attachment');
        return;
      }
      w.node('attachment', () => {
        w.leaf('attachmentId', maybe(pick, 'eni-attach-1'));
        w.leaf('instanceId', maybe(pick, `i-0${hex(pick, 16)}`));
        w.leaf('instanceOwnerId', maybe(pick, '111111111111'));
        w.leaf('deviceIndex', maybe(pick, String(pick(15))));
        w.leaf('networkCardIndex', maybe(pick, '0'));
        w.leaf('status', maybe(pick, 'attached'));
        w.leaf(
          'attachTime',
          maybe(
            pick,
            oddity === 2 && pick(40) === 0
              ? '2026-02-30T10:00:00Z'
              : `2026-11-${10 + pick(19)}T10:00:00${pick(2) === 0 ? '.000' : ''}Z`,
          ),
        );
        w.leaf('deleteOnTermination', maybe(pick, boolean(pick)));
        if (pick(6) === 0) w.node('enaSrdSpecification', () => w.leaf('enaSrdEnabled', 'true'));
      });
    },
    () =>
      w.list('tagSet', pick(4), (i) => {
        w.leaf('key', `key-${i}-${text()}`);
        w.leaf('value', pick(8) === 0 ? undefined : text());
      }),
    () => {
      const count = pick(5);
      const primary = pick(Math.max(1, count));
      w.list('privateIpAddressesSet', count, (i) => {
        w.leaf(
          'privateIpAddress',
          pick(30) === 0
            ? undefined
            : i === primary
              ? first
              : oddity === 2 && pick(80) === 0
                ? '10.0.0.300'
                : address(pick),
        );
        w.leaf('privateDnsName', maybe(pick, 'ip-x'));
        w.leaf('primary', pick(10) === 0 ? undefined : i === primary ? 'true' : 'false');
        if (pick(8) === 0) w.node('association', () => w.leaf('publicIp', '203.0.113.9'));
      });
    },
    () => {
      if (pick(2) === 0)
        w.list('ipv4PrefixSet', pick(3), () => w.leaf('ipv4Prefix', `10.0.${pick(256)}.${16 * pick(16)}/28`));
    },
    () => {
      if (pick(4) === 0) w.list('ipv6AddressesSet', pick(3), () => w.leaf('ipv6Address', '2001:db8::1'));
    },
    () => {
      if (pick(4) > 0) return;
      w.node('operator', () => {
        w.leaf('managed', boolean(pick));
        w.leaf('principal', maybe(pick, 'eks.amazonaws.com'));
      });
    },
  ];
  for (let i = fields.length - 1; i > 0; i--) {
    const j = pick(i + 1);
    [fields[i], fields[j]] = [fields[j] as () => void, fields[i] as () => void];
  }
  for (const write of fields) write();
}

/** A page of `count` random interfaces. */
export function randomPage(pick: Pick, count: number, oddity: Oddity): string {
  const w = new Writer(pick, oddity);
  if (pick(5) > 0) w.parts.push('<?xml version="1.0" encoding="UTF-8"?>\n');
  w.parts.push('<DescribeNetworkInterfacesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">');
  w.parts.push('\n  <requestId>0</requestId>');
  if (count === 0)
    w.parts.push(pick(2) === 0 ? '<networkInterfaceSet/>' : '\n<networkInterfaceSet>\n</networkInterfaceSet>');
  else {
    w.parts.push('\n  <networkInterfaceSet>');
    for (let i = 0; i < count; i++) w.node('item', () => writeInterface(w, pick, oddity));
    w.parts.push('\n  </networkInterfaceSet>');
  }
  if (pick(2) === 0) w.parts.push(`\n  <nextToken>${pick(2) === 0 ? 'abc' : 'a&amp;b=='}</nextToken>`);
  w.parts.push('\n</DescribeNetworkInterfacesResponse>');
  return w.parts.join('');
}

const protocol = new AwsEc2QueryProtocol({
  defaultNamespace: 'com.amazonaws.ec2',
  xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15',
  version: '2016-11-15',
} as ConstructorParameters<typeof AwsEc2QueryProtocol>[0]);
const deserializer = (protocol as unknown as { deserializer: { read(schema: unknown, bytes: Uint8Array): unknown } })
  .deserializer;
const schema = NormalizedSchema.of(DescribeNetworkInterfacesResult$);

export interface DecodedPage {
  readonly records: readonly EniRecord[];
  readonly nextToken?: string | undefined;
}

/** The page as the SDK reads it. Throws what the SDK, or the decoder behind it, throws. */
export function decodeWithSdk(xml: Uint8Array): DecodedPage {
  const output = deserializer.read(schema, xml) as { NetworkInterfaces?: unknown[]; NextToken?: string };
  const place = Place.of('page');
  return {
    records: (output.NetworkInterfaces ?? []).map((raw, i) => toEniRecord(raw, place.at(i))),
    nextToken: output.NextToken,
  };
}

/** The page as the scanner reads it, cut into these chunks. */
export function scan(chunks: Iterable<Uint8Array>): DecodedPage & { readonly fallbacks: number } {
  const scanner = new PageScanner((item) => {
    const framed = Buffer.concat([
      Buffer.from('<r><networkInterfaceSet>'),
      item,
      Buffer.from('</networkInterfaceSet></r>'),
    ]);
    const output = deserializer.read(schema, framed) as { NetworkInterfaces: unknown[] };
    return toEniRecord(output.NetworkInterfaces[0], Place.of('item'));
  });
  for (const chunk of chunks) scanner.push(chunk);
  const page = scanner.end();
  return { records: page.records, nextToken: page.nextToken, fallbacks: page.fallbacks };
}

/** Cuts bytes at random places; up to `most` chunks. */
export function cut(bytes: Uint8Array, pick: Pick, most: number): Uint8Array[] {
  const places = Array.from({ length: pick(most) }, () => pick(bytes.length + 1)).sort((a, b) => a - b);
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const to of [...places, bytes.length]) {
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}

/** Breaks a page: bytes changed, removed, doubled or moved. */
export function mutate(bytes: Buffer, pick: Pick): Buffer {
  const at = pick(bytes.length);
  const length = 1 + pick(pick(4) === 0 ? 400 : 6);
  const piece = bytes.subarray(at, at + length);
  switch (pick(5)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    case 2: {
      const marks = [
        '<',
        '>',
        '/',
        '&',
        '"',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '?>',
        '&#38;',
        '\r',
        '\u0000',
        '\ufeff',
        '<item>',
        '</item>',
        '<x a=b>',
        ' ',
        '\n',
      ];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(marks[pick(marks.length)] as string),
        bytes.subarray(at),
      ]);
    }
    case 3: {
      const to = pick(bytes.length);
      return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
    }
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = pick(256);
      return copy;
    }
  }
}
