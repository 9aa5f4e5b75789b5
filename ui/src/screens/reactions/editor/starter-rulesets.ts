import type { JsonObject } from '../../../../../lib/json/types.ts';
import { reactionExamples } from '../../../../../lib/reactions/examples.ts';
import type { Texts } from '../../../texts/en.ts';

/** A ruleset to begin with. */
export interface Starter {
  readonly name: keyof Texts['reactions']['starter'];
  readonly ruleset: JsonObject;
}

/** The extension stands for the one in which the activities send the number of the attempt. */
const failedAttempt = (attempt: number): JsonObject => ({
  and: [
    { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/failed' },
    { path: ['object', 'id'], op: 'eq', val: 'https://example.org/quiz' },
    { path: ['result', 'extensions', 'https://example.org/extensions/attempt'], op: 'eq', val: attempt },
  ],
});

/** The variant of the last example that gives each learner one alert. */
const numbered: Starter = {
  name: 'numbered',
  ruleset: {
    identityPaths: [
      ['actor', 'mbox'],
      ['actor', 'account', 'homePage'],
      ['actor', 'account', 'name'],
    ],
    conditions: { first: failedAttempt(1), second: failedAttempt(2), third: failedAttempt(3) },
    template: {
      actor: { $templatePath: ['third', 'actor'] },
      verb: { id: 'https://example.org/xapi/verbs/needed-help' },
      object: { $templatePath: ['third', 'object'] },
    },
  },
};

/** Those of docs/reactions.md. */
export const starters: readonly Starter[] = [...reactionExamples, numbered];
