import Joi from 'joi';
import { agent, iri, textWithoutNul } from '../parameters.ts';
import { checked } from '../schema.ts';
import { adminParameters } from '../single-parameters.ts';
import { identifierOf } from '../xapi/agent.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import { type DocumentKindName, kindNames, kindOf } from './kind-names.ts';
import type { CountedListQuery, DocumentListQuery, ListQuery } from './types.ts';

const mostEntries = 1000;
const usualEntries = 100;
const longestSearch = 200;

interface ListParameters {
  readonly limit: number;
  readonly search: string;
  readonly from?: string;
}

const list = {
  search: textWithoutNul
    .allow('')
    .max(longestSearch)
    .default('')
    .description('Only what holds this text; ASCII letters count in any case.'),
  limit: Joi.number()
    .integer()
    .min(1)
    .max(mostEntries)
    .default(usualEntries)
    .description('Most entries on a page.'),
  from: Joi.string()
    .pattern(/^[0-9a-f]{32}$/)
    .messages({ 'string.pattern.base': '{#label} must come from the member more of an answer' })
    .description('Where a page continues; it comes from `more`.'),
};

interface CountedListParameters extends ListParameters {
  readonly role?: string;
}

/** The query parameters of `GET /admin/agents`. */
export const agentListParameters = Joi.object<CountedListParameters>({
  role: Joi.string()
    .valid('actor')
    .description('With `actor` only those that are Actors of statements: those that `actor-count` counts.'),
  ...list,
});

/** Those of `GET /admin/activities`. */
export const activityListParameters = Joi.object<CountedListParameters>({
  role: Joi.string()
    .valid('object')
    .description(
      'With `object` only those that are Objects of statements: those that `activity-count` counts.',
    ),
  ...list,
});

interface DocumentListParameters extends ListParameters {
  readonly kind?: DocumentKindName;
  readonly agent?: string;
  readonly activityId?: string;
}

/** Those of `GET /admin/documents`. */
export const documentListParameters = Joi.object<DocumentListParameters>({
  kind: Joi.string()
    .valid(...Object.values(kindNames))
    .description('Only documents of this kind.'),
  agent: agent.description('Only those of this Agent or identified Group, as JSON.'),
  activityId: iri.description('Only those of the Activity with this id.'),
  ...list,
});

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readAgentListParameters(query: URLSearchParams): CountedListQuery {
  return countedListQuery(agentListParameters, query);
}

/** @throws InvalidError as above. */
export function readActivityListParameters(query: URLSearchParams): CountedListQuery {
  return countedListQuery(activityListParameters, query);
}

function countedListQuery(
  schema: Joi.ObjectSchema<CountedListParameters>,
  query: URLSearchParams,
): CountedListQuery {
  const { role, ...rest } = checked(schema, adminParameters(query, ['role', ...Object.keys(list)]));
  return { ...listQuery(rest), isCounted: role !== undefined };
}

/** @throws InvalidError as above. */
export function readDocumentListParameters(query: URLSearchParams): DocumentListQuery {
  const known = ['kind', 'agent', 'activityId', ...Object.keys(list)];
  const { kind, agent, activityId, ...rest } = checked(documentListParameters, adminParameters(query, known));
  return {
    ...listQuery(rest),
    kind: kindOf(kind),
    agent: agent === undefined ? undefined : identifierOf(parseAgentParameter(agent, { allowGroup: true })),
    activity: activityId,
  };
}

function listQuery({ limit, search, from }: ListParameters): ListQuery {
  return { limit, search: search === '' ? undefined : search, after: from };
}

/** The query string of the next page: that of this one, but it continues elsewhere. */
export function nextListPage(query: URLSearchParams, next: string): string {
  const following = new URLSearchParams(query);
  following.set('from', next);
  return following.toString();
}
