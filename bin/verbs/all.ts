/** The verbs, in the order of the help text. A new one is a file beside this and a line here. */
import type { Verb } from '../verb.ts';
import { apply } from './apply.ts';
import { assess } from './assess.ts';
import { demo } from './demo.ts';
import { diagnose } from './diagnose.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { mute } from './mute.ts';
import { observe } from './observe.ts';
import { plan } from './plan.ts';
import { refuse } from './refuse.ts';
import { report } from './report.ts';
import { simulator } from './simulator.ts';
import { testAlert } from './test-alert.ts';
import { undo } from './undo.ts';

export const VERBS: readonly Verb[] = [
  demo,
  observe,
  assess,
  explain,
  diagnose,
  plan,
  apply,
  refuse,
  undo,
  mute,
  doctor,
  testAlert,
  diff,
  report,
  simulator,
];
