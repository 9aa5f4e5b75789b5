import { describe, expect, it } from 'vitest';
import { ConflictError, NotFoundError, UnavailableError } from '../../../lib/errors.ts';
import type { XapiCall } from '../../../lib/http/call.ts';
import { adminHandler, loginHandler, openHandler, xapiHandler } from '../../../lib/http/handler.ts';
import { json } from '../../../lib/http/responses.ts';
import { callHandler, jsonOf } from '../../support/call-handler.ts';
import { account, basic, bearer, principal, standInLrs } from '../../support/stand-in-lrs.ts';

const headers = { authorization: basic, 'x-experience-api-version': '1.0.3' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const echo = async ({ method, headers, query, body, version, principal }: XapiCall) =>
  json(200, {
    method,
    type: headers['content-type'],
    query: [...query],
    body: body.toString(),
    version,
    principal,
  });

const statements = (env = {}) =>
  xapiHandler(standInLrs(env), 'statements', { actions: { GET: echo, HEAD: echo, PUT: echo, POST: echo } });

const fails = (error: unknown) =>
  openHandler(standInLrs(), async () => {
    throw error;
  });

describe('a handler of the xAPI', () => {
  it('lets a call with version and key pair through and names its version in the answer', async () => {
    const answer = await callHandler(statements(), { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-experience-api-version']).toBe('1.0.3');
    expect(jsonOf(answer)).toMatchObject({ version: '1.0.3', principal });
  });

  it.each([
    ['a missing version', { authorization: basic }, 400, '0.9'],
    ['an unknown version', { ...headers, 'x-experience-api-version': '0.95' }, 400, '2.0.0'],
    ['missing credentials', { 'x-experience-api-version': '1.0.3' }, 401, '1.0.3'],
    ['an unknown pair', { ...headers, authorization: `Basic ${btoa('key:other')}` }, 401, '1.0.3'],
    [
      'credentials without a colon',
      { ...headers, authorization: `Basic ${btoa('keysecret')}` },
      401,
      '1.0.3',
    ],
    ['another scheme', { ...headers, authorization: `Basic:${btoa('key:se:cret')}` }, 401, '1.0.3'],
  ])('refuses %s', async (_, sent, status, version) => {
    const answer = await callHandler(statements(), { headers: sent });
    expect(answer.status).toBe(status);
    expect(jsonOf(answer)).toEqual(
      status === 401
        ? { error: expect.any(String), code: 'unauthenticated' }
        : {
            error: expect.any(String),
            code: 'invalid',
            details: [expect.objectContaining({ path: 'X-Experience-API-Version' })],
          },
    );
    expect(answer.headers['x-experience-api-version']).toBe(version);
    expect(answer.headers['www-authenticate']).toBe(
      status === 401 ? 'Basic realm="LRS", charset="UTF-8"' : undefined,
    );
  });

  it('names the latest version that is switched on when the one asked for is not', async () => {
    const answer = await callHandler(
      statements({ LRS_SUPPORTED_VERSIONS: '1.0.3', LRS_REACTION_VERSION: '1.0.3' }),
      { headers: { ...headers, 'x-experience-api-version': '2.0.0' } },
    );
    expect(answer.status).toBe(400);
    expect(answer.headers['x-experience-api-version']).toBe('1.0.3');
  });

  it('refuses what the scopes do not permit', async () => {
    const reader = { ...principal, scopes: ['statements/read'] as const };
    const lrs = await standInLrs()();
    const credentials = { ...lrs.credentials, authenticate: async () => reader };
    const handler = xapiHandler(standInLrs({}, { credentials }), 'statements', {
      actions: { GET: echo, PUT: echo },
    });
    expect((await callHandler(handler, { headers })).status).toBe(200);
    expect((await callHandler(handler, { headers, method: 'PUT' })).status).toBe(403);
  });

  it('answers HEAD like GET, with the length in place of the body (xAPI 1.0.3 Communication 1.1)', async () => {
    const get = await callHandler(statements(), { headers, query: 'a=1' });
    const head = await callHandler(statements(), { headers, query: 'a=1', method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.body).toHaveLength(0);
    expect(Number(head.headers['content-length'])).toBe(get.body.length + 1);
    expect(head.headers['content-type']).toBe('application/json');
  });

  it('refuses a body above webserver.maxBodyBytes, announced or real', async () => {
    const handler = statements({ LRS_MAX_BODY_BYTES: '1024' });
    const real = await callHandler(handler, { headers, method: 'POST', body: 'x'.repeat(1025) });
    expect([real.status, jsonOf(real)]).toEqual([
      413,
      { error: expect.stringMatching(/1024/), code: 'too-large' },
    ]);
    const announced = await callHandler(handler, {
      headers: { ...headers, 'content-length': '1025' },
      method: 'POST',
    });
    expect(announced.status).toBe(413);
  });

  it.each(['a=%', 'a=%zz', 'a=%c3%28', '%ff'])(
    'refuses the query %s, which is not percent-encoded UTF-8',
    async (query) => {
      const answer = await callHandler(statements(), { headers, query });
      expect([answer.status, jsonOf(answer)]).toEqual([
        400,
        { error: expect.stringMatching(/query/), code: 'invalid' },
      ]);
    },
  );

  it('refuses a path that is not percent-encoded UTF-8', async () => {
    const answer = await callHandler(statements(), { headers, path: '/xapi/%E0%A4%A' });
    expect([answer.status, jsonOf(answer)]).toEqual([
      400,
      { error: expect.stringMatching(/path/), code: 'invalid' },
    ]);
  });
});

describe('the alternate request syntax (xAPI 1.0.3 Communication 1.3)', () => {
  const send = (
    fields: Record<string, string>,
    query = 'method=PUT',
    sent: Record<string, string> = { ...headers, ...form },
  ) =>
    callHandler(statements(), {
      method: 'POST',
      query,
      headers: sent,
      body: new URLSearchParams(fields).toString(),
    });

  it('makes headers, query and body of the form', async () => {
    const answer = await send(
      {
        statementId: 'x',
        content: '{"é":"+ &"}',
        Authorization: basic,
        'X-Experience-API-Version': '1.0.2',
        'Content-Type': 'text/plain',
      },
      'method=PUT',
      form,
    );
    expect(jsonOf(answer)).toMatchObject({
      method: 'PUT',
      type: 'text/plain',
      query: [['statementId', 'x']],
      body: '{"é":"+ &"}',
    });
  });

  it('takes application/json for the type of the content when the form names none', async () => {
    expect(jsonOf(await send({ content: '{}' }))).toMatchObject({ type: 'application/json', body: '{}' });
  });

  it('needs no content for a GET', async () => {
    expect(jsonOf(await send({ limit: '1' }, 'method=GET'))).toMatchObject({
      method: 'GET',
      query: [['limit', '1']],
    });
  });

  it.each<[string, Record<string, string>, string, Record<string, string>]>([
    ['another query parameter', { content: '{}' }, 'method=PUT&statementId=x', {}],
    ['two methods', { content: '{}' }, 'method=PUT&method=GET', {}],
    ['an unknown method', { content: '{}' }, 'method=TRACE', {}],
    ['a PUT without content', { statementId: 'x' }, 'method=PUT', {}],
    ['another Content-Type', { content: '{}' }, 'method=PUT', { 'content-type': 'application/json' }],
    ['a bad version in the form', { content: '{}', 'X-Experience-API-Version': '0.8' }, 'method=PUT', {}],
    [
      'version 2.0.0, which does not have it',
      { content: '{}', 'X-Experience-API-Version': '2.0.0' },
      'method=PUT',
      {},
    ],
  ])('refuses %s', async (_, fields, query, sent) => {
    expect((await send(fields, query, { ...headers, ...form, ...sent })).status).toBe(400);
  });

  it('refuses a header parameter that occurs twice and a form that is not percent-encoded', async () => {
    const post = (body: string) =>
      callHandler(statements(), {
        method: 'POST',
        query: 'method=PUT',
        headers: { ...headers, ...form },
        body,
      });
    expect((await post('content=1&content=2')).status).toBe(400);
    expect((await post('content=%zz')).status).toBe(400);
  });

  it('answers 405 for a method that the resource does not have', async () => {
    const answer = await send({}, 'method=DELETE');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, POST']);
  });
});

describe('a handler of the administration', () => {
  const seen = adminHandler(standInLrs(), async ({ json: body, account }) =>
    json(200, { body: body ?? null, account }),
  );
  const sent = { authorization: bearer, 'content-type': 'application/json' };

  it('lets a login token through and gives the account and the body', async () => {
    const answer = await callHandler(seen, { method: 'POST', headers: sent, body: '{"a":1}' });
    expect(jsonOf(answer)).toEqual({ body: { a: 1 }, account });
  });

  it('refuses a body above webserver.maxAdminBodyBytes', async () => {
    const body = JSON.stringify({ a: 'x'.repeat(65_536) });
    const answer = await callHandler(seen, { method: 'POST', headers: sent, body });
    expect([answer.status, jsonOf(answer)]).toEqual([
      413,
      expect.objectContaining({ error: expect.stringContaining('webserver.maxAdminBodyBytes') }),
    ]);
  });

  it('looks at the token before the body', async () => {
    const answer = await callHandler(seen, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="LRS administration"',
    ]);
  });

  it.each([
    ['no body', undefined, /missing/],
    ['an array', '[1]', /JSON object/],
    ['null', 'null', /JSON object/],
    ['malformed JSON', '{"a":', /ends too early/],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    ['a name __proto__', '{"__proto__":1}', /__proto__/],
    ['U+0000', '{"a":"\\u0000"}', /U\+0000/],
  ])('answers 400 to %s', async (_, body, error) => {
    const answer = await callHandler(seen, {
      method: 'POST',
      headers: sent,
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBe(400);
    expect(jsonOf(answer)).toMatchObject({ error: expect.stringMatching(error) });
  });

  it('answers 400 to another Content-Type and takes JSON in any spelling', async () => {
    const post = (type: string) =>
      callHandler(seen, { method: 'POST', headers: { ...sent, 'content-type': type }, body: '{}' });
    expect((await post('text/plain')).status).toBe(400);
    expect((await post('Application/JSON; Charset=UTF-8')).status).toBe(200);
  });

  it('takes GET without a body or with a JSON object, and nothing else', async () => {
    const get = (body?: string) =>
      callHandler(seen, { headers: { authorization: bearer }, ...(body !== undefined && { body }) });
    expect((await get()).status).toBe(200);
    expect((await get('{}')).status).toBe(200);
    expect((await get('[]')).status).toBe(400);
    expect((await get('x')).status).toBe(400);
  });

  it('needs no token when it is the handler of the login', async () => {
    const handler = loginHandler(standInLrs(), async ({ json: body }) => json(200, body));
    const answer = await callHandler(handler, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(jsonOf(answer)).toEqual({ a: 1 });
  });
});

describe('errors', () => {
  it('show the sentence and the details of a known kind', async () => {
    const details = [{ path: 'statement.id', message: 'is taken', section: 'xAPI 1.0.3 Data 2.4.1' }];
    const answer = await callHandler(fails(new ConflictError('The id is taken.', { details })));
    expect([answer.status, jsonOf(answer)]).toEqual([
      409,
      { error: 'The id is taken.', code: 'conflict', details },
    ]);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it('show nothing of an unknown one', async () => {
    const answer = await callHandler(fails(new Error('SELECT secret FROM table')));
    expect(answer.status).toBe(500);
    expect(answer.body.toString()).not.toMatch(/secret|stack/);
    expect(jsonOf(answer)).toEqual({ error: expect.any(String), code: 'internal' });
  });

  it('say when to try again', async () => {
    const answer = await callHandler(
      fails(new UnavailableError('The database is busy.', { cause: new Error('SQLITE_BUSY') })),
    );
    expect([answer.status, answer.headers['retry-after'], jsonOf(answer)]).toEqual([
      503,
      '1',
      { error: 'The database is busy.', code: 'unavailable' },
    ]);
  });

  it('are answered too when the LRS can not be opened', async () => {
    const handler = openHandler(
      () => Promise.reject(new UnavailableError('The database is not there.')),
      async () => json(200, {}),
    );
    expect((await callHandler(handler)).status).toBe(503);
  });
});

describe('CORS', () => {
  const handler = (env = {}) => openHandler(standInLrs(env), async () => json(200, {}));
  const from = (origin: string, env = {}, more = {}) =>
    callHandler(handler(env), { headers: { origin, ...more } });

  it.each([
    ['the usual local address', 'http://localhost:8080', {}],
    ['the usual local address with TLS', 'https://localhost:8443', {}],
    ['the host that was called', 'https://abcdefghij.example.org', { host: 'abcdefghij.example.org' }],
    [
      'the host that was called, with its port',
      'http://lrs.example.org:8080',
      { host: 'lrs.example.org:8080' },
    ],
    [
      'the host that was called, with the port of its scheme',
      'http://lrs.example.org',
      { host: 'lrs.example.org:80' },
    ],
  ])('lets %s in', async (_, origin, more) => {
    const answer = await from(origin, {}, more);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
    expect(answer.headers['access-control-allow-credentials']).toBe('true');
    expect(answer.headers['access-control-expose-headers']).toMatch(/X-Experience-API-Consistent-Through/);
    expect(answer.headers.vary).toBe('Origin');
  });

  it.each([
    'https://evil.example',
    'null',
    'http://lrs.example.org.evil.example',
    'https://x@lrs.example.org',
  ])('refuses %s, names the setting and grants nothing', async (origin) => {
    const answer = await from(origin);
    expect([answer.status, jsonOf(answer)]).toEqual([
      403,
      { error: expect.stringMatching(/LRS_ALLOWED_ORIGINS/), code: 'forbidden' },
    ]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('goes by allowedOrigins and allowAllOrigins', async () => {
    const listed = { LRS_ALLOWED_ORIGINS: 'https://app.example' };
    expect((await from('https://app.example', listed)).status).toBe(200);
    expect((await from('http://localhost:8080', listed)).status).toBe(403);
    expect((await from('https://lrs.example.org', listed)).status).toBe(200);
    const all = await from('https://anything.example', { LRS_ALLOW_ALL_ORIGINS: 'true' });
    expect([all.status, all.headers['access-control-allow-origin']]).toEqual([
      200,
      'https://anything.example',
    ]);
  });

  it('believes X-Forwarded-Host only from a trusted proxy', async () => {
    const forwarded = { 'x-forwarded-host': 'public.example, inner' };
    expect((await from('https://public.example', {}, forwarded)).status).toBe(403);
    expect((await from('https://public.example', { LRS_TRUST_PROXY: 'true' }, forwarded)).status).toBe(200);
  });

  it('grants an error to an allowed origin, so that its page can read it', async () => {
    const failing = openHandler(standInLrs(), async () => {
      throw new NotFoundError('There is nothing.');
    });
    const answer = await callHandler(failing, { headers: { origin: 'http://localhost:8080' } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([
      404,
      'http://localhost:8080',
    ]);
  });

  it('says that answers differ by origin even when there was none', async () => {
    const answer = await callHandler(handler());
    expect([answer.headers.vary, answer.headers['access-control-allow-origin']]).toEqual([
      'Origin',
      undefined,
    ]);
  });
});
