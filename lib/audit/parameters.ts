import Joi from 'joi';
import { checked } from '../schema.ts';
import { adminParameters } from '../single-parameters.ts';
import { identifierOf } from '../xapi/agent.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import { type AuditKind, type AuditPlace, type AuditQuery, auditKinds } from './types.ts';

const mostEvents = 1000;
const usualEvents = 100;

const cursor = /^(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

interface AuditParameters {
  readonly kind?: AuditKind;
  readonly username?: string;
  readonly agent?: string;
  readonly limit: number;
  readonly from?: string;
}

const parameters = {
  kind: Joi.string()
    .valid(...auditKinds)
    .description('Only events of this kind.'),
  username: Joi.string().max(255).description('Only events of the account with this name.'),
  agent: Joi.string().description('Only events about this Agent or identified Group, as JSON.'),
  limit: Joi.number()
    .integer()
    .min(1)
    .max(mostEvents)
    .default(usualEvents)
    .description('Most events on a page.'),
  from: Joi.string()
    .pattern(cursor)
    .messages({ 'string.pattern.base': '{#label} must come from the member more of an answer' })
    .description('Where a page continues; it comes from `more`.'),
};

/** The query parameters of `GET /admin/audit`. */
export const auditParametersSchema = Joi.object<AuditParameters>(parameters);

/** @throws InvalidError for a parameter that is not known, occurs twice or does not fit. */
export function readAuditParameters(query: URLSearchParams): AuditQuery {
  const given = adminParameters(query, Object.keys(parameters));
  const { limit, from, kind, username, agent } = checked(auditParametersSchema, given);
  const [, at, id = ''] = cursor.exec(from ?? '') ?? [];
  return {
    limit,
    before: at === undefined ? undefined : { at: Number(at), id },
    kind,
    username,
    agent: agent === undefined ? undefined : identifierOf(parseAgentParameter(agent, { allowGroup: true })),
  };
}

/** The query string of the next page: that of this one, but it continues elsewhere. */
export function nextAuditPage(query: URLSearchParams, { at, id }: AuditPlace): string {
  const following = new URLSearchParams(query);
  following.set('from', `${at}-${id}`);
  return following.toString();
}
