/** The modes, and the actions that they are set for. Apart from the document's schema (config.ts), so that who only acts loads no schema library. */

/** What Headroom may do about a finding: say it, ask first, or act. */
export const MODES = ['observe', 'propose', 'auto'] as const;
export type Mode = (typeof MODES)[number];

/** The actions that can be allowed one by one. */
export const ACTIONS = ['activateStandby', 'reservePrefixes', 'cleanLeakedEnis'] as const;
export type Action = (typeof ACTIONS)[number];
