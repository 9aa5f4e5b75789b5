import {
  createReactionSchema,
  deleteReactionSchema,
  firingsParameters,
  linkParameters,
  listParameters,
  previewSchema,
  replaySchema,
  updateReactionSchema,
} from '../../reactions/bodies.ts';
import { json, placeholders } from '../examples.ts';
import { jsonSchemaOf, queryParameters } from '../schema.ts';
import type { Operation } from '../types.ts';
import { answerOf, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';
import {
  deletedSchema,
  detailsSchema,
  linkedSchema,
  listedSchema,
  previewAnswer,
  savedSchema,
} from './reaction-answers.ts';

const tag = 'Reactions';

const { reactionId, reactionCreated, reactionModified, reactionResumed, replayedThrough } = placeholders;

const ruleset = {
  identityPaths: [['actor', 'mbox']],
  conditions: {
    quiz: {
      and: [
        { path: ['verb', 'id'], op: 'eq', val: 'http://adlnet.gov/expapi/verbs/passed' },
        { path: ['result', 'score', 'scaled'], op: 'gte', val: 0.8 },
      ],
    },
  },
  template: {
    actor: { $templatePath: ['quiz', 'actor'] },
    verb: { id: 'https://w3id.org/xapi/dod-isd/verbs/certified' },
    object: { id: 'https://example.org/course-1' },
  },
};

const misspelt = { ...ruleset, conditions: { quiz: { path: ['verb', 'idd'], op: 'eq', val: 'x' } } };

const title = 'Certify';

const shown = {
  id: reactionId,
  title,
  active: true,
  created: reactionCreated,
  modified: reactionCreated,
  error: null,
  ruleset,
  version: 1,
  fired: 0,
  failed: 0,
  lastFired: null,
};

/** What operators do with reactions. */
export const reactionOperations = {
  createReaction: {
    tag,
    summary: 'Create a reaction',
    description:
      'Statements that are stored from now on trigger it when it is active. Without a title it gets one. A ruleset that breaks a rule is refused with the JSON path of each mistake in `details`.',
    body: { 'application/json': jsonSchemaOf(createReactionSchema) },
    answers: { 200: answerOf('The new reaction.', savedSchema) },
    errors: ['not-found'],
    examples: {
      create: {
        summary: 'A certificate for everybody who passes with 0.8',
        body: json({ title, ruleset, active: true }),
        status: 200,
        answer: json({ reactionId, modified: reactionCreated }),
      },
      invalid: {
        summary: 'A path that statements do not have',
        body: json({ title: 'Misspelt', ruleset: misspelt, active: true }),
        status: 400,
        answer: json({
          code: 'invalid',
          error:
            'The ruleset breaks a rule: $.conditions.quiz.path[1] "idd" is no member of verb; the nearest path is ["verb","id"].',
          details: [
            {
              path: '$.conditions.quiz.path[1]',
              message: '"idd" is no member of verb; the nearest path is ["verb","id"]',
              rule: 'path',
            },
          ],
        }),
      },
    },
  },
  listReactions: {
    tag,
    summary: 'List the reactions, those that are not deleted or those that are',
    parameters: queryParameters(listParameters),
    answers: {
      200: answerOf('All of them.', objectOf({ reactions: listOf(listedSchema) })),
    },
    errors: ['not-found'],
    examples: {
      list: {
        summary: 'One reaction',
        status: 200,
        answer: json({ reactions: [{ ...shown, slow: false }] }),
      },
    },
  },
  updateReaction: {
    tag,
    summary: 'Change, pause or resume a reaction',
    description:
      'At least one of `title`, `ruleset` (replaced as a whole) and `active`. With `expectedModified` nothing is changed that somebody else has changed meanwhile. Activating it clears `error`; statements that were stored while it was paused are not looked at unless a replay asks for it: `missed` tells which.',
    body: { 'application/json': jsonSchemaOf(updateReactionSchema) },
    answers: { 200: answerOf('The reaction.', savedSchema) },
    errors: ['not-found', 'precondition-failed'],
    examples: {
      pause: {
        summary: 'Pause it',
        body: json({ reactionId, active: false }),
        status: 200,
        answer: json({ reactionId, modified: reactionModified }),
      },
      resume: {
        summary: 'Resume it; nothing was stored meanwhile',
        body: json({ reactionId, active: true }),
        status: 200,
        answer: json({ reactionId, modified: reactionResumed }),
      },
      outdated: {
        summary: 'A new title for a reaction that somebody has changed meanwhile',
        body: json({ reactionId, title: 'Certify all', expectedModified: '2020-01-01T00:00:00Z' }),
        status: 412,
        answer: json({
          code: 'precondition-failed',
          error:
            'The reaction was changed meanwhile, after the time of expectedModified. Read it again, then decide.',
        }),
      },
    },
  },
  deleteReaction: {
    tag,
    summary: 'Delete a reaction',
    description: 'Statements that it has generated stay, and its title is free again.',
    body: { 'application/json': jsonSchemaOf(deleteReactionSchema) },
    answers: { 200: answerOf('The reaction that is gone.', deletedSchema) },
    errors: ['not-found'],
    examples: {
      delete: {
        summary: 'The reaction from above',
        body: json({ reactionId }),
        status: 200,
        answer: json({ reactionId }),
      },
    },
  },
  getReaction: {
    tag,
    summary: 'Show a reaction with its counters and firings',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The id of the reaction.',
        schema: idSchema,
      },
      ...queryParameters(firingsParameters),
    ],
    answers: {
      200: answerOf('The reaction.', detailsSchema),
    },
    errors: ['not-found'],
    examples: {
      details: {
        summary: 'A paused reaction that has not fired',
        parameters: { id: reactionId, limit: 1 },
        status: 200,
        answer: json({
          ...shown,
          active: false,
          modified: reactionModified,
          lag: { statements: 0, seconds: 0 },
          slow: false,
          firings: [],
        }),
      },
    },
  },
  findFirings: {
    tag,
    summary: 'Show what a statement triggered and what triggered it',
    parameters: queryParameters(linkParameters),
    answers: {
      200: answerOf(
        'Its links to other statements.',
        objectOf(
          {
            triggered: { ...listOf(linkedSchema), description: 'Newest first, page by page.' },
            more: { ...text, description: 'The `cursor` of the next page of these; absent on the last.' },
            triggeredBy: {
              oneOf: [linkedSchema, { type: 'null' }],
              description: 'The firing that generated it; null for a statement that somebody sent.',
            },
          },
          ['more'],
        ),
      ),
    },
    errors: ['not-found'],
    examples: {
      none: {
        summary: 'A statement that has nothing to do with reactions',
        parameters: { statement: '5fe9c1de-1d9b-4c5e-a9b4-2f1f0a1b3c4d' },
        status: 200,
        answer: json({ triggered: [], triggeredBy: null }),
      },
    },
  },
  previewReaction: {
    tag,
    summary: 'Try a ruleset on stored statements',
    description:
      'Nothing is written. The newest statements of the range are examined first; `complete` tells whether the limits on statements, time and bytes ended the preview early.',
    body: { 'application/json': jsonSchemaOf(previewSchema) },
    answers: { 200: answerOf('What the ruleset would do.', previewAnswer) },
    errors: ['not-found'],
    examples: {
      nothing: {
        summary: 'Statements stored before 2020',
        body: json({ ruleset, until: '2020-01-01T00:00:00Z' }),
        status: 200,
        answer: json({
          ...{ examined: 0, triggers: 0, firings: 0, complete: true },
          ...{ examples: [], failures: [], nearMisses: [], warnings: [] },
        }),
      },
    },
  },
  replayReaction: {
    tag,
    summary: 'Have a reaction look at past statements',
    description:
      'An active reaction goes through the statements stored after `from` in the background; `GET /admin/reaction/{id}` shows how far. A combination of statements that has fired with the present version of the ruleset does not fire again, however often this is asked for; one that fired with an earlier version does.',
    body: { 'application/json': jsonSchemaOf(replaySchema) },
    answers: {
      200: answerOf(
        'The range that is gone through.',
        objectOf({ reactionId: idSchema, from: timeSchema, through: timeSchema }),
      ),
    },
    errors: ['not-found'],
    examples: {
      replay: {
        summary: 'Everything since 2020',
        body: json({ reactionId, from: '2020-01-01T00:00:00Z' }),
        status: 200,
        answer: json({ reactionId, from: '2020-01-01T00:00:00.000000Z', through: replayedThrough }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
