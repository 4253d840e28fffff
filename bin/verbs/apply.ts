import { answerVerb } from '../service/answer-verb.ts';

export const apply = answerVerb({
  verb: 'apply',
  answer: 'approve',
  describe: 'Approve a stored plan: shows it, asks, and has the service carry it out',
  question: 'Have this carried out?',
  wanted: 'applied',
  over: ['failed', 'rolledBack', 'replaced', 'withdrawn', 'expired', 'refused'],
});
