import type { AdminCall } from '../../lib/http/call.ts';
import { adminViewHandler, type Handler, type Open } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { placed } from '../router.ts';
import { routes } from '../routes.ts';

/** The description of every route, for programs that generate clients and for people who try calls. */
export function openApiHandlers(open: Open): Record<'getOpenApi', Handler> {
  return { getOpenApi: adminViewHandler(open, getOpenApi) };
}

async function getOpenApi({ lrs, path, externalPath }: AdminCall): Promise<HttpResponse> {
  const { webserver, store } = lrs.config;
  const { urlPrefix, proxyPath } = webserver;
  // Made when it is asked for: its schemas take longer than all other requests of a new process.
  const { openApiDocument } = await import('../../lib/openapi/document.ts');
  const { loadOperations } = await import('../../lib/openapi/operations/operations.ts');
  const operations = await loadOperations();
  const document = openApiDocument({
    routes: routes
      .filter(({ handler }) => store === undefined || !ofDefaultStore.includes(operations[handler].tag))
      .map((route) => ({ ...route, path: placed(route, urlPrefix) })),
    operations,
    server: (proxyPath ?? '') + stageOf(externalPath, path),
    version: packageJson.version,
  });
  return json(200, document);
}

/** The groups of operations that the other stores do not have. */
const ofDefaultStore: readonly string[] = ['Stores'];

/** What a gateway has put before the path. */
function stageOf(externalPath: string, path: string): string {
  return externalPath.endsWith(path) ? externalPath.slice(0, -path.length) : '';
}
