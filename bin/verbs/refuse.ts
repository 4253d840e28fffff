import { answerVerb } from '../service/answer-verb.ts';

export const refuse = answerVerb({
  verb: 'refuse',
  answer: 'refuse',
  describe: 'Refuse a stored plan: it is not made again before it expires',
  question: 'Refuse this?',
  wanted: 'refused',
  over: ['replaced', 'withdrawn', 'expired'],
});
