import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseMultipart } from '../../lib/http/multipart.ts';
import type { Entrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed, stringMember } from '../support/lrs-client.ts';

const statement = (verb: string, id = randomUUID()) => ({
  id,
  actor: { mbox: 'mailto:léa@example.org', name: 'Léa' },
  verb: { id: `http://example.org/verbs/${verb}` },
  object: { id: 'http://example.org/activities/1' },
});

const iri = (verb: string): string => encodeURIComponent(`http://example.org/verbs/${verb}`);

/** What every entrance has to do alike: the tests of a file that names the entrance. */
export function statementFlow(open: () => Promise<Entrance>): void {
  let entrance: Entrance;
  let client: LrsClient;

  beforeAll(async () => {
    entrance = await open();
    client = await connect(entrance);
  });
  afterAll(() => entrance?.close());

  const one = statement('posted');
  const batch = [statement('batch'), statement('batch'), statement('batch')];

  it('a statement that is posted is answered with its id and read back', async () => {
    const posted = await client.xapi('POST', { body: JSON.stringify(one) });
    expect([posted.status, parsed(posted)]).toEqual([200, [one.id]]);
    const read = await client.xapi('GET', { query: `statementId=${one.id}` });
    expectStatementAnswer(read, 200);
    expect(parsed(read)).toMatchObject(one);
    const stored = Date.parse(stringMember(read, 'stored'));
    expect(Date.parse(read.headers['last-modified'] ?? '')).toBe(Math.floor(stored / 1000) * 1000);
  });

  it('a batch is answered with its ids in order', async () => {
    const posted = await client.xapi('POST', { body: JSON.stringify(batch) });
    expect([posted.status, parsed(posted)]).toEqual([200, batch.map(({ id }) => id)]);
  });

  it('a statement that is put is answered with 204, again when it comes again, and with 409 when it differs', async () => {
    const put = statement('put');
    const query = `statementId=${put.id}`;
    const first = await client.xapi('PUT', { query, body: JSON.stringify(put) });
    expect([first.status, first.body.length]).toEqual([204, 0]);
    expect((await client.xapi('PUT', { query, body: JSON.stringify(put) })).status).toBe(204);
    const other = { ...put, verb: { id: 'http://example.org/verbs/other' } };
    expectError(await client.xapi('PUT', { query, body: JSON.stringify(other) }), 409);
  });

  it('filters find what they should and more leads to the next page', async () => {
    const agent = encodeURIComponent(JSON.stringify({ mbox: 'mailto:léa@example.org' }));
    const first = await client.xapi('GET', { query: `agent=${agent}&verb=${iri('batch')}&limit=2` });
    expectStatementAnswer(first, 200);
    expect(idsOf(first)).toEqual([batch[2]?.id, batch[1]?.id]);
    const more = stringMember(first, 'more');
    expect(more.startsWith(`${entrance.stage}/xapi/statements?`)).toBe(true);
    const [path = '', query = ''] = more.slice(entrance.stage.length).split('?');
    const second = await client.xapi('GET', { path, query });
    expect(idsOf(second)).toEqual([batch[0]?.id]);
    expect(stringMember(second, 'more')).toBe('');
    expect(idsOf(await client.xapi('GET', { query: `verb=${iri('nothing')}` }))).toEqual([]);
  });

  it('an attachment of random bytes comes back as it went in', async () => {
    const content = randomBytes(5_000);
    const sha2 = createHash('sha256').update(content).digest('hex');
    const contentType = 'application/zip';
    const attachment = {
      usageType: 'http://example.org/usage',
      display: { en: 'a' },
      contentType,
      length: 5_000,
      sha2,
    };
    const attached = { ...statement('attached'), attachments: [attachment] };
    const posted = await client.xapi('POST', {
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: Buffer.concat([
        Buffer.from(`--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(attached)}\r\n--b\r\n`),
        Buffer.from(`Content-Type: ${contentType}\r\nContent-Transfer-Encoding: binary\r\n`),
        Buffer.from(`X-Experience-API-Hash: ${sha2}\r\n\r\n`),
        content,
        Buffer.from('\r\n--b--\r\n'),
      ]),
    });
    expect(posted.status).toBe(200);
    const read = await client.xapi('GET', { query: `statementId=${attached.id}&attachments=true` });
    const [first, second] = await parseMultipart(read.headers['content-type'] ?? '', read.body);
    expect(JSON.parse(first?.content.toString() ?? '')).toMatchObject(attached);
    expect(second?.content.equals(content)).toBe(true);
    expect(second?.headers).toMatchObject({ 'content-type': contentType, 'x-experience-api-hash': sha2 });
  });

  it('HEAD is answered like GET without the body (xAPI 1.0.3 Communication 1.1)', async () => {
    const query = `statementId=${one.id}`;
    const get = await client.xapi('GET', { query });
    const head = await client.xapi('HEAD', { query });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'last-modified', 'x-experience-api-version']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8'])(
    'the alternate request syntax does the same, sent as %s (xAPI 1.0.3 Communication 1.3)',
    async (contentType) => {
      const put = statement('alternate');
      const form = new URLSearchParams({ statementId: put.id, content: JSON.stringify(put) });
      const answer = await client.xapi('POST', {
        query: 'method=PUT',
        headers: { 'content-type': contentType },
        body: form.toString(),
      });
      expect(answer.status).toBe(204);
      expect((await client.xapi('GET', { query: `statementId=${put.id}` })).status).toBe(200);
    },
  );

  it.each<
    [
      string,
      number,
      string,
      { path?: string; query?: string; body?: string; headers?: Record<string, string> },
    ]
  >([
    ['an unknown statement', 404, 'GET', { query: `statementId=${randomUUID()}` }],
    ['an unknown path', 404, 'GET', { path: '/xapi/nothing' }],
    ['a method that the resource does not have', 405, 'DELETE', {}],
    ['an unknown parameter', 400, 'GET', { query: 'Verb=x' }],
    ['a parameter that is not percent-encoded UTF-8', 400, 'GET', { query: 'statementId=%ff' }],
    ['a broken statement', 400, 'POST', { body: '{"actor":{}}' }],
    ['a body that is not JSON', 400, 'POST', { body: '{' }],
    ['a PUT of an array', 400, 'PUT', { query: `statementId=${randomUUID()}`, body: '[]' }],
    ['a PUT without statementId', 400, 'PUT', { body: '{}' }],
    ['a bad version', 400, 'GET', { headers: { 'x-experience-api-version': '0.9' } }],
    ['a bad key pair', 401, 'GET', { headers: { authorization: `Basic ${btoa('a:b')}` } }],
  ])('%s is answered with %i and an error', async (_, status, method, request) => {
    expectError(await client.xapi(method, request), status);
  });

  it('accounts and key pairs are administered', async () => {
    const created = await client.admin('POST', '/admin/account/create', {
      username: 'operator1',
      password: 'N3w_and_longer?',
    });
    expect(created.status).toBe(200);
    const id = stringMember(created, 'account-id');
    expect(parsed(await client.admin('GET', '/admin/account'))).toContainEqual({
      'account-id': id,
      username: 'operator1',
    });
    expect(parsed(await client.admin('DELETE', '/admin/account', { 'account-id': id }))).toEqual({
      'account-id': id,
    });
    expectError(await client.admin('DELETE', '/admin/account', { 'account-id': id }), 404, '/admin');
    expect(parsed(await client.admin('GET', '/admin/creds'))).toMatchObject([
      { scopes: ['all'], label: null },
    ]);
  });

  it('anybody may ask for about, env and health', async () => {
    const about = await entrance.send({ method: 'GET', path: '/xapi/about' });
    expect([about.status, parsed(about)]).toEqual([200, { version: ['1.0.3', '2.0.0'] }]);
    expect(about.headers['x-experience-api-version']).toBe('2.0.0');
    expect(parsed(await entrance.send({ method: 'GET', path: '/admin/env' }))).toMatchObject({
      'url-prefix': '/xapi',
    });
    expect((await entrance.send({ method: 'GET', path: '/health' })).status).toBe(200);
  });
}

function expectStatementAnswer(answer: ClientAnswer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['x-experience-api-version']).toBe('1.0.3');
  expect(answer.headers['x-experience-api-consistent-through']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
}

function expectError(answer: ClientAnswer, status: number, prefix = '/xapi'): void {
  expect([answer.status, parsed(answer)]).toEqual([
    status,
    expect.objectContaining({ error: expect.any(String) }),
  ]);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  if (prefix === '/xapi') expect(answer.headers['x-experience-api-version']).toMatch(/^(1\.0\.3|2\.0\.0)$/);
}

function idsOf(answer: ClientAnswer): unknown[] {
  const body = parsed(answer);
  const statements: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'statements') : undefined;
  if (!Array.isArray(statements)) throw new Error(`No statements in ${answer.body.toString('utf8')}`);
  return statements.map((item: { id?: unknown }) => item.id);
}
