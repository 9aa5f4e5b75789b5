import type { Handler } from '../lib/http/door.ts';
import { decodePath } from '../lib/http/encoding.ts';
import {
  type HandlerName,
  preflightHandler,
  type Route,
  routes,
  unroutedHandler,
  xapiPrefix,
} from './routes.ts';

/** All handlers, by the names that the route table gives them. */
export type Handlers = Readonly<Record<HandlerName, Handler>>;

/** The handler of a request; the path is percent-encoded and without a query. There is always one. */
export type Router = (method: string, path: string) => Handler;

/** Routes requests of the Node adapter, where no gateway does it. */
export function createRouter(handlers: Handlers, urlPrefix: string): Router {
  const table = new Map<string, Handler>();
  for (const route of routes) table.set(key(route.method, placed(route, urlPrefix)), handlers[route.handler]);
  const preflight = handlers[preflightHandler];
  const unrouted = handlers[unroutedHandler];
  return (method, path) => {
    if (method === 'OPTIONS') return preflight;
    return (
      table.get(key(method, path)) ??
      ((path.includes('%') && table.get(key(method, decoded(path)))) || unrouted)
    );
  };
}

/** The methods of the routes at a path, OPTIONS with them; none when there is no route. */
export function methodsOf(path: string, urlPrefix: string): string[] {
  const methods = routes.filter((route) => placed(route, urlPrefix) === path).map(({ method }) => method);
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The path of a route under the configured prefix. */
export function placed({ path }: Route, urlPrefix: string): string {
  return path.startsWith(`${xapiPrefix}/`) ? urlPrefix + path.slice(xapiPrefix.length) : path;
}

function key(method: string, path: string): string {
  return `${method} ${path}`;
}

/** A path that can't be decoded is no route's; the door that answers then says what is wrong with it. */
function decoded(path: string): string {
  try {
    return decodePath(path);
  } catch {
    return '';
  }
}
