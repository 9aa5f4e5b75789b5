import Joi from 'joi';
import { InvalidError } from '../errors.ts';
import { agent, iri, timestamp, uuid } from '../parameters.ts';
import { checked } from '../schema.ts';
import { singleParameters } from '../single-parameters.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { Position, StatementFormat, StatementQuery } from './types.ts';

const section = 'xAPI 1.0.3 Communication 2.1.3';

export interface PageLimits {
  /** Page size when none is asked for. */
  readonly stmtGetDefault: number;
  /** Largest page size. */
  readonly stmtGetMax: number;
}

/** The parameters of a GET of the statement resource, parsed. */
export type StatementSelection = {
  readonly format: StatementFormat;
  readonly attachments: boolean;
} & ({ readonly id: string; readonly voided: boolean } | { readonly filter: StatementQuery });

/** The parameters after validation by the schema. */
interface Parameters {
  readonly statementId?: string;
  readonly voidedStatementId?: string;
  readonly agent?: string;
  readonly verb?: string;
  readonly activity?: string;
  readonly registration?: string;
  readonly related_agents: boolean;
  readonly related_activities: boolean;
  readonly since?: Position;
  readonly until?: Position;
  readonly limit?: number;
  readonly format: StatementFormat;
  readonly attachments: boolean;
  readonly ascending: boolean;
  readonly from?: Position;
}

/** Joi alone would accept ` true`, too. */
const boolean = Joi.boolean()
  .sensitive()
  .custom((value: boolean, helpers) =>
    helpers.original === String(value) ? value : helpers.error('boolean.base'),
  );

/** Our cursor: the position after which the next page starts. */
const cursor = Joi.string()
  .pattern(/^\d{1,16}$/)
  .message('{#label} must be taken from a more link')
  .custom(Number);

const limit = Joi.string()
  .pattern(/^\d+$/)
  .message('{#label} must be a whole number, 0 or more')
  .custom((value: string) => Math.min(Number(value), Number.MAX_SAFE_INTEGER));

/** The parameters of GET and HEAD. */
export const statementParameters = Joi.object<Parameters>({
  statementId: uuid.description('The one statement with this id, unless it is voided.'),
  voidedStatementId: uuid.description('The one voided statement with this id.'),
  agent: agent.description('Statements whose Actor or Object is this Agent or identified Group, as JSON.'),
  verb: iri.description('Statements with this Verb.'),
  activity: iri.description('Statements whose Object is this Activity.'),
  registration: uuid.description('Statements of this registration.'),
  related_agents: boolean
    .default(false)
    .description('Whether `agent` is looked for in every role, SubStatements included.'),
  related_activities: boolean
    .default(false)
    .description('Whether `activity` is looked for in every role, SubStatements included.'),
  since: timestamp.description('Statements stored after this time.'),
  until: timestamp.description('Statements stored at or before this time.'),
  limit: limit.description('The most statements of a page; 0 asks for as many as the server gives.'),
  format: Joi.string()
    .valid('exact', 'ids', 'canonical')
    .default('exact')
    .description(
      'Statements as they came (`exact`), identifiers only (`ids`), or with the definition that the LRS has merged for each Activity and one language in each map (`canonical`).',
    ),
  attachments: boolean
    .default(false)
    .description('Whether the answer is multipart/mixed and brings the data of attachments.'),
  ascending: boolean.default(false).description('Whether the oldest come first.'),
  from: cursor.description('Where a page begins; taken from a `more` link.'),
}).messages({
  'boolean.base': '{#label} must be true or false',
  'string.empty': '{#label} must not be empty',
});

export const statementParameterNames: readonly string[] = Object.keys(statementParameters.describe().keys);
const beside = ['format', 'attachments'];

/**
 * The parameters of GET and HEAD, checked and complete.
 * @throws InvalidError for names that differ in case, are unknown, occur twice or don't go together, and for values that break their rule.
 */
export function readStatementParameters(query: URLSearchParams, limits: PageLimits): StatementSelection {
  const { statementId, voidedStatementId, ...parameters } = checked(
    statementParameters,
    singleParameters(query, statementParameterNames),
    section,
  );
  const { format, attachments } = parameters;
  const id = statementId ?? voidedStatementId;
  if (id === undefined) return { format, attachments, filter: filterOf(parameters, limits) };
  const voided = statementId === undefined;
  refuseOthers(query, voided ? 'voidedStatementId' : 'statementId');
  return { format, attachments, id, voided };
}

/** The `statementId` of a PUT, which has no other parameter (xAPI 1.0.3 Communication 2.1.1). */
export function readPutParameters(query: URLSearchParams): string {
  const parameters = singleParameters(query, ['statementId']);
  return checked(statementPutParameters, parameters, 'xAPI 1.0.3 Communication 2.1.1').statementId;
}

/** The parameters of PUT. */
export const statementPutParameters = Joi.object<{ statementId: string }>({
  statementId: uuid.required().description('The id of the statement.'),
});

/** A request for a single statement has one id and no filter. */
function refuseOthers(query: URLSearchParams, id: string): void {
  const wrong = [...query.keys()].find((name) => name !== id && !beside.includes(name));
  if (wrong !== undefined) {
    const message = `is not permitted beside ${id}, as only ${beside.join(' and ')} are`;
    throw new InvalidError(`The parameter ${wrong} ${message} (${section}).`, {
      details: [{ path: wrong, message, section }],
    });
  }
}

function filterOf(
  parameters: Omit<Parameters, 'statementId' | 'voidedStatementId'>,
  limits: PageLimits,
): StatementQuery {
  const { agent, related_agents, related_activities, limit, format, attachments, ...filter } = parameters;
  return {
    ...filter,
    ...(agent !== undefined && { agent: parseAgentParameter(agent, { allowGroup: true }) }),
    relatedAgents: related_agents,
    relatedActivities: related_activities,
    limit: pageSize(limit, limits),
  };
}

/** 0 means the server's maximum; larger values are reduced to it. */
function pageSize(asked: number | undefined, { stmtGetDefault, stmtGetMax }: PageLimits): number {
  if (asked === 0) return stmtGetMax;
  return Math.min(asked ?? stmtGetDefault, stmtGetMax);
}
