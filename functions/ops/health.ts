import type { Call, OpenCall } from '../../lib/http/call.ts';
import { type Handler, type Open, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** Whether this process is up, and whether it can serve: its database may be away for a while. */
export function healthHandlers(
  open: Open,
  configured: OpenConfigured,
): Record<'getHealth' | 'getReadiness', Handler> {
  return { getHealth: openHandler(configured, getHealth), getReadiness: openHandler(open, getReadiness) };
}

/** Whether this process is up, whichever store is asked. */
export const processHealthHandler = (configured: OpenConfigured): Handler =>
  openHandler(configured, getHealth, { forAllStores: true });

async function getHealth(_: OpenCall): Promise<HttpResponse> {
  return json(200, { status: 'ok' });
}

async function getReadiness({ lrs }: Call): Promise<HttpResponse> {
  await lrs.readiness.check();
  return json(200, { status: 'ready' });
}
