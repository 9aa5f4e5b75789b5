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
  for (const route of routes)
    table.set(key(route.method, general(placed(route, urlPrefix))), handlers[route.handler]);
  const preflight = handlers[preflightHandler];
  const unrouted = handlers[unroutedHandler];
  const find = (method: string, path: string): Handler | undefined =>
    table.get(key(method, path)) ?? table.get(key(method, withAnyEnd(path)));
  return (method, path) => {
    if (method === 'OPTIONS') return preflight;
    return find(method, path) ?? ((path.includes('%') && find(method, decoded(path))) || unrouted);
  };
}

/** The methods of the routes at a path, OPTIONS with them; none when there is no route. */
export function methodsOf(path: string, urlPrefix: string): string[] {
  const places = [path, withAnyEnd(path)];
  const methods = routes
    .filter((route) => places.includes(general(placed(route, urlPrefix))))
    .map(({ method }) => method);
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The path of a route under the configured prefix. */
export function placed({ path }: Route, urlPrefix: string): string {
  return path.startsWith(`${xapiPrefix}/`) ? urlPrefix + path.slice(xapiPrefix.length) : path;
}

/** The path of a route as the table has it: a parameter at its end has no name there. */
function general(path: string): string {
  return path.endsWith('}') ? withAnyEnd(path) : path;
}

/** The path with any other last segment; one that ends in a slash has none. */
function withAnyEnd(path: string): string {
  return path.endsWith('/') ? path : `${path.slice(0, path.lastIndexOf('/') + 1)}{}`;
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
