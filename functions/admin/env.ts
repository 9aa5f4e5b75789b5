import type { Call } from '../../lib/http/call.ts';
import { type Handler, type Open, openDoor } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The settings that a client of the administration goes by. */
export function envDoors(open: Open): Record<'getEnv', Handler> {
  return { getEnv: openDoor(open, getEnv) };
}

async function getEnv({ lrs }: Call): Promise<HttpResponse> {
  const { webserver, lrs: settings } = lrs.config;
  return json(200, {
    'url-prefix': webserver.urlPrefix,
    'proxy-path': webserver.proxyPath,
    'no-val?': webserver.jwtNoVal,
    'stmt-get-max': settings.stmtGetMax,
    'supported-versions': settings.supportedVersions,
  });
}
