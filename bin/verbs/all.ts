/** The verbs, in the order of the help text. A new one is a file beside this and a line here. */
import type { Verb } from '../verb.ts';
import { assess } from './assess.ts';
import { demo } from './demo.ts';
import { diagnose } from './diagnose.ts';
import { diff } from './diff.ts';
import { doctor } from './doctor.ts';
import { explain } from './explain.ts';
import { mute } from './mute.ts';
import { observe } from './observe.ts';
import { plan } from './plan.ts';
import { report } from './report.ts';
import { simulator } from './simulator.ts';
import { testAlert } from './test-alert.ts';

export const VERBS: readonly Verb[] = [
  demo,
  observe,
  assess,
  explain,
  diagnose,
  plan,
  mute,
  doctor,
  testAlert,
  diff,
  report,
  simulator,
];
