import type { RawRequest } from '../../lib/http/gateways/gateway.ts';
import { type GatewayResult, readGatewayEvent } from '../../lib/http/gateways/index.ts';
import { forLambda } from '../../lib/http/gateways/lambda-result.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { writeToStandardError } from '../../lib/logger.ts';
import { maintenanceRouter } from '../ops/maintenance.ts';
import { preflightHandlers } from '../ops/preflight.ts';
import { unroutedHandlers } from '../ops/unrouted.ts';
import { createRouter, type Handlers, type Router } from '../router.ts';
import { xapiPrefix } from '../routes.ts';
import { abandonUnfinished, configured } from './runtime.ts';

/**
 * The handler of a function that several endpoints share: each has a handler of its own, found by method and path. OPTIONS and
 * paths that no endpoint has are answered too.
 * @param before the answer goes out, this is awaited.
 */
export function groupHandler(
  endpoints: Partial<Handlers>,
  before?: (request: RawRequest, result: GatewayResult) => Promise<void>,
): Handler {
  const handlers = { ...endpoints, ...preflightHandlers(configured), ...unroutedHandlers(configured) };
  let router: Router | undefined;
  return forLambda(async (event, context) => {
    router ??= await observedRouter(handlers);
    const { request } = readGatewayEvent(event);
    const result = await router(request.method, request.path)(event, context);
    await before?.(request, result);
    return result;
  }, abandonUnfinished);
}

async function observedRouter(handlers: Parameters<typeof createRouter>[0]): Promise<Router> {
  await startMeasuring();
  return (await routerInMaintenance()) ?? createRouter(handlers, await urlPrefix());
}

/** Before the router is made, because it observes its handlers only where something is measured. */
async function startMeasuring(): Promise<void> {
  const telemetry = await configured().then(
    ({ config }) => config.telemetry,
    () => undefined,
  );
  if (telemetry?.enableEmf !== true) return;
  const { startEmf } = await import('../../lib/telemetry/emf.ts');
  startEmf(telemetry.emfNamespace, writeToStandardError);
}

/** What answers instead of all endpoints while there is maintenance. */
async function routerInMaintenance(): Promise<Router | undefined> {
  const message = await configured().then(
    ({ config }) => config.webserver.maintenanceMessage,
    () => null,
  );
  return message === null ? undefined : maintenanceRouter(configured, message);
}

/** Of a configuration that can't be read every handler tells what is wrong with it, whatever the path. */
export async function urlPrefix(): Promise<string> {
  return configured().then(
    ({ config }) => config.webserver.urlPrefix,
    () => xapiPrefix,
  );
}
