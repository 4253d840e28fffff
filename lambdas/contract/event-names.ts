/** What the events that Headroom sends on its own bus are called. Public: rules of other teams match on source and detail type. Apart from their schemas (events.ts), so that who only sends loads no schema library. */
export const EVENT_SOURCE = 'headroom';

export const DETAIL_TYPES = {
  findingRaised: 'Subnet Finding Raised',
  findingCleared: 'Subnet Finding Cleared',
  remediationPlanned: 'Remediation Planned',
  remediationApproved: 'Remediation Approved',
  remediationRefused: 'Remediation Refused',
  remediationApplied: 'Remediation Applied',
  remediationFailed: 'Remediation Failed',
  remediationUndone: 'Remediation Undone',
  testAlert: 'Test Alert',
} as const;
export type DetailType = (typeof DETAIL_TYPES)[keyof typeof DETAIL_TYPES];

/** Grows with a change that a receiver could trip over; new optional fields do not count. */
export const EVENT_SCHEMA_VERSION = 1;

/** Lines of a finding's map at most: heading, numbers, 8 rows, legend, what is not drawn. */
export const MAP_LINES = 12;
/** UTF-16 units of a finding's map at most, line feeds between the lines counted: a third of what a text of Slack takes (Block Kit, "text object"). */
export const MAP_CHARACTERS = 1_000;
