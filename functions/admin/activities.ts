import type { KnownActivity } from '../../lib/browse/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { jsonText } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Loaded with the first request that needs them: what checks requests takes a function as long as all the rest. */
const parameterReaders = () => import('../../lib/browse/parameters.ts');

/** The Activities that are known. */
export function activityListHandlers(open: Open): Record<'listActivities', Handler> {
  return { listActivities: adminHandler(open, listActivities, { note: noteList }) };
}

async function listActivities(call: AdminCall): Promise<HttpResponse> {
  const { lrs, query, externalPath } = call;
  const { nextListPage, readActivityListParameters } = await parameterReaders();
  const { entries, next } = await lrs.browse.activities(readActivityListParameters(query));
  call.counts = () => ({ activities: entries.length });
  const more = next === undefined ? '' : `${externalPath}?${nextListPage(query, next)}`;
  return jsonText(200, `{"activities":[${entries.map(presented).join(',')}],"more":${JSON.stringify(more)}}`);
}

/** As text, because numbers in definitions stay as they were written. */
function presented({ id, definition, statements }: KnownActivity): string {
  const known = definition === undefined ? '' : `,"definition":${definition}`;
  const counted = statements === undefined ? '' : `,"statements":${statements}`;
  return `{"id":${JSON.stringify(id)}${known}${counted}}`;
}
