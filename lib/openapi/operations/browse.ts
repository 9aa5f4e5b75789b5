import { kindNames } from '../../browse/kind-names.ts';
import {
  activityListParameters,
  agentListParameters,
  documentListParameters,
} from '../../browse/parameters.ts';
import { json, placeholders } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { JsonSchema, Operation } from '../types.ts';
import { answerOf, count, idSchema, listOf, objectOf, text, timeSchema } from './answers.ts';

const tag = 'Browse';

const mbox = 'mailto:ann@example.org';
const activityId = 'https://example.org/courses/first-steps';

const agent = { type: 'object', description: 'With its one identifier.' };

const more = { ...text, description: 'The link to the next page; empty on the last.' };

function pageOf(name: string, entry: JsonSchema): JsonSchema {
  return objectOf({ [name]: listOf(entry), more });
}

/** What there is, for people who look around. */
export const browseOperations = {
  listAgents: {
    tag,
    summary: 'List the Agents and identified Groups that are known',
    description: 'The search looks into their names and identifiers.',
    parameters: queryParameters(agentListParameters),
    answers: {
      200: answerOf(
        'A page of them.',
        pageOf(
          'agents',
          objectOf(
            {
              agent,
              names: {
                ...listOf(text),
                description: 'The 10 newest, cut after 100 characters; `GET /xapi/agents` has all.',
              },
              statements: {
                ...count,
                description: 'How many statements have it as their Actor, or in a Group that is.',
              },
            },
            ['statements'],
          ),
        ),
      ),
    },
    examples: {
      found: {
        summary: 'A part of a name',
        parameters: { search: 'ann', limit: 1 },
        status: 200,
        answer: json({ agents: [{ agent: { mbox }, names: ['Ann'], statements: 1 }], more: '' }),
      },
    },
  },
  listActivities: {
    tag,
    summary: 'List the Activities that are known',
    description: 'The search looks into their ids and definitions.',
    parameters: queryParameters(activityListParameters),
    answers: {
      200: answerOf(
        'A page of them.',
        pageOf(
          'activities',
          objectOf(
            {
              id: text,
              definition: {
                type: 'object',
                description: 'Merged from all statements, as far as there is one.',
              },
              statements: { ...count, description: 'How many statements have it as their Object.' },
            },
            ['definition', 'statements'],
          ),
        ),
      ),
    },
    examples: {
      found: {
        summary: 'A part of a definition',
        parameters: { search: 'first STEPS' },
        status: 200,
        answer: json({
          activities: [
            {
              id: activityId,
              definition: {
                name: { en: 'First steps' },
                type: 'http://adlnet.gov/expapi/activities/course',
              },
              statements: 2,
            },
          ],
          more: '',
        }),
      },
    },
  },
  listDocuments: {
    tag,
    summary: 'List the documents that there are, without their contents',
    description:
      'The search looks into their ids, and those of their Activity and Agent. Contents are read and written under `/xapi`.',
    parameters: queryParameters(documentListParameters),
    answers: {
      200: answerOf(
        'A page of them.',
        pageOf(
          'documents',
          objectOf(
            {
              kind: { enum: Object.values(kindNames) },
              activityId: text,
              agent,
              registration: idSchema,
              stateId: text,
              profileId: text,
              contentType: text,
              length: { ...count, description: 'Bytes.' },
              updated: timeSchema,
              etag: { ...text, description: 'As it goes into `If-Match`.' },
            },
            ['activityId', 'agent', 'registration', 'stateId', 'profileId'],
          ),
        ),
      ),
    },
    examples: {
      profiles: {
        summary: 'The profiles of an Agent',
        parameters: { kind: 'agent-profile', agent: JSON.stringify({ mbox }) },
        status: 200,
        answer: json({
          documents: [
            {
              kind: 'agent-profile',
              agent: { mbox },
              profileId: 'bookmark',
              contentType: 'application/json',
              length: 32,
              updated: placeholders.documentTime,
              etag: placeholders.documentTag,
            },
          ],
          more: '',
        }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
