import Joi from 'joi';
import { agent as agentText, iri, textWithoutNul, timestamp, uuid } from '../parameters.ts';
import { checked } from '../schema.ts';
import { singleParameters } from '../single-parameters.ts';
import { identifierOf } from '../xapi/agent.ts';
import { parseAgentParameter } from '../xapi/agent-parameter.ts';
import type { XapiVersion } from '../xapi/types.ts';
import { type DocumentKindRules, documentKinds, type OwnerParameter } from './kinds.ts';
import type { DocumentAddress, DocumentCollection, DocumentKind } from './types.ts';

/** The query of a request for documents. */
export interface DocumentQuery {
  readonly kind: DocumentKind;
  readonly query: URLSearchParams;
  readonly version: XapiVersion;
}

/** What a GET or DELETE speaks of: one document, or all of an owner. */
export type DocumentSelection =
  | { readonly address: DocumentAddress }
  | { readonly collection: DocumentCollection; readonly since: number | undefined };

/** The parameters as the schemas leave them. */
type Parameters = Readonly<Partial<Record<OwnerParameter | 'stateId' | 'profileId', string>>> & {
  readonly since?: number;
};

const ownerSchemas: Readonly<Record<OwnerParameter, Joi.Schema>> = {
  activityId: iri.required().description('The id of the Activity that the document belongs to.'),
  agent: agentText
    .required()
    .description('The Agent (2.0.0: or identified Group) that it belongs to, as JSON.'),
  registration: uuid.description('The registration that it belongs to.'),
};

/** The parameters for one document, for the ids of an owner, and for all documents of one. */
export const documentParameters = {
  'activities/state': schemasOf(documentKinds['activities/state']),
  'agents/profile': schemasOf(documentKinds['agents/profile']),
  'activities/profile': schemasOf(documentKinds['activities/profile']),
};

/** For one document and for many. */
function schemasOf({ owner, id }: DocumentKindRules) {
  const common = Object.fromEntries(owner.map((name) => [name, ownerSchemas[name]]));
  const schema = (rest: Joi.SchemaMap) =>
    Joi.object<Parameters>({ ...common, ...rest }).messages({
      'any.unknown': `{#label} goes only with a GET of ids, which has no ${id}`,
      'string.empty': '{#label} must not be empty',
    });
  const refused = Joi.forbidden();
  return {
    one: schema({ [id]: textWithoutNul.required().description('The id of the document.'), since: refused }),
    ids: schema({ since: timestamp.description('Only ids of documents that were stored after this time.') }),
    all: schema({ since: refused }),
  };
}

/** The document of a PUT or POST. @throws InvalidError for parameters that are missing, unknown or break their rule. */
export function readAddress(request: DocumentQuery): DocumentAddress {
  const parameters = read(request, 'one');
  // The schema has seen to it that the parameter is there.
  const id = parameters[documentKinds[request.kind].id] ?? '';
  return { ...collectionOf(request, parameters), id };
}

/** One document when the id is given, else ids. @throws InvalidError as above. */
export function readGetParameters(request: DocumentQuery): DocumentSelection {
  if (namesOne(request)) return { address: readAddress(request) };
  const parameters = read(request, 'ids');
  return { collection: collectionOf(request, parameters), since: parameters.since };
}

/** One document when the id is given, else, where the resource permits it, all. @throws InvalidError as above. */
export function readDeleteParameters(request: DocumentQuery): DocumentSelection {
  if (namesOne(request) || !documentKinds[request.kind].deletesMany) return { address: readAddress(request) };
  return { collection: collectionOf(request, read(request, 'all')), since: undefined };
}

function namesOne({ kind, query }: DocumentQuery): boolean {
  return query.has(documentKinds[kind].id);
}

function read({ kind, query }: DocumentQuery, what: 'one' | 'ids' | 'all'): Parameters {
  const { owner, id, section } = documentKinds[kind];
  const parameters = singleParameters(query, [...owner, id, 'since']);
  return checked(documentParameters[kind][what], parameters, section);
}

function collectionOf({ kind, version }: DocumentQuery, parameters: Parameters): DocumentCollection {
  const { activityId: activity, agent, registration } = parameters;
  return {
    kind,
    activity,
    agent: agent === undefined ? undefined : agentOf(agent, version),
    registration,
  };
}

/** 2.0.0 also knows documents of an identified Group; an Agent with the same identifier shares them. */
function agentOf(text: string, version: XapiVersion): string | undefined {
  return identifierOf(parseAgentParameter(text, { allowGroup: version === '2.0.0' }));
}
