import { MaintenanceError } from '../../lib/errors.ts';
import type { OpenCall } from '../../lib/http/call.ts';
import { errorResponse } from '../../lib/http/error-response.ts';
import { type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { html } from '../../lib/http/html/escape.ts';
import { headersUnderPrefix } from '../../lib/http/steps/headers-under-prefix.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import type { Router } from '../router.ts';
import { processHealthHandler } from './health.ts';

const healthPath = '/health';

/** Answers every request, whichever store it is for, but that for the health of the process with what the operator says; the database is not asked. */
export function maintenanceRouter(configured: OpenConfigured, message: string): Router {
  const answer = async (call: OpenCall): Promise<HttpResponse> => maintenanceAnswer(call, message);
  const maintenance = openHandler(configured, answer, { version: headersUnderPrefix(), forAllStores: true });
  const getHealth = processHealthHandler(configured);
  return (method, path) =>
    path === healthPath && (method === 'GET' || method === 'HEAD') ? getHealth : maintenance;
}

/** A page for browsers, else an error like all others. */
function maintenanceAnswer({ headers }: OpenCall, message: string): HttpResponse {
  const response = errorResponse(new MaintenanceError(message));
  if (!/^text\/html\b/i.test(headers.accept ?? '')) return response;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Maintenance</title></head><body><main><h1>Maintenance</h1><p>${message}</p></main></body></html>
`;
  return {
    ...response,
    headers: { ...response.headers, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' },
    body: page.html,
  };
}
