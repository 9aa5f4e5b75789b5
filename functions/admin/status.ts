import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** What the store holds, in numbers. */
export function statusHandlers(open: Open): Record<'getStatus', Handler> {
  const setting = { feature: 'The status', setting: 'webserver.enableAdminStatus' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminStatus, setting)];
  return { getStatus: adminViewHandler(open, getStatus, { first }) };
}

async function getStatus({ lrs, query }: AdminCall): Promise<HttpResponse> {
  // Loaded with the first request, as elsewhere.
  const { readStatusParameters } = await import('../../lib/status/parameters.ts');
  const asked = readStatusParameters(query, { ofDefaultStore: lrs.config.store === undefined });
  return json(200, await lrs.status.status(asked));
}
