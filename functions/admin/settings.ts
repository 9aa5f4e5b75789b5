import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** What runs here, and how it is set up. */
export function settingsHandlers(open: Open): Record<'getSettings', Handler> {
  return { getSettings: adminViewHandler(open, getSettings) };
}

async function getSettings({ lrs }: AdminCall): Promise<HttpResponse> {
  return json(200, { version: packageJson.version, ...(await lrs.settings.describe()) });
}
