import { kindNames } from '../../lib/browse/kind-names.ts';
import type { KnownDocument } from '../../lib/browse/types.ts';
import { documentKinds } from '../../lib/documents/kinds.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { agentOf } from '../../lib/xapi/agent.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const parameterReaders = () => import('../../lib/browse/parameters.ts');

/** The documents that there are, without their contents. */
export function documentListHandlers(open: Open): Record<'listDocuments', Handler> {
  return { listDocuments: adminHandler(open, listDocuments, { note: noteList }) };
}

async function listDocuments(call: AdminCall): Promise<HttpResponse> {
  const { lrs, query, externalPath } = call;
  const { nextListPage, readDocumentListParameters } = await parameterReaders();
  const { entries, next } = await lrs.browse.documents(readDocumentListParameters(query));
  call.counts = () => ({ documents: entries.length });
  const more = next === undefined ? '' : `${externalPath}?${nextListPage(query, next)}`;
  return json(200, { documents: entries.map(presented), more });
}

/** Its parameters under the names that the document resources have for them, and what their headers say. */
function presented(document: KnownDocument): object {
  const { kind, activity, agent, registration, id, contentType, length, etag, updated } = document;
  return {
    kind: kindNames[kind],
    ...(activity !== null && { activityId: activity }),
    ...(agent !== null && { agent: agentOf(agent) }),
    ...(registration !== null && { registration }),
    [documentKinds[kind].id]: id,
    contentType,
    length,
    updated: new Date(updated / 1000).toISOString(),
    etag: `"${etag}"`,
  };
}
