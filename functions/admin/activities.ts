import { nextListPage, readActivityListParameters } from '../../lib/directory/parameters.ts';
import type { KnownActivity } from '../../lib/directory/types.ts';
import type { AdminCall } from '../../lib/http/call.ts';
import { adminDoor, type Handler, type Open } from '../../lib/http/door.ts';
import { noteList } from '../../lib/http/operator-notes.ts';
import { jsonText } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The Activities that are known. */
export function activityListDoors(open: Open): Record<'listActivities', Handler> {
  return { listActivities: adminDoor(open, listActivities, { note: noteList }) };
}

async function listActivities(call: AdminCall): Promise<HttpResponse> {
  const { lrs, query, externalPath } = call;
  const { entries, next } = await lrs.directory.activities(readActivityListParameters(query));
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
