/** Pages of `DescribeNetworkInterfaces` as XML: random interfaces in random spelling. */

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

/** Some are none, some are none to a calendar, some the SDK takes though EC2 would not send them. */
const ODD_TIMES = [
  '2026-02-30T10:00:00Z',
  '2026-11-31T23:59:60.000Z',
  '2026-11-32T10:00:00.000Z',
  '2026-00-10T10:00:00.000Z',
  '2026-13-10T10:00:00.000Z',
  '2026-11-10T24:00:00.000Z',
  '2026-11-10T10:60:00.000Z',
  '2026-11-10T10:00:61.000Z',
  '2026-11-10T10:00:00.1Z',
  '2026-11-10t10:00:00z',
  '2026-11-10T10:00:00+01:00',
  '2026-11-10 10:00:00Z',
  '1764500400',
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

function writeInterface(w: Writer, pick: Pick, oddity: Oddity, order: number | undefined): void {
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
            oddity === 2 && pick(20) === 0
              ? (ODD_TIMES[pick(ODD_TIMES.length)] as string)
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
  const pickOrder = order === undefined ? pick : seededPick(order);
  for (let i = fields.length - 1; i > 0; i--) {
    const j = pickOrder(i + 1);
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
    // Half of the pages have the elements in one of a few orders throughout, as EC2 has: what the scanner has learnt from one interface serves the next.
    const order = pick(2) === 0 ? pick(3) : undefined;
    for (let i = 0; i < count; i++) w.node('item', () => writeInterface(w, pick, oddity, order));
    w.parts.push('\n  </networkInterfaceSet>');
  }
  if (pick(2) === 0) w.parts.push(`\n  <nextToken>${pick(2) === 0 ? 'abc' : 'a&amp;b=='}</nextToken>`);
  w.parts.push('\n</DescribeNetworkInterfacesResponse>');
  return w.parts.join('');
}
