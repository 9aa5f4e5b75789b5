import type { JsonObject } from '../json/types.ts';

/** A ruleset to begin with: docs/reactions.md explains it, and the screen offers it. */
export interface ReactionExample {
  readonly name: 'certificate' | 'badge' | 'alert';
  readonly title: string;
  readonly ruleset: JsonObject;
}

const passed = 'http://adlnet.gov/expapi/verbs/passed';
const failed = 'http://adlnet.gov/expapi/verbs/failed';

/** A learner is whoever has the same of these; those that a statement lacks do not count. */
const learner = [
  ['actor', 'mbox'],
  ['actor', 'account', 'homePage'],
  ['actor', 'account', 'name'],
];

const hasPassed = (module: string): JsonObject => ({
  and: [
    { path: ['verb', 'id'], op: 'eq', val: passed },
    { path: ['object', 'id'], op: 'eq', val: module },
  ],
});

const failedQuiz = [
  { path: ['verb', 'id'], op: 'eq', val: failed },
  { path: ['object', 'id'], op: 'eq', val: 'https://example.org/quiz' },
];

const failedAfter = (condition: string): JsonObject => ({
  and: [...failedQuiz, { path: ['stored'], op: 'gt', ref: { condition, path: ['stored'] } }],
});

export const reactionExamples: readonly ReactionExample[] = [
  {
    name: 'certificate',
    title: 'Certificate after two passed modules',
    ruleset: {
      identityPaths: learner,
      conditions: {
        first: hasPassed('https://example.org/modules/1'),
        second: hasPassed('https://example.org/modules/2'),
      },
      template: {
        actor: { $templatePath: ['second', 'actor'] },
        verb: { id: 'https://w3id.org/xapi/dod-isd/verbs/certified', display: { en: 'was certified in' } },
        object: { id: 'https://example.org/course', definition: { name: { en: 'The whole course' } } },
      },
    },
  },
  {
    name: 'badge',
    title: 'Badge for a score above 80% within one registration',
    ruleset: {
      identityPaths: learner,
      conditions: {
        started: { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/initialized' },
        scored: {
          and: [
            { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/completed' },
            { path: ['result', 'score', 'scaled'], op: 'gt', val: 0.8 },
            {
              path: ['context', 'registration'],
              op: 'eq',
              ref: { condition: 'started', path: ['context', 'registration'] },
            },
          ],
        },
      },
      template: {
        actor: { $templatePath: ['scored', 'actor'] },
        verb: { id: 'http://activitystrea.ms/receive', display: { en: 'received' } },
        object: { id: 'https://example.org/badges/expert', definition: { name: { en: 'Expert' } } },
        result: { score: { $templatePath: ['scored', 'result', 'score'] } },
        context: { registration: { $templatePath: ['started', 'context', 'registration'] } },
      },
    },
  },
  {
    name: 'alert',
    title: 'Alert after the third failed attempt',
    ruleset: {
      identityPaths: learner,
      conditions: {
        first: { and: failedQuiz },
        second: failedAfter('first'),
        third: failedAfter('second'),
      },
      template: {
        actor: { $templatePath: ['third', 'actor'] },
        verb: { id: 'https://example.org/xapi/verbs/needed-help', display: { en: 'needed help with' } },
        object: { $templatePath: ['third', 'object'] },
        context: {
          statement: { objectType: 'StatementRef', id: { $templatePath: ['third', 'id'] } },
        },
      },
    },
  },
];
