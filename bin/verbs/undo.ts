import { answerVerb } from '../service/answer-verb.ts';

export const undo = answerVerb({
  verb: 'undo',
  answer: 'undo',
  describe: 'Take back what a plan changed, applied or failed, where that is safe',
  question: 'Take this back?',
  wanted: 'undone',
  // An undo that is refused leaves the plan as it was.
  over: ['applied', 'failed'],
});
