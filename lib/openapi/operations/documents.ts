import { documentKinds } from '../../documents/kinds.ts';
import { documentParameters } from '../../documents/parameters.ts';
import type { DocumentKind } from '../../documents/types.ts';
import { json } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { Tag } from '../tags.ts';
import type { Content, Example, Operation, Parameter } from '../types.ts';
import { conditionHeaders, operatorHeader, unlessKnownHeader, versionHeader } from './headers.ts';

const version = { 'X-Experience-API-Version': '1.0.3' };
const agent = JSON.stringify({ mbox: 'mailto:ann@example.org' });
const activityId = 'https://example.org/courses/first-steps';
const page = { page: 3 };
const merged = { page: 3, note: 'a good start' };

/** Content of any type; JSON where it is announced as JSON. */
const anyContent: Content = { 'application/json': {}, '*/*': {} };

interface Resource {
  readonly kind: DocumentKind;
  readonly tag: Tag;
  /** The parameters that name the document of the examples. */
  readonly named: Readonly<Record<string, string>>;
  readonly owner: Readonly<Record<string, string>>;
  readonly id: string;
}

const state = resource('activities/state', 'State', { activityId, agent });
const agentProfile = resource('agents/profile', 'Agent profiles', { agent });
const activityProfile = resource('activities/profile', 'Activity profiles', { activityId });

/** State, Agent Profile and Activity Profile documents (xAPI 1.0.3 Communication 2.3, 2.6 and 2.7). */
export const documentOperations = {
  getState: reading(state),
  putState: putting(state),
  postState: merging(state),
  deleteState: deleting(state),
  getAgentProfile: reading(agentProfile),
  putAgentProfile: putting(agentProfile),
  postAgentProfile: merging(agentProfile),
  deleteAgentProfile: deleting(agentProfile),
  getActivityProfile: reading(activityProfile),
  putActivityProfile: putting(activityProfile),
  postActivityProfile: merging(activityProfile),
  deleteActivityProfile: deleting(activityProfile),
};

function resource(kind: DocumentKind, tag: Tag, owner: Readonly<Record<string, string>>): Resource {
  const id = 'bookmark';
  return { kind, tag, owner, id, named: { ...owner, [documentKinds[kind].id]: id } };
}

function reading({ kind, tag, named, owner, id }: Resource): Operation {
  return {
    tag,
    summary: 'Read a document, or list ids',
    description: `Without \`${documentKinds[kind].id}\` the answer is the list of ids.`,
    parameters: [
      versionHeader,
      operatorHeader,
      unlessKnownHeader,
      ...queryParameters(documentParameters[kind].ids),
      idOf(kind),
    ],
    answers: {
      200: {
        description: 'The document, or a list of ids in JSON.',
        content: anyContent,
        headers: { ETag: 'Compare it in `If-Match`.', 'Last-Modified': 'When it was stored.' },
      },
      304: { description: 'The copy of the client is still good.' },
    },
    errors: ['not-found'],
    examples: {
      document: {
        summary: 'One document',
        parameters: { ...version, ...named },
        status: 200,
        answer: json(merged),
      },
      ids: {
        summary: 'The ids of all documents',
        parameters: { ...version, ...owner },
        status: 200,
        answer: json([id]),
      },
    },
  };
}

function putting({ kind, tag, named }: Resource): Operation {
  const profile = kind !== 'activities/state';
  return writing(kind, tag, {
    summary: 'Store a document',
    description: profile
      ? 'Needs `If-Match` or `If-None-Match` in xAPI 1.0.3; in 2.0.0 an existing document is replaced only with one of them.'
      : 'In xAPI 2.0.0 an existing document is replaced only with `If-Match` or `If-None-Match`.',
    example: {
      summary: 'A document in JSON',
      parameters: { ...version, ...named, ...(profile && { 'If-None-Match': '*' }) },
      body: json(page),
      status: 204,
    },
  });
}

function merging({ kind, tag, named }: Resource): Operation {
  return writing(kind, tag, {
    summary: 'Merge into a document',
    description: 'Both have to be JSON objects; members of the new one replace those of the stored one.',
    example: {
      summary: 'One more member',
      parameters: { ...version, ...named },
      body: json({ note: merged.note }),
      status: 204,
    },
  });
}

interface Writing {
  readonly summary: string;
  readonly description: string;
  readonly example: Example;
}

function writing(kind: DocumentKind, tag: Tag, { summary, description, example }: Writing): Operation {
  return {
    tag,
    summary,
    description,
    parameters: [
      versionHeader,
      operatorHeader,
      ...conditionHeaders,
      ...queryParameters(documentParameters[kind].one),
    ],
    body: anyContent,
    answers: { 204: { description: 'The document is stored.' } },
    errors: ['conflict', 'precondition-failed'],
    examples: { document: example },
  };
}

function deleting({ kind, tag, named }: Resource): Operation {
  const { deletesMany, id } = documentKinds[kind];
  const query = deletesMany
    ? [...queryParameters(documentParameters[kind].all), idOf(kind)]
    : queryParameters(documentParameters[kind].one);
  return {
    tag,
    summary: deletesMany ? 'Delete a document, or all' : 'Delete a document',
    ...(deletesMany && { description: `Without \`${id}\` all documents of the owner are deleted.` }),
    parameters: [versionHeader, operatorHeader, ...conditionHeaders, ...query],
    answers: { 204: { description: 'There is no such document any more.' } },
    errors: ['precondition-failed'],
    examples: { document: { summary: 'One document', parameters: { ...version, ...named }, status: 204 } },
  };
}

/** The parameter that names the document, where it may be left out. */
function idOf(kind: DocumentKind): Parameter {
  const { id } = documentKinds[kind];
  const [parameter] = queryParameters(documentParameters[kind].one).filter(({ name }) => name === id);
  if (parameter === undefined) throw new Error(`${kind} has no parameter ${id}.`);
  return { ...parameter, required: false };
}
