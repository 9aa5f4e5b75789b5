import { activityParameters } from '../../activities/parameters.ts';
import { agentParameters } from '../../agents/parameters.ts';
import { statementParameters, statementPutParameters } from '../../statements/parameters.ts';
import { json, placeholders } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { Content, Operation } from '../types.ts';
import { answerOf, componentOf, idSchema, listOf } from './answers.ts';
import { languageHeader, operatorHeader, versionHeader } from './headers.ts';

const tag = 'Statements';

const statementId = '6f0c1b2a-3d4e-4f50-8a6b-7c8d9e0f1a2b';
const otherId = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d';
const activityId = 'https://example.org/courses/first-steps';
const agent = { objectType: 'Agent', name: 'Ann', mbox: 'mailto:ann@example.org' };
const verb = { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'completed' } };
const definition = { name: { en: 'First steps' }, type: 'http://adlnet.gov/expapi/activities/course' };
const sent = {
  id: statementId,
  actor: agent,
  verb,
  object: { objectType: 'Activity', id: activityId, definition },
};
/** The statement of the examples, as it is stored. */
export const storedExample = {
  ...sent,
  stored: placeholders.storedTime,
  timestamp: placeholders.storedTime,
  version: '1.0.0',
  authority: {
    objectType: 'Agent',
    account: { homePage: 'http://example.org', name: placeholders.credentialId },
  },
};

/** Statements with the data of their attachments come and go as `multipart/mixed` (xAPI 1.0.3 Communication 1.5.2). */
const multipart: Content = { 'multipart/mixed': { type: 'string', format: 'binary' } };
const version = { 'X-Experience-API-Version': '1.0.3' };

/** Statements, and what they tell of Agents and Activities (xAPI 1.0.3 Communication 2.1, 2.4 and 2.5). */
export const statementOperations = {
  getStatements: {
    tag,
    summary: 'Read statements',
    description: 'One by its id, or a page of those that all filters let through, newest first.',
    parameters: [versionHeader, operatorHeader, languageHeader, ...queryParameters(statementParameters)],
    answers: {
      200: {
        description: 'One statement, or a page with the link to the next one in `more`.',
        content: {
          'application/json': { anyOf: [componentOf('StatementResult'), componentOf('Statement')] },
          ...multipart,
          'text/html': { type: 'string', description: 'A page for people, when `Accept` begins with it.' },
        },
        headers: {
          'X-Experience-API-Consistent-Through': 'No statement stored until then becomes visible later.',
          'Last-Modified': 'When the newest statement of the answer was stored.',
        },
      },
    },
    errors: ['not-found'],
    examples: {
      one: {
        summary: 'One statement by its id',
        parameters: { ...version, statementId },
        status: 200,
        answer: json(storedExample),
      },
      filtered: {
        summary: 'The newest statement of an Agent',
        parameters: { ...version, agent: JSON.stringify({ mbox: agent.mbox }), limit: '1' },
        status: 200,
        answer: json({ statements: [storedExample], more: '' }),
      },
    },
  },
  putStatement: {
    tag,
    summary: 'Store a statement under its id',
    parameters: [versionHeader, operatorHeader, ...queryParameters(statementPutParameters)],
    body: { 'application/json': componentOf('Statement'), ...multipart },
    answers: { 204: { description: 'The statement is stored, or was there already.' } },
    errors: ['conflict'],
    examples: {
      put: {
        summary: 'A course is completed',
        parameters: { ...version, statementId },
        body: json(sent),
        status: 204,
      },
    },
  },
  postStatements: {
    tag,
    summary: 'Store one statement or many',
    description:
      'All or none are stored. In xAPI 1.0.3 a POST with the query parameter `method` stands for another request, which its form carries (the alternate request syntax).',
    parameters: [versionHeader, operatorHeader],
    body: {
      'application/json': { anyOf: [componentOf('Statement'), listOf(componentOf('Statement'))] },
      ...multipart,
    },
    answers: { 200: answerOf('The ids of the statements, in order.', listOf(idSchema)) },
    errors: ['conflict'],
    examples: {
      post: {
        summary: 'A list with one statement',
        parameters: version,
        body: json([{ ...sent, id: otherId, actor: { mbox: 'mailto:ben@example.org' } }]),
        status: 200,
        answer: json([otherId]),
      },
    },
  },
  getPerson: {
    tag: 'Agents',
    summary: 'Read what statements tell about an Agent',
    parameters: [versionHeader, operatorHeader, ...queryParameters(agentParameters)],
    answers: { 200: answerOf('Every name of the Agent.', componentOf('Person')) },
    examples: {
      person: {
        summary: 'An Agent by its mail address',
        parameters: { ...version, agent: JSON.stringify({ mbox: agent.mbox }) },
        status: 200,
        answer: json({ objectType: 'Person', name: ['Ann'], mbox: ['mailto:ann@example.org'] }),
      },
    },
  },
  getActivity: {
    tag: 'Activities',
    summary: 'Read what statements tell about an Activity',
    parameters: [versionHeader, operatorHeader, ...queryParameters(activityParameters)],
    answers: { 200: answerOf('The Activity with its merged definition.', componentOf('Activity')) },
    examples: {
      activity: {
        summary: 'An Activity that was defined in a statement',
        parameters: { ...version, activityId },
        status: 200,
        answer: json({ objectType: 'Activity', id: activityId, definition }),
      },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
