import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  documentSender,
  etagOf,
  resourcesAndVersions,
  type SendDocument,
} from '../../support/document-resources.ts';
import { type Entrance, eventEntrance } from '../../support/entrance.ts';
import { type ClientAnswer, gatewayEvents } from '../../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  const eventOf = gatewayEvents['HTTP API event (v2)'];
  if (eventOf === undefined) throw new Error('there is no such event');
  entrance = await eventEntrance(eventOf, '');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const create = { 'if-none-match': '*' };
const json = { 'content-type': 'application/json' };

/** The one rule that a request breaks. */
const broken = {
  path: expect.any(String),
  message: expect.any(String),
  section: expect.stringMatching(/^xAPI 1\.0\.3 /),
};

function expectError(answer: ClientAnswer, status: number, text: RegExp): void {
  expect([answer.status, parsed(answer)]).toEqual([
    status,
    {
      error: expect.stringMatching(text),
      code: expect.any(String),
      ...(status === 400 && { details: expect.anything() }),
    },
  ]);
}

describe.each(resourcesAndVersions)('$kind in $version', ({ kind, id, newOwner, version }) => {
  let send: SendDocument;
  let owner: Record<string, string>;
  let one: Record<string, string>;
  const withId = (name: string) => ({ ...owner, [id]: name });
  const get = (query = one) => send('GET', { query });
  const idsOf = async (query: Record<string, string> = owner) => parsed(await send('GET', { query }));
  const create1 = (body: string | Buffer, headers: Record<string, string> = {}) =>
    send('PUT', { query: one, headers: { ...create, 'content-type': 'text/plain', ...headers }, body });

  beforeEach(() => {
    send = documentSender(client, kind, version);
    owner = newOwner();
    one = { ...owner, [id]: `id of ${kind} é/?&=` };
  });

  describe('one document', () => {
    it('comes back byte for byte with type, ETag and time (xAPI 1.0.3 Communication 2.2, 3.1)', async () => {
      const bytes = Buffer.from(Array.from({ length: 1024 }, (_, index) => index % 256));
      const before = Math.floor(Date.now() / 1000) * 1000;
      const put = await create1(bytes, { 'content-type': 'image/x-odd; q="a;b"' });
      expect([put.status, put.body.length]).toEqual([204, 0]);
      const answer = await get();
      expect(answer.status).toBe(200);
      expect(answer.body.equals(bytes)).toBe(true);
      expect(answer.headers).toMatchObject({
        'content-type': 'image/x-odd; q="a;b"',
        etag: etagOf(bytes),
        'x-experience-api-version': version,
      });
      const modified = answer.headers['last-modified'] ?? '';
      expect(new Date(modified).toUTCString()).toBe(modified);
      expect(Date.parse(modified)).toBeGreaterThanOrEqual(before);
    });

    it('is answered to HEAD like to GET, without the body (xAPI 1.0.3 Communication 1.1)', async () => {
      await create1('{"a":1}', json);
      const head = await send('HEAD', { query: one });
      const answer = await get();
      expect([head.status, head.body.length]).toEqual([200, 0]);
      const ownId = { 'x-request-id': head.headers['x-request-id'] };
      expect(head.headers).toEqual({ ...answer.headers, ...ownId, 'content-length': '7' });
    });

    it('may be empty, and is application/octet-stream unless a type is given', async () => {
      expect((await create1('', { 'content-type': '' })).status).toBe(204);
      const answer = await get();
      expect([answer.status, answer.body.length]).toEqual([200, 0]);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', etag: etagOf('') });
    });

    it('is replaced by PUT, its Content-Type too', async () => {
      await create1('{"a":1}', json);
      const headers = { 'if-match': etagOf('{"a":1}'), 'content-type': 'text/plain' };
      expect((await send('PUT', { query: one, headers, body: 'text' })).status).toBe(204);
      const answer = await get();
      expect([answer.body.toString(), answer.headers['content-type']]).toEqual(['text', 'text/plain']);
    });

    it('is gone after DELETE, which may be repeated', async () => {
      await create1('a');
      expect((await send('DELETE', { query: one })).status).toBe(204);
      expectErrorWithoutDetails(await get(), 404);
      expect((await send('DELETE', { query: one })).status).toBe(204);
    });

    it('that is not there is answered with 404, to HEAD too', async () => {
      expectErrorWithoutDetails(await get(), 404);
      expect((await send('HEAD', { query: one })).status).toBe(404);
    });

    it('is nobody else’s', async () => {
      await create1('a');
      expect((await get({ ...newOwner(), [id]: one[id] ?? '' })).status).toBe(404);
      expect((await get(withId('other'))).status).toBe(404);
      expect((await get(one)).status).toBe(200);
    });

    it('is not sent again to a client that has it', async () => {
      await create1('a');
      const headers = { 'if-none-match': `"other", W/${etagOf('a')}` };
      const answer = await send('GET', { query: one, headers });
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etagOf('a')]);
      expect((await send('GET', { query: one, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    });

    it('can’t be made to run in a browser', async () => {
      await create1('<script>alert(1)</script>', { 'content-type': 'text/html' });
      expect((await get()).headers).toMatchObject({
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      });
    });
  });

  describe('POST', () => {
    const post = (body: string | Buffer, headers: Record<string, string> = json) =>
      send('POST', { query: one, headers, body });

    it('stores a document where there is none', async () => {
      expect((await post('{"a": 1.0}')).status).toBe(204);
      const answer = await get();
      expect([answer.body.toString(), answer.headers['content-type']]).toEqual([
        '{"a": 1.0}',
        'application/json',
      ]);
    });

    it('stores a document of any type where there is none', async () => {
      expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(204);
      expect((await get()).headers['content-type']).toBe('text/plain');
    });

    it('sets the properties of an object on the stored one, one level deep (xAPI 1.0.3 Communication 2.2)', async () => {
      await post('{"x":"foo","y":{"a":1},"n":1.10}');
      expect((await post('{"x":"bash","y":{"b":2},"z":12345678901234567890}')).status).toBe(204);
      const answer = await get();
      expect(answer.body.toString()).toBe('{"x":"bash","y":{"b":2},"n":1.10,"z":12345678901234567890}');
      expect(answer.headers.etag).toBe(etagOf(answer.body));
    });

    it.each<[string, string, Record<string, string>]>([
      ['of another type', 'x', { 'content-type': 'text/plain' }],
      ['without a type', '{"b":2}', { 'content-type': '' }],
      ['that is no JSON', '{"b":2}{', json],
      ['that is no JSON object', '["b"]', json],
      ['that is null', 'null', json],
      ['that is empty', '', json],
    ])('refuses to merge a document %s and leaves the stored one alone', async (_, body, headers) => {
      await post('{"a":1}');
      expect((await post(body, headers)).status).toBe(400);
      expect((await get()).body.toString()).toBe('{"a":1}');
    });

    it.each<[string, string, string]>([
      ['of another type', '{"a":1}', 'text/plain'],
      ['that is no JSON object', '[1]', 'application/json'],
    ])('refuses to merge into a document %s', async (_, body, type) => {
      await create1(body, { 'content-type': type });
      const answer = await post('{"b":2}');
      expect([answer.status, parsed(answer)]).toEqual([
        400,
        { error: expect.stringMatching(/PUT/), code: 'invalid', details: [broken] },
      ]);
      expect((await get()).body.toString()).toBe(body);
    });

    it('merges whatever parameters application/json has', async () => {
      await post('{"a":1}', { 'content-type': 'application/json; charset=utf-8' });
      expect((await post('{"b":2}', { 'content-type': 'Application/JSON' })).status).toBe(204);
      const answer = await get();
      expect([answer.body.toString(), answer.headers['content-type']]).toEqual([
        '{"a":1,"b":2}',
        'Application/JSON',
      ]);
    });

    it('honours conditions', async () => {
      expect((await post('{"a":1}', { ...json, 'if-match': '"x"' })).status).toBe(412);
      expect((await post('{"a":1}', { ...json, ...create })).status).toBe(204);
      expect((await post('{"b":2}', { ...json, ...create })).status).toBe(412);
      expect((await post('{"b":2}', { ...json, 'if-match': etagOf('{"a":1}') })).status).toBe(204);
      expect((await get()).body.toString()).toBe('{"a":1,"b":2}');
    });
  });

  describe('conditions of PUT and DELETE (xAPI 1.0.3 Communication 3.1)', () => {
    it.each<[string, (etag: string) => Record<string, string>, number]>([
      ['If-Match with the ETag', (etag) => ({ 'if-match': etag }), 204],
      ['If-Match with the ETag made weak', (etag) => ({ 'if-match': `W/${etag}` }), 204],
      ['If-Match with the ETag without quotes', (etag) => ({ 'if-match': etag.slice(1, -1) }), 204],
      ['If-Match with the ETag in a list', (etag) => ({ 'if-match': `"a, b" ,${etag}` }), 204],
      ['If-Match: *', () => ({ 'if-match': '*' }), 204],
      ['If-Match with another ETag', () => ({ 'if-match': '"1234"' }), 412],
      ['If-None-Match: *', () => ({ 'if-none-match': '*' }), 412],
      ['If-None-Match with the ETag in a list', (etag) => ({ 'if-none-match': `"x", ${etag}` }), 412],
      ['If-None-Match with another ETag', () => ({ 'if-none-match': '"x"' }), 204],
      ['both, one failing', (etag) => ({ 'if-match': etag, 'if-none-match': '*' }), 412],
      ['If-Match that is no list of ETags', (etag) => ({ 'if-match': `"${etag}` }), 400],
      ['an empty If-Match', () => ({ 'if-match': ' ' }), 400],
    ])('%s on a document that is there', async (_, headersFor, status) => {
      const stored = async () => {
        await send('DELETE', { query: one });
        await create1('old');
      };
      await stored();
      const headers = headersFor(etagOf('old'));
      const put = await send('PUT', {
        query: one,
        headers: { 'content-type': 'text/plain', ...headers },
        body: 'new',
      });
      expect(put.status).toBe(status);
      expect((await get()).body.toString()).toBe(status === 204 ? 'new' : 'old');
      await stored();
      expect((await send('DELETE', { query: one, headers })).status).toBe(status);
      expect((await get()).status).toBe(status === 204 ? 404 : 200);
    });

    it.each<[string, Record<string, string>, number]>([
      ['If-Match: *', { 'if-match': '*' }, 412],
      ['If-Match', { 'if-match': '"x"' }, 412],
      ['If-None-Match: *', { 'if-none-match': '*' }, 204],
      ['If-None-Match', { 'if-none-match': '"x"' }, 204],
    ])('%s on a document that is not there', async (_, headers, status) => {
      expect((await send('DELETE', { query: one, headers })).status).toBe(status);
      expect((await send('PUT', { query: one, headers, body: '{}' })).status).toBe(status);
      expect((await get()).status).toBe(status === 204 ? 200 : 404);
    });

    it('a failed condition is explained', async () => {
      await create1('a');
      const answer = await send('PUT', { query: one, headers: { 'if-match': '"x"' }, body: '{}' });
      expect(answer.status).toBe(412);
      expect(parsed(answer)).toEqual({
        error: expect.stringMatching(/GET it.*current ETag/),
        code: 'precondition-failed',
        details: [broken],
      });
    });
  });

  describe('PUT without a condition', () => {
    const loose = kind === 'activities/state' && version === '1.0.3';
    const put = (body: string) => send('PUT', { query: one, body, headers: json });

    it(
      loose
        ? 'replaces what is there (xAPI 1.0.3 Communication 3.1)'
        : 'is a conflict with what is there, and the answer says what to do (xAPI 1.0.3 Communication 3.1)',
      async () => {
        await create1('{"a":1}', json);
        const answer = await put('{"b":2}');
        expect(answer.status).toBe(loose ? 204 : 409);
        if (!loose) {
          expect(parsed(answer)).toEqual({
            error: expect.stringMatching(new RegExp(`GET it to check.*If-Match.*${etagOf('{"a":1}')}`)),
            code: 'conflict',
            details: [broken],
          });
        }
        expect((await get()).body.toString()).toBe(loose ? '{"b":2}' : '{"a":1}');
      },
    );

    const refused = kind !== 'activities/state' && version === '1.0.3';
    it(
      refused
        ? 'is refused although nothing is there (xAPI 1.0.3 Communication 3.1)'
        : 'stores a document where there is none',
      async () => {
        const answer = await put('{"b":2}');
        expect(answer.status).toBe(refused ? 400 : 204);
        if (refused)
          expect(parsed(answer)).toEqual({
            error: expect.stringMatching(/If-None-Match/),
            code: 'invalid',
            details: [broken],
          });
        expect((await get()).status).toBe(refused ? 404 : 200);
      },
    );

    it(
      loose
        ? 'takes text that is announced as JSON, as authoring tools send it'
        : 'with a condition too, refuses text that is announced as JSON (xAPI 1.0.3 Communication 3.2)',
      async () => {
        const answer = await create1('bookmark=3;done', json);
        expect(answer.status).toBe(loose ? 204 : 400);
        if (loose) expect((await get()).body.toString()).toBe('bookmark=3;done');
        expect((await create1('[1, 2]', { ...json, 'if-none-match': '"x"' })).status).toBe(204);
      },
    );
  });

  describe('the list of ids', () => {
    it('names every document of the owner, has an ETag and the time of the latest (xAPI 1.0.3 Communication 2.2)', async () => {
      for (const name of ['b', 'a', 'ü "']) {
        await send('PUT', { query: withId(name), headers: create, body: '{}' });
      }
      const answer = await send('GET', { query: owner });
      expect([answer.status, parsed(answer)]).toEqual([200, ['a', 'b', 'ü "']]);
      const latest = await get(withId('ü "'));
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        etag: etagOf(answer.body),
        'last-modified': latest.headers['last-modified'],
      });
      const head = await send('HEAD', { query: owner });
      expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, answer.headers.etag]);
    });

    it('is empty for an owner without documents', async () => {
      const answer = await send('GET', { query: owner });
      expect([answer.status, parsed(answer)]).toEqual([200, []]);
      expect(answer.headers['last-modified']).toBeUndefined();
    });

    it('holds with since only what was written later (xAPI 1.0.3 Communication 2.3, 2.6, 2.7)', async () => {
      const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
      for (const name of ['a', 'b']) await send('PUT', { query: withId(name), headers: create, body: '{}' });
      await tick();
      const since = new Date().toISOString();
      await tick();
      expect(await idsOf({ ...owner, since })).toEqual([]);
      await send('POST', { query: withId('a'), headers: json, body: '{"x":1}' });
      expect(await idsOf({ ...owner, since })).toEqual(['a']);
      expect(await idsOf({ ...owner, since: '1969-12-31T23:00:00Z' })).toEqual(['a', 'b']);
      expect(await idsOf({ ...owner, since: '2999-01-01T00:00:00+01:00' })).toEqual([]);
    });
  });

  describe('parameters', () => {
    const methods = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'] as const;
    const request = (method: (typeof methods)[number], query: Record<string, string>) =>
      send(method, {
        query,
        headers: method === 'PUT' ? { ...create, ...json } : {},
        ...((method === 'PUT' || method === 'POST') && { body: '{}' }),
      });

    it.each(methods)(
      '%s refuses what is missing, wrong or unknown (xAPI 1.0.3 Communication 3.2)',
      async (method) => {
        const invalid: Record<string, string>[] = [
          ...Object.keys(owner).map((name) => {
            const { [name]: _, ...rest } = one;
            return rest;
          }),
          ...Object.keys(owner).map((name) => ({ ...one, [name]: 'not one' })),
          ...Object.keys(owner).map((name) => ({ ...one, [name]: '' })),
          { ...one, [id]: '' },
          { ...one, [id]: 'a\0b' },
          { ...one, [id === 'stateId' ? 'profileId' : 'stateId']: 'x' },
          { ...one, since: '2020-01-01T00:00:00Z' },
          { ...one, foo: 'bar' },
          ...(kind === 'activities/state'
            ? [{ ...one, registration: 'true' }]
            : [{ ...one, registration: randomUUID() }]),
        ];
        for (const query of invalid) {
          const answer = await request(method, query);
          expect([query, answer.status]).toEqual([query, 400]);
        }
        expect((await request(method, one)).status).toBe(method === 'GET' || method === 'HEAD' ? 404 : 204);
      },
    );

    it.each(['PUT', 'POST'] as const)('%s needs the id of the document', async (method) => {
      const answer = await request(method, owner);
      expectError(answer, 400, new RegExp(`${id} is required`));
    });

    it('name the nearest one that is known', async () => {
      const answer = await send('GET', { query: { ...owner, [id.toLowerCase()]: 'x' } });
      expect([answer.status, parsed(answer)]).toEqual([
        400,
        {
          error: expect.stringMatching(new RegExp(`nearest known one is ${id};`)),
          code: 'invalid',
          details: [broken],
        },
      ]);
    });

    it('must not occur twice', async () => {
      const query = `${new URLSearchParams(one)}&${id}=again`;
      const answer = await client.xapi('GET', {
        path: `/xapi/${kind}`,
        query,
        headers: { 'x-experience-api-version': version },
      });
      expect([answer.status, parsed(answer)]).toEqual([
        400,
        { error: expect.stringMatching(/twice/), code: 'invalid', details: [broken] },
      ]);
    });

    it('refuse since where it is no timestamp, and beside an id', async () => {
      expectError(
        await send('GET', { query: { ...owner, since: 'yesterday' } }),
        400,
        /since must be a timestamp/,
      );
      const since = '2020-01-01T00:00:00Z';
      expectError(await send('GET', { query: { ...one, since } }), 400, /since goes only with/);
      expectError(await send('DELETE', { query: { ...one, since } }), 400, /since goes only with/);
    });
  });

  it('refuses a Content-Type that is no media type', async () => {
    expect((await create1('x', { 'content-type': 'text' })).status).toBe(400);
    expect((await get()).status).toBe(404);
  });
});

function expectErrorWithoutDetails(answer: ClientAnswer, status: number): void {
  expect([answer.status, parsed(answer)]).toEqual([
    status,
    { error: expect.any(String), code: expect.any(String) },
  ]);
}
