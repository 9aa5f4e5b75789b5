import { auditParametersSchema } from '../../audit/parameters.ts';
import { accounts, json, placeholders } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { Operation } from '../types.ts';
import { answerOf, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';

const perhaps = { type: ['string', 'null'] };

const event = objectOf({
  id: idSchema,
  at: timeSchema,
  'account-id': { ...perhaps, format: 'uuid', description: 'Who did it; null when nobody was known.' },
  username: perhaps,
  action: {
    type: 'string',
    description: 'Method and path; of a call that only asked what it would do, followed by `(dry run)`.',
  },
  subject: { ...perhaps, description: 'What it was done to.' },
  client: { ...perhaps, description: 'The address that it came from.' },
  status: { type: 'integer', description: 'How it was answered.' },
});

/** The audit trail. */
export const auditOperations = {
  listAuditEvents: {
    tag: 'Audit',
    summary: 'List who did what, newest first',
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
              action: 'DELETE /admin/account',
              subject: placeholders.operatorId,
              client: placeholders.client,
              status: 200,
            },
          ],
          more: placeholders.nextEvents,
        }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
