import { reactionErrorReasons, warningRules } from '../../reactions/types.ts';
import type { JsonSchema } from '../types.ts';
import { count, flag, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';

/* What the routes of reactions answer. */

const warnings = listOf(
  objectOf({
    path: { ...text, description: 'Where: a JSON path in the ruleset, or a member of the body.' },
    message: text,
    rule: { enum: [...warningRules], description: 'The stable name of the reason.' },
  }),
);
const missed = {
  ...objectOf({ from: timeSchema, through: timeSchema }),
  description:
    'Statements after `from` up to `through` were not looked at while the reaction was inactive, and no replay has looked at them. After several stops it spans them all.',
};
/** Of a statement that may have been erased since. */
const keptId: JsonSchema = { type: ['string', 'null'], format: 'uuid' };
const matched: JsonSchema = {
  type: 'object',
  additionalProperties: keptId,
  description: 'Name of a condition → id of the statement that fulfils it; null when that was erased.',
};

/** What creating and changing a reaction answers. */
export const savedSchema: JsonSchema = objectOf(
  {
    reactionId: idSchema,
    modified: { ...timeSchema, description: 'For `expectedModified` of the next change.' },
    warnings: {
      ...warnings,
      description:
        'What is accepted and probably not meant: points of the ruleset, and members that are ignored.',
    },
    missed,
  },
  ['warnings', 'missed'],
);

const errorMembers = {
  type: text,
  message: text,
  reason: {
    enum: [...reactionErrorReasons],
    description:
      "Tells apart what has one type. `template-path`: a `$templatePath` is wrong by itself; `unknown-condition`: a `ref` names no condition; `server`: the server failed; `id-taken`: the template gives an `id` that another statement has; `evaluation`: to evaluate the conditions takes too long; `candidates`: too many statements must be read; `chain`: reactions answer each other's statements too often.",
  },
  remedy: text,
  triggerId: { ...keptId, description: 'The statement that it failed on; null when that was erased.' },
  time: timeSchema,
};

const reactionMembers = {
  id: idSchema,
  title: text,
  active: flag,
  created: timeSchema,
  modified: timeSchema,
  error: {
    type: ['object', 'null'],
    properties: errorMembers,
    description: 'Why the server paused it, by which statement and when, and what helps.',
  },
  ruleset: { type: 'object', description: 'As it was given.' },
  version: { ...count, description: 'Rises by one with every change of the ruleset.' },
  fired: { ...count, description: 'Statements that it has generated.' },
  failed: {
    ...count,
    description:
      'Matches that it could not make a statement of when their trigger was stored; replays count their own.',
  },
  lastFired: { type: ['string', 'null'], format: 'date-time' },
  warnings,
};

/** What the deletion of one answers. */
export const deletedSchema: JsonSchema = objectOf({ reactionId: idSchema, warnings }, ['warnings']);

/** A reaction in the list. */
export const listedSchema: JsonSchema = objectOf(
  {
    ...reactionMembers,
    slow: {
      ...flag,
      description:
        'Whether it takes so long for its triggers that a consumer of its own serves it, so that the others do not wait.',
    },
    deleted: { ...timeSchema, description: 'When it was deleted; absent from one that is not.' },
  },
  ['warnings', 'deleted'],
);

const firingMembers = {
  version: { ...count, description: 'Of the ruleset that it was made by.' },
  statementId: keptId,
  triggerId: keptId,
  matched,
  stored: timeSchema,
};

const replay = {
  ...objectOf({
    from: timeSchema,
    through: timeSchema,
    reached: timeSchema,
    state: { enum: ['running', 'paused', 'failed', 'stopped', 'done'] },
    failed: { ...count, description: 'Matches of which it could make no statement.' },
    refused: {
      ...count,
      description:
        'Matches whose statements it has not stored because their chain is too long or full (`reactionMaxChain`, `reactionMaxChainStatements`).',
    },
    problems: {
      ...listOf(objectOf(errorMembers, ['reason'])),
      description:
        'Why matches failed or were refused, the latest first: at most five different reasons, each with the last statement that it was found for.',
    },
    error: { type: ['string', 'null'] },
  }),
  description: 'The latest replay.',
};

/** A firing with its reaction. */
export const linkedSchema: JsonSchema = objectOf({
  ...firingMembers,
  reaction: objectOf({ id: idSchema, title: text, deleted: flag }),
});

/** What a preview answers. */
export const previewAnswer: JsonSchema = objectOf(
  {
    examined: { ...count, description: 'Statements that were looked at, the newest ones.' },
    triggers: { ...count, description: 'How many of them would trigger.' },
    firings: { ...count, description: 'How many statements would be generated.' },
    complete: {
      ...flag,
      description: 'Whether no older statements are in the range, or stored where no range was given.',
    },
    stoppedBy: { enum: ['statements', 'time', 'bytes'] },
    examples: listOf(objectOf({ trigger: idSchema, matched, statement: { type: 'object' } })),
    failures: listOf(
      objectOf({ trigger: idSchema, type: text, message: text, reason: text, matches: count }, ['reason']),
    ),
    nearMisses: {
      ...listOf(
        objectOf({
          trigger: idSchema,
          condition: text,
          reasons: listOf(
            objectOf({
              path: { ...text, description: 'Where the clause is in the ruleset.' },
              op: {
                ...text,
                description: 'The operator, with `not ` before it below `not`; `partner` or `identity`.',
              },
              expected: {
                type: ['string', 'null'],
                description:
                  'JSON. Where `op` is `partner`, what a statement for the condition has to have at which paths, beside `eq` below an operator, and in place of the value of another statement that is missing the `ref` to it; where it is `identity`, the paths of which one is needed.',
              },
              found: { type: ['string', 'null'], description: 'JSON; null where there is no such value.' },
            }),
          ),
          statements: {
            ...count,
            description:
              'How many statements have these reasons; reasons whose `op` is `partner` count as the same whatever they expect.',
          },
        }),
      ),
      description:
        'Statements that fulfil a condition but for some clauses, those that lack least first. Those that have neither its Verb nor its Object are left out.',
    },
    warnings,
  },
  ['stoppedBy'],
);

/** One reaction. */
export const detailsSchema: JsonSchema = objectOf(
  {
    ...reactionMembers,
    lag: {
      ...objectOf({ statements: count, seconds: { type: 'number' } }),
      description: 'What is stored and not yet looked at.',
    },
    slow: {
      ...flag,
      description:
        'Whether it takes so long for its triggers that the consumer `slow-reaction <id>` serves it alone, so that the others do not wait; `lag` is that of this consumer.',
    },
    lastFailure: {
      ...objectOf(errorMembers, ['reason']),
      description:
        'Why the latest match has failed that `failed` counts, whether or not that has paused the reaction; absent where none has.',
    },
    delayed: {
      ...objectOf({ error: text, nextAttempt: { ...timeSchema, type: ['string', 'null'] } }),
      description:
        'Why it does not go on at the moment, and when it is tried again; present where the last attempt of the server to serve it has failed.',
    },
    firings: { ...listOf(objectOf(firingMembers)), description: 'Newest first.' },
    more: { ...text, description: 'The `cursor` of the next page; absent on the last.' },
    missed,
    replay,
  },
  ['warnings', 'lastFailure', 'delayed', 'more', 'missed', 'replay'],
);
