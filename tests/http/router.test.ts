import { describe, expect, it } from 'vitest';
import { createHandlers } from '../../functions/index.ts';
import { createRouter, methodsOf, placed } from '../../functions/router.ts';
import { routes } from '../../functions/routes.ts';
import { callHandler, jsonOf } from '../support/call-handler.ts';
import { basic, standInLrs } from '../support/stand-in-lrs.ts';

const open = standInLrs({ LRS_URL_PREFIX: '/lrs/x' });
const handlers = createHandlers(open);
const route = createRouter(handlers, '/lrs/x');

describe('the router', () => {
  it.each([
    ['GET', '/lrs/x/statements', 'getStatements'],
    ['HEAD', '/lrs/x/statements', 'getStatements'],
    ['PUT', '/lrs/x/state%6dents', 'putStatement'],
    ['GET', '/admin/creds', 'listCredentials'],
    ['GET', '/', 'getScreen'],
    ['GET', '/assets/index-1a2b.js', 'getScreenFile'],
    ['HEAD', '/assets/index%2D1a2b.js', 'getScreenFile'],
    ['GET', '/assets/..%2Findex.html', 'getScreenFile'],
    ['GET', '/admin', 'findScreen'],
    ['GET', '/admin/', 'findScreen'],
    ['HEAD', '/admin/ui/', 'findScreenPage'],
    ['GET', '/admin/ui/reactions/a/edit', 'findScreenPage'],
    ['GET', '/admin/ui%2Fa', 'unrouted'],
    ['GET', '/admin/uii', 'unrouted'],
    ['GET', '/assets', 'unrouted'],
    ['GET', '/assets/', 'unrouted'],
    ['GET', '/assets/deep/index.js', 'unrouted'],
    ['GET', '/assets/../index.html', 'unrouted'],
    ['GET', '//', 'unrouted'],
    ['GET', '', 'unrouted'],
    ['OPTIONS', '/lrs/x/statements', 'preflight'],
    ['OPTIONS', '/anything', 'preflight'],
    ['GET', '/xapi/statements', 'unrouted'],
    ['GET', '/lrs/x/statements/', 'unrouted'],
    ['DELETE', '/lrs/x/statements', 'unrouted'],
    ['GET', '/lrs/x/%E0%A4%A', 'unrouted'],
    ['GET', '/lrs/x%2Fabout', 'unrouted'],
    ['GET', '/lrs%2fx/about', 'unrouted'],
    ['get', '/lrs/x/statements', 'unrouted'],
    ['GET', '*', 'unrouted'],
  ] as const)('gives %s %s to %s', (method, path, name) => {
    expect(Object.entries(handlers).filter(([, handler]) => handler === route(method, path))).toContainEqual([
      name,
      handlers[name],
    ]);
  });

  it('knows the methods of a path under the configured prefix', () => {
    expect(methodsOf('/lrs/x/statements', '/lrs/x')).toEqual(['GET', 'HEAD', 'PUT', 'POST', 'OPTIONS']);
    expect(methodsOf('/xapi/statements', '/lrs/x')).toEqual([]);
    expect(methodsOf('/assets/any.js', '/lrs/x')).toEqual(['GET', 'HEAD', 'OPTIONS']);
    expect(methodsOf('/assets/', '/lrs/x')).toEqual([]);
  });
});

describe('what no route answers', () => {
  const call = (method: string, path: string) => callHandler(route(method, path), { method, path });

  it('is 405 with Allow where the path is known', async () => {
    const answer = await call('DELETE', '/lrs/x/statements');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, POST, OPTIONS']);
    expect(jsonOf(answer)).toEqual({ error: expect.stringMatching(/DELETE/), code: 'method-not-allowed' });
  });

  it('is 404 where a slash is percent-encoded (RFC 3986 2.2)', async () => {
    const answer = await call('GET', '/lrs/x%2fabout');
    expect([answer.status, jsonOf(answer)]).toMatchObject([
      404,
      { error: expect.stringMatching(/%2Fabout/) },
    ]);
  });

  it('is 404 elsewhere, and names a version only under the prefix', async () => {
    const outside = await call('GET', '/nothing');
    expect([outside.status, outside.headers['x-experience-api-version']]).toEqual([404, undefined]);
    const inside = await call('GET', '/lrs/x/nothing');
    expect([inside.status, inside.headers['x-experience-api-version']]).toEqual([404, '2.0.0']);
  });
});

describe('Allow', () => {
  const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE', 'get'];
  const paths = [...new Set(routes.map((each) => placed(each, '/lrs/x').replace(/\{.*\}$/, 'any')))];
  const send = (request: { method: string; path: string; query?: string; body?: string }) =>
    callHandler(route(request.method, request.path), { ...request, headers });
  const headers = {
    'x-experience-api-version': '1.0.3',
    authorization: basic,
    'content-type': 'application/x-www-form-urlencoded',
  };

  it.each(paths)(
    'of %s is the same in the answer to OPTIONS and in every refusal of a method',
    async (path) => {
      const allowed = methodsOf(path, '/lrs/x');
      const expected = allowed.join(', ');
      expect(allowed).toContain('OPTIONS');
      expect((await send({ method: 'OPTIONS', path })).headers.allow).toBe(expected);
      for (const method of methods.filter((each) => !allowed.includes(each))) {
        const answer = await send({ method, path });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, expected]);
      }
    },
  );

  it.each([
    ['/lrs/x/statements', 'method=DELETE'],
    ['/lrs/x/agents', 'method=PUT'],
    ['/lrs/x/agents', ''],
    ['/lrs/x/activities', 'method=DELETE'],
    ['/lrs/x/activities', ''],
    ['/lrs/x/about', 'method=DELETE'],
    ['/lrs/x/about', ''],
  ])('of %s is that in a refused POST with the query "%s", too', async (path, query) => {
    const answer = await send({ method: 'POST', path, query, body: 'content=%7B%7D' });
    expect([answer.status, answer.headers.allow]).toEqual([405, methodsOf(path, '/lrs/x').join(', ')]);
  });
});

describe('a preflight request', () => {
  it('is told the methods and the headers that it asked for', async () => {
    const answer = await callHandler(handlers.preflight, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:8080',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,x-custom',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'http://localhost:8080',
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'authorization,x-custom',
      'access-control-allow-credentials': 'true',
    });
  });

  it('is told the methods of the path', async () => {
    const options = (path: string) => callHandler(handlers.preflight, { method: 'OPTIONS', path });
    const statements = await options('/lrs/x/statements');
    expect(statements.headers).toMatchObject({
      allow: 'GET, HEAD, PUT, POST, OPTIONS',
      'access-control-allow-methods': 'GET, HEAD, PUT, POST, OPTIONS',
      'x-experience-api-version': '2.0.0',
    });
    const creds = await options('/admin/creds');
    expect(creds.headers.allow).toBe('POST, PUT, GET, DELETE, OPTIONS');
    expect(creds.headers['x-experience-api-version']).toBeUndefined();
  });

  it('of an origin that is not allowed is refused', async () => {
    const answer = await callHandler(handlers.preflight, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});
