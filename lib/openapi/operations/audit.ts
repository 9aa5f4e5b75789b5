import { auditParametersSchema } from '../../audit/parameters.ts';
import { auditKinds, auditOutcomes } from '../../audit/types.ts';
import { accounts, json, placeholders } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { Operation } from '../types.ts';
import { answerOf, count, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';

const perhaps = { type: ['string', 'null'] };

const event = objectOf(
  {
    id: idSchema,
    at: timeSchema,
    'account-id': { ...perhaps, format: 'uuid', description: 'Who did it; null when nobody was known.' },
    username: perhaps,
    kind: {
      type: 'string',
      enum: [...auditKinds],
      description: 'Whether something was changed or shown, or somebody logged in or out.',
    },
    action: {
      type: 'string',
      description:
        'Method and path, and in brackets what distinguishes it: `(dry run)` only asked what it would do, `(preview)` showed the first rows of an export, `(void)` voided a statement, `(single)` showed one, `(attachments)` brought attachments, `(list)` listed ids of documents, `(all)` deleted all documents of a kind.',
    },
    subject: {
      ...perhaps,
      description: 'What it was done to: the id of an account, a statement or a document, or an API key.',
    },
    agent: {
      type: ['object', 'null'],
      description: 'Whom it was about; null when the store does not know him (any more).',
    },
    'agent-key': { ...text, description: 'The hash that the trail keeps of the identifier of `agent`.' },
    'key-pair': { ...text, description: 'The API key with which an operator called the xAPI.' },
    filters: {
      type: 'object',
      additionalProperties: text,
      description: 'What was asked for. Of a search there is only that there was one.',
    },
    counts: {
      type: 'object',
      additionalProperties: count,
      description:
        'How much was shown or changed: `statements`, `voiding` (those that they void), `attachments`, `rows` of an export; of an erasure the rows by table; of an import what it has stored, and `refused` records.',
    },
    'request-id': {
      ...text,
      description: 'The `X-Request-Id` of the response; of several equal events that of the first.',
    },
    times: { ...count, description: 'How many equal events this one stands for; absent for one.' },
    'last-at': { ...timeSchema, description: 'When the last of them was.' },
    client: { ...perhaps, description: 'The address that it came from.' },
    status: { type: 'integer', description: 'How it was answered; 0 while it is not, or if it never was.' },
    outcome: {
      type: 'string',
      enum: [...auditOutcomes],
      description:
        '`interrupted`: a download, an import or an export that broke off after what is in `counts`. `unknown`: it goes on, or the server stopped before it had ended.',
    },
  },
  ['agent', 'agent-key', 'key-pair', 'filters', 'counts', 'request-id', 'times', 'last-at'],
);

/** The audit trail. */
export const auditOperations = {
  listAuditEvents: {
    tag: 'Audit',
    summary: 'List who did what, newest first',
    description:
      'What accounts changed or were shown, by the administration and by requests to the xAPI that carry the header `X-LRS-Operator`. The order is that of `at`: an entry that stands for several equal events keeps the place of the first of them, and `last-at` says when the last one was.',
    parameters: queryParameters(auditParametersSchema),
    answers: {
      200: answerOf(
        'A page of events.',
        objectOf({
          events: listOf(event),
          more: { ...text, description: 'The link to the next page; empty on the last.' },
        }),
      ),
    },
    examples: {
      newest: {
        summary: 'The newest event',
        parameters: { limit: 1 },
        status: 200,
        answer: json({
          events: [
            {
              id: placeholders.eventId,
              at: placeholders.eventTime,
              'account-id': placeholders.accountId,
              username: accounts.first.username,
              kind: 'change',
              action: 'DELETE /admin/account',
              subject: placeholders.operatorId,
              filters: { username: accounts.operator.username },
              'request-id': placeholders.requestId,
              client: placeholders.client,
              status: 200,
              outcome: 'done',
            },
          ],
          more: placeholders.nextEvents,
        }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
