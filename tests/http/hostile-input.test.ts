import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entrance, maxBodyBytes, serverEntrance } from '../support/entrance.ts';
import type { ClientRequest } from '../support/gateway-events.ts';
import { connect, type LrsClient, parsed } from '../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const parts = '"actor":{"mbox":"mailto:a@example.org"},"verb":{"id":"http://example.org/v"}';
const withObject = (object: string): string => `{${parts},"object":${object}}`;
const withResult = (result: string): string =>
  `{${parts},"object":{"id":"http://example.org/a"},"result":${result}}`;
const extensions = (value: string): string => withResult(`{"extensions":{"http://example.org/e":${value}}}`);
const multipart = { 'content-type': 'multipart/mixed; boundary=b' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

type Sent = Omit<Partial<ClientRequest>, 'method'>;

describe('hostile input is answered with 4xx and a clear error, nothing is stored, and the next request is served', () => {
  it.each<[string, string, Sent, number]>([
    ['an empty body', 'POST', { body: '', headers: json }, 400],
    ['half a JSON text', 'POST', { body: '{"actor":' }, 400],
    ['text after the JSON text', 'POST', { body: `${withObject('{"id":"http://example.org/a"}')}x` }, 400],
    ['a byte order mark', 'POST', { body: `\ufeff${withObject('{"id":"http://example.org/a"}')}` }, 400],
    ['bytes that are not UTF-8', 'POST', { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), headers: json }, 400],
    [
      'half a surrogate pair in UTF-8',
      'POST',
      { body: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), headers: json },
      400,
    ],
    ['100,000 open brackets', 'POST', { body: '['.repeat(100_000) }, 400],
    [
      '100,000 nested objects',
      'POST',
      { body: extensions(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) },
      400,
    ],
    ['65 levels', 'POST', { body: extensions(`${'['.repeat(65)}${']'.repeat(65)}`) }, 400],
    [
      'a statement named __proto__',
      'POST',
      { body: `{"__proto__":${withObject('{"id":"http://example.org/a"}')}}` },
      400,
    ],
    ['U+0000', 'POST', { body: extensions('"a\\u0000b"') }, 400],
    ['a NUL byte', 'POST', { body: extensions('"a\0b"') }, 400],
    ['a number beyond every size', 'POST', { body: extensions('1e999') }, 400],
    ['a wrong type everywhere', 'POST', { body: '{"actor":1,"verb":[],"object":true}' }, 400],
    [
      'a constructor in place of an actor',
      'POST',
      { body: '{"actor":{"constructor":{"prototype":{}}}}' },
      400,
    ],
    ['a body above the limit', 'POST', { body: ' '.repeat(maxBodyBytes + 1) }, 413],
    ['10,001 statements', 'POST', { body: `[${'{},'.repeat(10_000)}{}]` }, 413],
    [
      'a Group of 10,001 members',
      'POST',
      { body: withObject(`{"objectType":"Group","member":[${'{},'.repeat(10_000)}{}]}`) },
      413,
    ],
    ['50,001 JSON values', 'POST', { body: extensions(`[${'[0,0,0,0],'.repeat(10_000)}0]`) }, 413],
    ['another Content-Type', 'POST', { body: '{}', headers: { 'content-type': 'text/plain' } }, 400],
    ['a Content-Type that is none', 'POST', { body: '{}', headers: { 'content-type': ';;;=' } }, 400],
    [
      'multipart without a boundary',
      'POST',
      { body: '--b--', headers: { 'content-type': 'multipart/mixed' } },
      400,
    ],
    [
      'multipart with an endless boundary',
      'POST',
      { body: 'x', headers: { 'content-type': `multipart/mixed; boundary=${'b'.repeat(5_000)}` } },
      400,
    ],
    [
      'multipart without an end',
      'POST',
      { body: '--b\r\nContent-Type: application/json\r\n\r\n{}', headers: multipart },
      400,
    ],
    ['multipart without parts', 'POST', { body: '--b--', headers: multipart }, 400],
    [
      'multipart of 10,000 parts',
      'POST',
      { body: `${'--b\r\n\r\n\r\n'.repeat(10_000)}--b--`, headers: multipart },
      400,
    ],
    [
      'a part that nobody describes',
      'POST',
      {
        body: `--b\r\nContent-Type: application/json\r\n\r\n${withObject('{"id":"http://example.org/a"}')}\r\n--b\r\nContent-Type: text/plain\r\nX-Experience-API-Hash: ${'0'.repeat(64)}\r\n\r\nx\r\n--b--`,
        headers: multipart,
      },
      400,
    ],
    ['bad percent-encoding in the query', 'GET', { query: 'verb=%E0%A4%A' }, 400],
    ['bad percent-encoding in the path', 'GET', { path: '/xapi/%zz' }, 400],
    ['a climbing path', 'GET', { path: '/xapi/../../etc/passwd' }, 404],
    ['an encoded climbing path', 'GET', { path: '/xapi/%2e%2e/%2e%2e/etc/passwd' }, 404],
    ['a NUL in the query', 'GET', { query: 'verb=http://example.org/%00' }, 400],
    ['SQL in a parameter', 'GET', { query: `statementId=${encodeURIComponent("' OR 1=1 --")}` }, 400],
    ['SQL in the cursor', 'GET', { query: 'from=1;DROP%20TABLE' }, 400],
    ['an agent that is not JSON', 'GET', { query: 'agent=%7B' }, 400],
    [
      'an agent with a __proto__',
      'GET',
      { query: `agent=${encodeURIComponent('{"__proto__":{"mbox":"mailto:a@b.c"}}')}` },
      400,
    ],
    [
      'a deep agent',
      'GET',
      { query: `agent=${encodeURIComponent(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)}` },
      400,
    ],
    ['a parameter named __proto__', 'GET', { query: '__proto__=x' }, 400],
    ['10,000 parameters', 'GET', { query: 'a&'.repeat(10_000) }, 400],
    [
      'a form that is not percent-encoded',
      'POST',
      { query: 'method=PUT', body: 'content=%zz', headers: form },
      400,
    ],
    [
      'a form with a bad version',
      'POST',
      { query: 'method=GET', body: 'X-Experience-API-Version=9', headers: form },
      400,
    ],
    ['an Authorization of garbage', 'GET', { headers: { authorization: 'Basic \u00ff\u00fe' } }, 401],
    ['an endless Authorization', 'GET', { headers: { authorization: `Basic ${'A'.repeat(30_000)}` } }, 401],
    ['an Origin of garbage', 'GET', { headers: { origin: 'http://[' } }, 403],
  ])('%s', async (_, method, request, status) => {
    const answer = await client.xapi(method, request);
    expect([answer.status, parsed(answer)]).toEqual([
      status,
      expect.objectContaining({ error: expect.any(String) }),
    ]);
    expect(answer.headers['x-experience-api-version']).toBeDefined();
    const next = await client.xapi('GET');
    expect([next.status, parsed(next)]).toEqual([200, { statements: [], more: '' }]);
  });

  it.each<[string, string | Buffer, number?]>([
    ['nothing', ''],
    ['half a JSON text', '{"username":'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a list', '[]'],
    ['a name __proto__', '{"__proto__":{},"username":"a","password":"b"}'],
    ['an object for a name', '{"username":{"$ne":null},"password":"x"}'],
    ['60,000 open brackets', '['.repeat(60_000)],
    ['100,000 open brackets', '['.repeat(100_000), 413],
  ])('%s at the login', async (_, body, status = 400) => {
    const answer = await entrance.send({ method: 'POST', path: '/admin/account/login', headers: json, body });
    expect([answer.status, parsed(answer)]).toEqual([
      status,
      expect.objectContaining({ error: expect.any(String) }),
    ]);
  });

  it('a PUT with an id that no UUID is', async () => {
    const query = `statementId=${encodeURIComponent(`${randomUUID()}\n`)}`;
    expect((await client.xapi('PUT', { query, body: '{}' })).status).toBe(400);
  });
});
