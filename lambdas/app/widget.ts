/** report, inside a CloudWatch dashboard: what a custom widget asks for, from the newest snapshot. Changes nothing. */
import { assess } from '../core/assess/assess.ts';
import type { AssessSettings } from '../core/assess/settings.ts';
import { regionCells } from '../core/report/diff/sides.ts';
import { documentOf } from '../core/report/document.ts';
import type { Theme } from '../core/report/widget/svg-map.ts';
import { WIDGET_DOCUMENTATION, widgetDetails, widgetHtml, widgetWithout } from '../core/report/widget/widget-html.ts';
import type { LatestSnapshot } from '../ports/latest-snapshot.ts';

/** What the dashboard sends; further fields are left alone (CloudWatch user guide, "Details about custom widgets"). */
export interface WidgetEvent {
  readonly describe?: unknown;
  /** A parameter of the widget or of its buttons. */
  readonly subnetId?: unknown;
  readonly widgetContext?: { readonly theme?: unknown } | null;
}

export interface WidgetWorld {
  readonly latest: LatestSnapshot;
  readonly settings: AssessSettings;
  /** ARN of this very function. */
  readonly endpoint: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** @returns HTML, or Markdown where the dashboard asks what the widget is. Rejects where the snapshot cannot be read: the dashboard shows the error. */
export async function showWidget(event: WidgetEvent, world: WidgetWorld): Promise<string> {
  if (event.describe === true) return WIDGET_DOCUMENTATION;
  const theme: Theme = event.widgetContext?.theme === 'dark' ? 'dark' : 'light';
  const snapshot = await world.latest.read();
  if (snapshot === undefined) return widgetWithout(theme);
  const { facts, enis, occupancy } = snapshot;
  const report = assess(facts, enis, occupancy, world.settings);
  const description = { kind: 'snapshot', name: 'latest' } as const;
  const document = documentOf({ description, facts, enis, report, generatedAt: world.now });
  const { endpoint, now } = world;
  const input = { document, cells: regionCells(document, facts, occupancy), theme, endpoint, now };
  return typeof event.subnetId === 'string' ? widgetDetails(input, event.subnetId) : widgetHtml(input);
}
