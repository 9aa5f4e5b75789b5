import { components } from './components.ts';
import { operationObject } from './operation.ts';
import { tags } from './tags.ts';
import type { DescribedRoute, Operation } from './types.ts';
import { alternateOperation, headOperation } from './variants.ts';

export interface Description<Handler extends string> {
  readonly routes: readonly DescribedRoute<Handler>[];
  readonly operations: Readonly<Record<Handler, Operation>>;
  /** What stands before all paths, e.g. a gateway's stage; empty where there is nothing. */
  readonly server: string;
  /** The release. */
  readonly version: string;
}

const introduction = `A Learning Record Store for xAPI 1.0.3 and 2.0.0, and its administration.

Every answer of 400 and above is a JSON object with a text in \`error\`, a stable \`code\` and, where it helps, \`details\`. Unknown paths are answered with 404, other methods with 405 and the header \`Allow\`. OPTIONS answers on every path what a page of another origin may send.`;

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument<Handler extends string>(description: Description<Handler>): object {
  const { routes, operations, server, version } = description;
  const ids = new Set<string>();
  const used = new Set<string>(routes.map(({ handler }) => operations[handler].tag));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operation = variantOf(route, operations[route.handler]);
    if (hasSlashAtEnd(route.path)) continue;
    const id = newId(route, ids);
    ids.add(id);
    // The format has no parameter of several segments.
    const path = route.path.replace('+}', '}');
    paths[path] ??= {};
    Object.assign(paths[path] ?? {}, {
      [route.method.toLowerCase()]: operationObject({ id, access: route.access, operation }),
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'serverless-lrs',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server === '' ? '/' : server }],
    tags: Object.entries(tags).flatMap(([name, meaning]) =>
      used.has(name) ? [{ name, description: meaning }] : [],
    ),
    paths,
    components,
  };
}

/** Whether the path is a second one of a route that stands without the slash too; clients need only one. */
function hasSlashAtEnd(path: string): boolean {
  return path !== '/' && path.endsWith('/');
}

/** The name of the handler; where that is taken, with the method behind it, and a number if need be. */
function newId({ handler, method }: DescribedRoute<string>, taken: ReadonlySet<string>): string {
  if (!taken.has(handler)) return handler;
  let id = handler + method;
  for (let number = 2; taken.has(id); number += 1) id = handler + method + number;
  return id;
}

/** A handler answers HEAD as it answers GET, and a read may come as a form. */
function variantOf({ method, handler }: DescribedRoute<string>, operation: Operation): Operation {
  if (method === 'HEAD') return headOperation(operation);
  return method === 'POST' && handler.startsWith('get') ? alternateOperation(operation) : operation;
}
