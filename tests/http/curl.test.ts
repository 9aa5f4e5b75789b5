import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curl, hasCurl } from '../support/curl.ts';
import { firstAccount, type ServerEntrance, serverEntrance } from '../support/entrance.ts';
import type { ClientAnswer } from '../support/gateway-events.ts';
import { parsed, stringMember } from '../support/lrs-client.ts';

/*
 * The administration of lrsql, called as its users call it from a terminal, one call after the other. The answers are those
 * that lrsql documents, except where ours give more.
 */

const settings = {
  LRS_ENABLE_ADMIN_STATUS: 'true',
  LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
  LRS_API_KEY_DEFAULT: 'seed-api-key',
  LRS_API_SECRET_DEFAULT: 'seed-secret-key-of-the-curl-test',
};

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const key = expect.stringMatching(/^[0-9a-f]{64}$/);
const jwt = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const withText = expect.objectContaining({ error: expect.any(String) });
const json = ['-H', 'Content-Type: application/json'];

const operator = { username: 'operator1', password: 'An0ther_pass?' };
const statement = {
  actor: { mbox: 'mailto:ann@example.org', name: 'Ann' },
  verb: { id: 'http://adlnet.gov/expapi/verbs/completed' },
  object: { id: 'https://example.org/courses/first-steps' },
  context: { platform: 'Moodle' },
};

let server: ServerEntrance;
let token = '';
let accountId = '';

beforeAll(async () => {
  server = await serverEntrance('http', settings);
});
afterAll(() => server?.close());

const at = (path: string): string => `${server.url}${path}`;
const bearer = (): string[] => ['-H', `Authorization: Bearer ${token}`];
const body = (value: unknown): string[] => [...json, '-d', JSON.stringify(value)];
const seen = (answer: ClientAnswer): [number, unknown] => [answer.status, parsed(answer)];

/** A call with the token; without a body it is a plain `curl -X`. */
const admin = (method: string, path: string, value?: unknown): Promise<ClientAnswer> =>
  curl('-X', method, at(path), ...bearer(), ...(value === undefined ? [] : body(value)));

describe.skipIf(!hasCurl)('with curl', () => {
  it('login answers account-id and json-web-token', async () => {
    const answer = await curl('-X', 'POST', at('/admin/account/login'), ...body(firstAccount));
    expect(seen(answer)).toEqual([200, { 'account-id': uuid, 'json-web-token': jwt }]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    token = stringMember(answer, 'json-web-token');
    accountId = stringMember(answer, 'account-id');
  });

  it.each([
    ['a wrong password', { ...firstAccount, password: 'Wr0ng_password!' }, 401],
    ['a name that nobody has', { ...firstAccount, username: 'nobody-here' }, 401],
    ['an empty password', { ...firstAccount, password: '' }, 400],
    ['no password', { username: firstAccount.username }, 400],
    ['a number for a name', { ...firstAccount, username: 7 }, 400],
  ])('login with %s is refused', async (_, value, status) => {
    const answer = await curl('-X', 'POST', at('/admin/account/login'), ...body(value));
    expect(seen(answer)).toEqual([status, withText]);
  });

  it.each([
    ['that is not JSON', [...json, '-d', '{"username":']],
    ['that is no object', [...json, '-d', '["opsadmin"]']],
    ['of another type', ['-H', 'Content-Type: text/plain', '-d', '{}']],
  ])('a body %s is answered with 400', async (_, args) => {
    expect(seen(await curl('-X', 'POST', at('/admin/account/login'), ...args))).toEqual([400, withText]);
  });

  it('me and verify know whose token it is, with a body of {} too', async () => {
    const me = { 'account-id': accountId, username: firstAccount.username };
    expect(seen(await admin('GET', '/admin/me'))).toEqual([200, me]);
    expect(seen(await admin('GET', '/admin/me', {}))).toEqual([200, me]);
    const verified = await admin('GET', '/admin/verify');
    expect([verified.status, verified.body.length]).toEqual([204, 0]);
  });

  it.each(['me', 'verify', 'account', 'creds', 'csv/auth', 'status', 'account/renew'])(
    '%s without a token, or with a bad one, is answered with 401',
    async (path) => {
      expect(seen(await curl(at(`/admin/${path}`)))).toEqual([401, withText]);
      const bad = ['-H', 'Authorization: Bearer not.a.token'];
      expect(seen(await curl(at(`/admin/${path}`), ...bad))).toEqual([401, withText]);
    },
  );

  it('create answers with account-id, twice with 409, weak names and passwords with 400', async () => {
    expect(seen(await admin('POST', '/admin/account/create', operator))).toEqual([
      200,
      { 'account-id': uuid, 'json-web-token': jwt },
    ]);
    expect(seen(await admin('POST', '/admin/account/create', operator))).toEqual([409, withText]);
    const weak = { username: 'short', password: 'short' };
    expect(seen(await admin('POST', '/admin/account/create', weak))).toEqual([400, withText]);
  });

  it('account lists account-id and username of each account, and deletes one', async () => {
    const list = parsed(await admin('GET', '/admin/account'));
    expect(list).toHaveLength(2);
    expect(list).toContainEqual({ 'account-id': accountId, username: firstAccount.username });
    const login = await curl('-X', 'POST', at('/admin/account/login'), ...body(operator));
    const gone = { 'account-id': stringMember(login, 'account-id') };
    expect(list).toContainEqual({ ...gone, username: operator.username });
    expect(seen(await admin('DELETE', '/admin/account', gone))).toEqual([200, gone]);
    expect(seen(await admin('DELETE', '/admin/account', gone))).toEqual([404, withText]);
    expect(seen(await admin('DELETE', '/admin/account', { 'account-id': 'me' }))).toEqual([400, withText]);
  });

  it('the only account is not deleted', async () => {
    const only = { 'account-id': accountId };
    expect(seen(await admin('DELETE', '/admin/account', only))).toEqual([400, withText]);
    expect((await admin('GET', '/admin/me')).status).toBe(200);
  });

  it('creds makes, lists, changes and deletes a pair', async () => {
    const created = await admin('POST', '/admin/creds', { scopes: ['statements/write'], label: 'LMS' });
    expect(seen(created)).toEqual([200, { 'api-key': key, 'secret-key': key, scopes: ['statements/write'] }]);
    const pair = {
      'api-key': stringMember(created, 'api-key'),
      'secret-key': stringMember(created, 'secret-key'),
    };
    const listed = parsed(await admin('GET', '/admin/creds'));
    expect(listed).toContainEqual({ id: uuid, ...pair, label: 'LMS', scopes: ['statements/write'] });
    expect(listed).toContainEqual({
      id: uuid,
      'api-key': settings.LRS_API_KEY_DEFAULT,
      'secret-key': settings.LRS_API_SECRET_DEFAULT,
      label: null,
      'seed?': true,
      scopes: ['all'],
    });
    expect(seen(await admin('PUT', '/admin/creds', { ...pair, scopes: ['all'] }))).toEqual([
      200,
      { ...pair, label: null, scopes: ['all'] },
    ]);
    expect(seen(await admin('DELETE', '/admin/creds', pair))).toEqual([200, pair]);
  });

  it.each([
    ['no scopes', {}],
    ['an unknown scope', { scopes: ['everything'] }],
    ['a scope twice', { scopes: ['all', 'all'] }],
    ['a label that is no text', { scopes: ['all'], label: 7 }],
  ])('creds with %s is answered with 400', async (_, value) => {
    expect(seen(await admin('POST', '/admin/creds', value))).toEqual([400, withText]);
  });

  it('a pair opens the xAPI with -u', async () => {
    const pair = `${settings.LRS_API_KEY_DEFAULT}:${settings.LRS_API_SECRET_DEFAULT}`;
    const version = ['-H', 'X-Experience-API-Version: 1.0.3'];
    const posted = await curl(
      '-X',
      'POST',
      at('/xapi/statements'),
      '-u',
      pair,
      ...version,
      ...body(statement),
    );
    expect(seen(posted)).toEqual([200, [uuid]]);
    const all = await curl(at('/xapi/statements'), '-u', pair, ...version);
    expect(seen(all)).toEqual([200, { statements: [expect.objectContaining(statement)], more: '' }]);
    const wrong = await curl(at('/xapi/statements'), '-u', 'seed-api-key:wrong', ...version);
    expect(seen(wrong)).toEqual([401, withText]);
  });

  it('csv/auth gives a token for one download, with a vector of property paths', async () => {
    const authorised = await admin('GET', '/admin/csv/auth');
    expect(seen(authorised)).toEqual([200, { 'account-id': accountId, 'json-web-token': jwt }]);
    const paths = '[["verb" "id"] ["actor" "mbox"]]';
    const token = stringMember(authorised, 'json-web-token');
    const args = ['-G', at('/admin/csv'), '--data-urlencode', `token=${token}`];
    const bad = await curl(...args, '--data-urlencode', 'property-paths=[["id"');
    expect(seen(bad)).toEqual([400, withText]);
    const csv = await curl(...args, '--data-urlencode', `property-paths=${paths}`);
    expect([csv.status, csv.body.toString()]).toEqual([
      200,
      'verb_id,actor_mbox\r\nhttp://adlnet.gov/expapi/verbs/completed,mailto:ann@example.org\r\n',
    ]);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expect(csv.headers['content-disposition']).toMatch(/^attachment/);
    expect(seen(await curl(...args))).toEqual([401, withText]);
  });

  it('status answers all members, or those that are included', async () => {
    const stored = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{9}Z$/);
    expect(seen(await admin('GET', '/admin/status'))).toEqual([
      200,
      {
        'statement-count': 1,
        'actor-count': 1,
        'last-statement-stored': stored,
        'platform-frequency': { Moodle: 1 },
        timeline: [{ stored, count: 1 }],
      },
    ]);
    const some = '/admin/status?include=statement-count&include=actor-count&timeline-unit=year';
    expect(seen(await admin('GET', some))).toEqual([200, { 'statement-count': 1, 'actor-count': 1 }]);
    expect(seen(await admin('GET', '/admin/status?include=everything'))).toEqual([400, withText]);
  });

  it('env and health need no token', async () => {
    const env = await curl(at('/admin/env'));
    expect(seen(env)).toEqual([
      200,
      {
        'jwt-refresh-interval': expect.any(Number),
        'jwt-interaction-window': expect.any(Number),
        'url-prefix': '/xapi',
        'proxy-path': null,
        'enable-admin-delete-actor': true,
        'enable-admin-status': true,
        'enable-reactions': false,
        'enable-stores': false,
        'no-val?': false,
        'admin-language-code': 'en-US',
        'custom-language': {},
        'stmt-get-max': 50,
        'auth-by-cred-id': false,
        'supported-versions': ['1.0.3', '2.0.0'],
        'reaction-version': '1.0.3',
      },
    ]);
    expect((await curl(at('/health'))).status).toBe(200);
  });

  it('openapi describes the administration', async () => {
    const answer = await admin('GET', '/admin/openapi');
    expect(seen(answer)).toEqual([200, expect.objectContaining({ openapi: '3.1.0' })]);
  });

  it('agents deletes an actor and names it, whether or not there is one', async () => {
    for (const ifi of ['mbox::mailto:ann@example.org', 'account::ann@https://example.org']) {
      const answer = await admin('DELETE', '/admin/agents', { 'actor-ifi': ifi });
      expect(seen(answer)).toEqual([200, expect.objectContaining({ 'actor-ifi': ifi })]);
    }
    expect(parsed(await admin('GET', '/admin/status?include=statement-count'))).toEqual({
      'statement-count': 0,
    });
    expect(seen(await admin('DELETE', '/admin/agents', { 'actor-ifi': 'ann' }))).toEqual([400, withText]);
  });

  it.each(['POST', 'GET', 'PUT', 'DELETE'])(
    '%s reaction is answered with 404 while it is off',
    async (method) => {
      expect(seen(await admin(method, '/admin/reaction', {}))).toEqual([404, withText]);
    },
  );

  it('what is not there is answered in JSON, too', async () => {
    expect(seen(await admin('GET', '/admin/nothing'))).toEqual([404, withText]);
    const wrong = await admin('PUT', '/admin/account/login', {});
    expect(seen(wrong)).toEqual([405, withText]);
    expect(wrong.headers.allow).toMatch(/POST/);
  });

  it('the password is changed with the old one', async () => {
    const change = { 'old-password': firstAccount.password, 'new-password': 'N3w_and_longer?' };
    expect(seen(await admin('PUT', '/admin/account/password', change))).toEqual([
      200,
      { 'account-id': accountId },
    ]);
    expect(seen(await admin('PUT', '/admin/account/password', change))).toEqual([401, withText]);
    const same = { 'old-password': 'N3w_and_longer?', 'new-password': 'N3w_and_longer?' };
    expect(seen(await admin('PUT', '/admin/account/password', same))).toEqual([400, withText]);
  });

  it('renew answers with another token', async () => {
    const answer = await admin('GET', '/admin/account/renew');
    expect(seen(answer)).toEqual([200, { 'account-id': accountId, 'json-web-token': jwt }]);
    expect(stringMember(answer, 'json-web-token')).not.toBe(token);
  });

  it('logout revokes the tokens of the account', async () => {
    expect(seen(await admin('POST', '/admin/account/logout'))).toEqual([200, { 'account-id': accountId }]);
    expect(seen(await admin('GET', '/admin/me'))).toEqual([401, withText]);
    expect(seen(await admin('POST', '/admin/account/logout', {}))).toEqual([401, withText]);
  });
});
