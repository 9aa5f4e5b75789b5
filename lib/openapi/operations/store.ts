import { replicaStates } from '../../db/replica-status.ts';
import { erasureSchema } from '../../erasure/actor-ifi.ts';
import { erasedTables } from '../../erasure/types.ts';
import { statusParameters } from '../../status/parameters.ts';
import { shownConsumerStates, statusMembers } from '../../status/types.ts';
import { json } from '../examples.ts';
import { jsonSchemaOf, queryParameters } from '../schema.ts';
import type { JsonSchema, Operation } from '../types.ts';
import { answerOf, count, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';

const languageMap: JsonSchema = { type: 'object', additionalProperties: text };

const bucket = objectOf({ stored: timeSchema, count });

const consumer = objectOf({
  name: text,
  kind: text,
  state: {
    enum: [...shownConsumerStates],
    description:
      '`failed`: several attempts in a row have failed; it is tried again, every five minutes at the latest. `off`: a setting switches off what it works for, as `enableReactions` does for reactions and replays.',
  },
  cursor: { ...timeSchema, description: 'What was stored up to this moment is done.' },
  lag: {
    ...objectOf({ statements: count, seconds: { type: 'number', minimum: 0 } }),
    description: 'How many statements are stored and not done, and for how long the oldest of them has been.',
  },
  error: { type: ['string', 'null'], description: 'Why the last attempt failed; null when it did not.' },
  attempts: { ...count, description: 'How many attempts have failed in a row.' },
  nextAttempt: { type: ['string', 'null'], description: 'When the next attempt is made after a failure.' },
});

const replica = objectOf({
  host: { ...text, description: 'The host and port, as in `pg2:5432`.' },
  state: {
    enum: [...replicaStates],
    description:
      'Only a replica that is `used` serves reads; the others are tried again every second. `lagging`: it is behind the primary, or follows another server. `unreachable`: it does not answer, or has failed a read within the last minute that the primary served. `primary`: it accepts writes. `foreign`: it is not a replica of this database. `unknown`: it has not been tried yet.',
  },
  lag: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'How many milliseconds it may be behind the primary: 0 while it is used, null if it never was, and while it is `primary` or `foreign`. The metric `lrs_replica_lag_seconds` says the same in seconds.',
  },
  reads: { ...count, description: 'The reads that it has served since the process began.' },
});

const status = objectOf(
  {
    'statement-count': {
      ...count,
      description: 'All stored statements: voiding ones, and those that are voided, included.',
    },
    'actor-count': {
      ...count,
      description:
        'Different identifiers of Actors of statements and of the members of Groups that are Actors, of voided statements too: `GET /admin/agents?role=actor` lists them.',
    },
    'platform-frequency': {
      type: 'object',
      additionalProperties: count,
      description: 'The 1,000 platforms that most statements have, of those with at most 1,000 bytes.',
    },
    'last-statement-stored': { type: ['string', 'null'] },
    timeline: listOf(bucket),
    'voided-count': {
      ...count,
      description: 'Of the statements, those that are voided: `GET /xapi/statements` leaves them out.',
    },
    'activity-count': {
      ...count,
      description:
        'Different Activities that are Objects of statements, voided ones included: `GET /admin/activities?role=object` lists them.',
    },
    'verb-frequency': {
      ...listOf(objectOf({ id: text, display: languageMap, count }, ['display'])),
      description:
        'The ten Verbs that most statements have, of those whose ids have at most 128 KiB, with what their newest statements call them.',
    },
    'activity-frequency': {
      ...listOf(objectOf({ id: text, name: languageMap, count }, ['name'])),
      description:
        'The ten Activities that are the Object of most statements, of those whose ids have at most 128 KiB, with the names in definitions of at most 64 KiB.',
    },
    consumers: {
      ...listOf(consumer),
      description: 'What works behind the storing of statements, such as the reactions, by name.',
    },
    'database-server': {
      type: ['string', 'null'],
      description:
        'The host and port of the database server that writes go to, as in `pg1:5432`, as the process that answers knows it; null on SQLite. Only of the default store.',
    },
    replicas: {
      ...listOf(replica),
      description:
        'The database servers in `dbReadHosts`, as the process that answers knows them; empty without that setting. Only of the default store.',
    },
  },
  [...statusMembers],
);

const removed = objectOf(
  {
    'actor-ifi': text,
    'dry-run': { type: 'boolean' },
    rows: objectOf(Object.fromEntries(erasedTables.map((table) => [table, count]))),
    receipt: {
      ...objectOf({ 'audit-event': idSchema, at: timeSchema, username: text }),
      description: 'Of an erasure: its entry in the audit trail, when it was complete, and who asked for it.',
    },
  },
  ['receipt'],
);

/** What an administrator does with the whole store. */
export const storeOperations = {
  getStatus: {
    tag: 'Server',
    summary: 'Show what the store holds, in numbers',
    parameters: queryParameters(statusParameters),
    answers: { 200: answerOf('The members that were asked for.', status) },
    errors: ['not-found'],
    examples: {
      counts: {
        summary: 'One number',
        parameters: { include: ['statement-count'] },
        status: 200,
        answer: json({ 'statement-count': 2 }),
      },
      verbs: {
        summary: 'The Verbs that most statements have',
        parameters: { include: ['verb-frequency'] },
        status: 200,
        answer: json({
          'verb-frequency': [
            { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'completed' }, count: 2 },
          ],
        }),
      },
    },
  },
  deleteActor: {
    tag: 'Server',
    summary: 'Delete all records of an actor, or count them',
    description:
      'The statements that mention it in any role, their attachments, its names and its documents, for good. `dry-run` in the body only counts; a member or parameter that looks like it is refused. Sent again after an interruption it goes on. Off unless `webserver.enableAdminDeleteActor` is true: 404.',
    body: { 'application/json': jsonSchemaOf(erasureSchema) },
    answers: { 200: answerOf('How many rows went, by table; with `dry-run`, would go.', removed) },
    errors: ['not-found'],
    examples: {
      count: {
        summary: 'A count for somebody unknown',
        body: json({ 'actor-ifi': 'mbox::mailto:nobody@example.org', 'dry-run': true }),
        status: 200,
        answer: json({
          'actor-ifi': 'mbox::mailto:nobody@example.org',
          'dry-run': true,
          rows: Object.fromEntries(erasedTables.map((table) => [table, 0])),
        }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
