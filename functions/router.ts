import type { OpenCall } from '../lib/http/call.ts';
import { decodePath } from '../lib/http/encoding.ts';
import type { Handler } from '../lib/http/handler.ts';
import { observed } from '../lib/http/observed.ts';
import { splitStorePath } from '../lib/stores/address.ts';
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

/** Those that answer what no route answers. */
type CommonHandlers = Pick<Handlers, typeof preflightHandler | typeof unroutedHandler>;

/** How metrics call what no route of the table is for. */
const anyPath = '*';
const anyMethod = '_OTHER';

/** Routes requests where no gateway does it: in the Node adapter, and in a function that several endpoints share. */
export function createRouter(handlers: Partial<Handlers> & CommonHandlers, urlPrefix: string): Router {
  const table = new Map<string, Handler>();
  const below: { readonly method: string; readonly prefix: string; readonly handler: Handler }[] = [];
  for (const route of routes) {
    const { method } = route;
    const path = placed(route, urlPrefix);
    const prefix = prefixOf(path);
    const found = handlers[route.handler];
    if (found === undefined) continue;
    const handler = observed({ method, route: path }, found);
    if (prefix === undefined) table.set(key(method, general(path)), handler);
    else below.push({ method, prefix, handler });
  }
  const preflight = observed({ method: 'OPTIONS', route: anyPath }, handlers[preflightHandler]);
  const unrouted = observed({ method: anyMethod, route: anyPath }, handlers[unroutedHandler]);
  const find = (method: string, path: string): Handler | undefined =>
    table.get(key(method, path)) ??
    table.get(key(method, withAnyEnd(path))) ??
    below.find((each) => each.method === method && path.startsWith(each.prefix))?.handler;
  return (method, fullPath) => {
    if (method === 'OPTIONS') return preflight;
    const { path } = splitStorePath(fullPath);
    return find(method, path) ?? ((path.includes('%') && find(method, decodedPath(path))) || unrouted);
  };
}

/** The methods of the routes at a path, OPTIONS with them; none when there is no route. */
export function methodsOf(path: string, urlPrefix: string): string[] {
  const places = [path, withAnyEnd(path)];
  const methods = routes
    .filter((route) => {
      const routePath = placed(route, urlPrefix);
      const prefix = prefixOf(routePath);
      return prefix === undefined ? places.includes(general(routePath)) : path.startsWith(prefix);
    })
    .map(({ method }) => method);
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** The methods at the path of a call: what every `Allow` names there. */
export function allowedMethods({ path, lrs }: Pick<OpenCall, 'path' | 'lrs'>): string[] {
  return methodsOf(path, lrs.config.webserver.urlPrefix);
}

/** The path of a route under the configured prefix. */
export function placed({ path }: Route, urlPrefix: string): string {
  return path.startsWith(`${xapiPrefix}/`) ? urlPrefix + path.slice(xapiPrefix.length) : path;
}

/** What the paths of a route for any number of segments begin with; undefined of other routes. */
function prefixOf(path: string): string | undefined {
  return path.endsWith('+}') ? path.slice(0, path.lastIndexOf('{')) : undefined;
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

/** A path that can't be decoded is no route's (it becomes empty); the handler that answers then says what is wrong with it. */
export function decodedPath(path: string): string {
  try {
    return decodePath(path);
  } catch {
    return '';
  }
}
