import { describe, expect, test } from '@jest/globals';
import { cellByte } from '../../../../lambdas/core/report/map/cell.ts';
import { svgMap } from '../../../../lambdas/core/report/widget/svg-map.ts';
import { WIDGET_CHARACTERS, widgetDetails, widgetHtml } from '../../../../lambdas/core/report/widget/widget-html.ts';
import { region, subnet } from '../../../support/builders.ts';
import { reading } from '../html/reading.ts';

const ID = 'subnet-00000000000000001';

function input(name: string, theme: 'light' | 'dark' = 'light') {
  const facts = region([subnet('10.0.0.0/26', { availableIps: 0, tags: { Name: name } })], { now: 0 });
  const { frame } = reading(facts, [{ addresses: ['10.0.0.20'] }, { prefixes: ['10.0.0.32/28'] }]);
  return { ...frame, theme, endpoint: 'arn:aws:lambda:eu-west-1:1:function:w', now: 180_000 };
}

/** What a dashboard strips, and what could run. */
const STRIPPED = /<(?:script|iframe|use|object|embed|link)\b| on\w+=|javascript:/i;

describe('the overview', () => {
  test('tells age, numbers and findings, and draws the map', () => {
    const html = widgetHtml(input('pods-a'));
    expect(html).toContain('Snapshot 3 minutes old.');
    expect(html).toContain('<b>pods-a</b> 10.0.0.0/26 us-east-1a: ');
    expect(html).toContain('0 of 59 addresses free');
    expect(html).toContain('<code>SUBNET_EXHAUSTED</code>');
    expect(html).toMatch(/<svg role="img" aria-label="Map of pods-a/);
    expect(html).not.toMatch(STRIPPED);
  });

  test('its button asks this very function for one subnet', () => {
    expect(widgetHtml(input('x'))).toContain(
      `</a><cwdb-action action="call" display="popup" endpoint="arn:aws:lambda:eu-west-1:1:function:w">{"subnetId":"${ID}"}</cwdb-action>`,
    );
  });

  test('the theme of the dashboard decides the colours', () => {
    const colours = (theme: 'light' | 'dark') => new Set(widgetHtml(input('x', theme)).match(/#[0-9a-f]{6}/g));
    expect([...colours('light')].filter((colour) => colours('dark').has(colour))).toEqual([]);
  });

  test('stays small, whatever it has to draw', () => {
    const facts = region(
      Array.from({ length: 40 }, (_, n) => subnet(`10.${n}.0.0/16`, { subnetId: `subnet-${n}`, availableIps: n })),
    );
    const given = input('x');
    // The worst case for runs: no two neighbours are alike.
    const noisy = Uint8Array.from({ length: 4096 }, (_, at) =>
      cellByte({ state: at % 2 === 0 ? 'free' : 'occupied', reservation: null, used: at % 2 === 0 ? 0 : 9 }),
    );
    const { frame } = reading(facts, []);
    const cells = new Map(facts.subnets.map(({ subnetId }) => [subnetId, noisy]));
    const html = widgetHtml({ ...given, ...frame, cells });
    expect(html.length).toBeLessThan(WIDGET_CHARACTERS + 20_000);
    expect(html).toMatch(/\d+ more subnets, each with more room/);
  });
});

describe('the pop-up', () => {
  test('the ledger in words, who holds it, and what to do', () => {
    const html = widgetDetails(input('pods-a'), ID);
    expect(html).toContain('59 usable = 17 used + 42 free.');
    expect(html).toContain('<tr><td>unknown</td><td>17</td><td>2</td><td>1</td></tr>');
    expect(html).toContain('<i>What to do:</i>');
    expect(html).not.toMatch(STRIPPED);
  });

  test('a subnet that nobody knows', () => {
    expect(widgetDetails(input('x'), '<b>')).toContain('&lt;b&gt; is not in the latest snapshot.');
  });
});

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`"'><iframe>`, '&quot;&#39;&gt;&lt;iframe&gt;'],
  ['a\u202eb\u001b[31m', 'a\\u202eb\\u001b[31m'],
  ['</cwdb-action>', '&lt;/cwdb-action&gt;'],
  ['🔥'.repeat(127), '🔥'.repeat(127)],
])('the name %j shows as text', (name, shown) => {
  for (const html of [widgetHtml(input(name)), widgetDetails(input(name), ID)]) {
    expect(html).toContain(shown);
    expect(html).not.toMatch(STRIPPED);
  }
});

test('a map is one path a colour, equal neighbours one rectangle', () => {
  const free = cellByte({ state: 'free', reservation: null, used: 0 });
  const prefix = cellByte({ state: 'delegated', reservation: null, used: 16 });
  const svg = svgMap(Uint8Array.from([free, free, prefix, free]), 'light', 6, 'x');
  expect(svg.match(/d="[^"]*"/g)).toEqual(['d="M0 0h2v1h-2zM3 0h1v1h-1z"', 'd="M2 0h1v1h-1z"']);
});
