import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Administration,
  administrations,
  expectError,
  type NewAccount,
} from '../../support/admin-client.ts';
import type { ClientAnswer } from '../../support/gateway-events.ts';
import { parsed, stringMember } from '../../support/lrs-client.ts';

type Event = Readonly<Record<string, unknown>>;

/** Somebody at the admin screen: an account with a key pair. */
interface Operator extends NewAccount {
  readonly apiKey: string;
  readonly basic: string;
}

const ada = { mbox: 'mailto:ada@example.org' };
const verb = { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'completed' } };
const object = { id: 'https://example.org/activities/course' };
const statement = (more: object = {}) => ({ actor: ada, verb, object, ...more });
const voiding = (id: string) =>
  statement({
    verb: { id: 'http://adlnet.gov/expapi/verbs/voided' },
    object: { objectType: 'StatementRef', id },
  });

describe.each(administrations)('the audit trail of operators, on $name', ({ open }) => {
  let lrs: Administration;

  beforeAll(async () => {
    lrs = await open({ LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' });
  });
  afterAll(() => lrs?.close());

  async function newOperator(): Promise<Operator> {
    const account = await lrs.newAccount();
    const pair = await lrs.call('POST', '/admin/creds', { token: account.token, body: { scopes: ['all'] } });
    const apiKey = stringMember(pair, 'api-key');
    const basic = `Basic ${Buffer.from(`${apiKey}:${stringMember(pair, 'secret-key')}`).toString('base64')}`;
    return { ...account, apiKey, basic };
  }

  interface XapiCall {
    readonly body?: unknown;
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** What X-LRS-Operator holds; null leaves the header out. */
    readonly operator?: string | null;
  }

  /** A call of the xAPI as the screen makes it. */
  function xapi(who: Operator, line: `${string} ${string}`, call: XapiCall = {}): Promise<ClientAnswer> {
    const [method = '', resource = ''] = line.split(' ');
    const operator = call.operator === undefined ? `Bearer ${who.token}` : call.operator;
    return lrs.call(method, `/xapi/${resource}`, {
      ...(call.body !== undefined && { body: call.body }),
      ...(call.query !== undefined && { query: call.query }),
      headers: {
        authorization: who.basic,
        'x-experience-api-version': '1.0.3',
        ...(operator !== null && { 'x-lrs-operator': operator }),
        ...call.headers,
      },
    });
  }

  async function eventsOf(who: NewAccount, query: Record<string, string> = {}): Promise<Event[]> {
    const search = new URLSearchParams({ username: who.username, ...query }).toString();
    const answer = await lrs.call('GET', '/admin/audit', { token: await lrs.firstToken(), query: search });
    const { events } = parsed(answer) as { readonly events: Event[] };
    return events.filter(({ action }) => action !== 'POST /admin/creds');
  }

  it('names the voided statement, the operator and the key pair when a statement is voided', async () => {
    const who = await newOperator();
    const [id] = parsed(
      await xapi(who, 'POST statements', { body: statement(), operator: null }),
    ) as string[];
    expect((await xapi(who, 'POST statements', { body: voiding(String(id)) })).status).toBe(200);
    expect(await eventsOf(who)).toEqual([
      {
        ...{ id: expect.any(String), at: expect.any(String), client: expect.any(String) },
        ...{ 'account-id': who.id, username: who.username, 'key-pair': who.apiKey },
        ...{ kind: 'change', action: 'POST /xapi/statements (void)', subject: id },
        ...{ counts: { statements: 1, voiding: 1 }, status: 200, outcome: 'done' },
        'request-id': expect.any(String),
      },
    ]);
  });

  it('holds the requests of an upload as one entry that counts what was stored, and refused ones as another', async () => {
    const who = await newOperator();
    for (let request = 0; request < 3; request += 1) {
      await xapi(who, 'POST statements', { body: [statement(), statement()] });
    }
    for (let request = 0; request < 2; request += 1) await xapi(who, 'POST statements', { body: [{}] });
    const events = await eventsOf(who);
    const upload = { action: 'POST /xapi/statements', kind: 'change', 'key-pair': who.apiKey };
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({
        ...{ ...upload, counts: { statements: 6 }, times: 3, outcome: 'done' },
        'last-at': expect.any(String),
      }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ ...upload, status: 400, times: 2, outcome: 'refused' }),
    );
  });

  it('holds the pages of a list and a live view of it as one entry with its filters', async () => {
    const who = await newOperator();
    const verbId = `https://example.org/verbs/${randomUUID()}`;
    const body = [1, 2, 3].map(() => statement({ verb: { id: verbId } }));
    await xapi(who, 'POST statements', { body, operator: null });
    const filters = new URLSearchParams({ verb: verbId, limit: '2' });
    const first = parsed(await xapi(who, 'GET statements', { query: filters.toString() })) as {
      more: string;
    };
    await xapi(who, 'GET statements', { query: first.more.slice(first.more.indexOf('?') + 1) });
    const since = new Date(0).toISOString();
    await xapi(who, 'GET statements', { query: `${filters}&since=${encodeURIComponent(since)}` });
    const later = new Date(Date.now() + 86_400_000).toISOString();
    await xapi(who, 'GET statements', { query: `${filters}&since=${encodeURIComponent(later)}` });
    expect(await eventsOf(who)).toMatchObject([
      {
        ...{ kind: 'disclosure', action: 'GET /xapi/statements', filters: { verb: verbId } },
        ...{ counts: { statements: 5 }, times: 3, outcome: 'done' },
      },
    ]);
  });

  it('holds single statements and attachments by the id', async () => {
    const who = await newOperator();
    const [id] = parsed(
      await xapi(who, 'POST statements', { body: statement(), operator: null }),
    ) as string[];
    await xapi(who, 'GET statements', { query: `statementId=${id}` });
    await xapi(who, 'GET statements', { query: `statementId=${id}&attachments=true` });
    await xapi(who, 'GET statements', { query: `statementId=${randomUUID()}` });
    expect(await eventsOf(who)).toMatchObject([
      { action: 'GET /xapi/statements (single)', status: 404, outcome: 'refused' },
      { action: 'GET /xapi/statements (attachments)', subject: id, counts: { statements: 1 } },
      { action: 'GET /xapi/statements (single)', subject: id, counts: { statements: 1 } },
    ]);
  });

  it('holds what is done to documents, by Activity, Agent and id, and finds it by the Agent until he is erased', async () => {
    const who = await newOperator();
    const agent = { account: { homePage: 'https://example.org', name: randomUUID() } };
    const about = { activityId: 'https://example.org/course', agent: JSON.stringify(agent) };
    const query = new URLSearchParams({ ...about, stateId: 'bookmark' }).toString();
    const headers = { 'content-type': 'application/json' };
    await xapi(who, 'PUT activities/state', { query, headers, body: '{"page":1}' });
    await xapi(who, 'POST activities/state', { query, headers, body: '{"seen":true}' });
    await xapi(who, 'GET activities/state', { query });
    await xapi(who, 'GET activities/state', { query: new URLSearchParams(about).toString() });
    await xapi(who, 'DELETE activities/state', { query });
    const path = '/xapi/activities/state';
    const document = { subject: 'bookmark', agent, filters: { activityId: about.activityId } };
    const expected = [
      { ...document, kind: 'change', action: `DELETE ${path}` },
      { ...document, subject: null, kind: 'disclosure', action: `GET ${path} (list)` },
      { ...document, kind: 'disclosure', action: `GET ${path}` },
      { ...document, kind: 'change', action: `POST ${path}` },
      { ...document, kind: 'change', action: `PUT ${path}` },
    ];
    expect(await eventsOf(who)).toMatchObject(expected);
    expect(await eventsOf(who, { agent: JSON.stringify(agent) })).toMatchObject(expected);
    expect(await eventsOf(who, { agent: JSON.stringify(agent), kind: 'change' })).toHaveLength(3);
    expect(await eventsOf(who, { agent: JSON.stringify(ada) })).toEqual([]);

    const ifi = { 'actor-ifi': `account::${agent.account.name}@${agent.account.homePage}` };
    await lrs.call('DELETE', '/admin/agents', { token: who.token, body: { ...ifi, 'dry-run': true } });
    await lrs.call('DELETE', '/admin/agents', { token: who.token, body: ifi });
    const [erasure, dryRun, ...earlier] = await eventsOf(who, { agent: JSON.stringify(agent) });
    expect(dryRun).toMatchObject({ kind: 'disclosure', action: 'DELETE /admin/agents (dry run)' });
    expect(erasure).toMatchObject({
      ...{ kind: 'change', action: 'DELETE /admin/agents', outcome: 'done' },
      counts: expect.objectContaining({ agent: 1, document: 0 }),
    });
    expect(earlier.map((event) => event.agent)).toEqual([null, null, null, null, null]);
    expect(JSON.stringify(await eventsOf(who))).not.toContain(agent.account.name);
  });

  it('holds the lists of Agents and documents, but not what was searched for', async () => {
    const who = await newOperator();
    for (const search of ['A', 'Ad', 'Ada Exa']) {
      await lrs.call('GET', '/admin/agents', {
        token: who.token,
        query: `search=${encodeURIComponent(search)}`,
      });
    }
    await lrs.call('GET', '/admin/documents', { token: who.token });
    const events = await eventsOf(who);
    expect(events).toMatchObject([
      { kind: 'disclosure', action: 'GET /admin/documents' },
      { kind: 'disclosure', action: 'GET /admin/agents', filters: { search: '…' }, times: 3 },
    ]);
    expect(JSON.stringify(events)).not.toContain('Ada Exa');
  });

  it('tells the preview of an export from its download, with the rows of each', async () => {
    const who = await newOperator();
    const verbId = `https://example.org/verbs/${randomUUID()}`;
    const body = Array.from({ length: 12 }, () => statement({ verb: { id: verbId } }));
    await xapi(who, 'POST statements', { body, operator: null });
    const query = new URLSearchParams({ verb: verbId }).toString();
    const preview = await lrs.call('GET', '/admin/csv', { token: who.token, query: `${query}&preview=true` });
    expect(preview.body.toString().trimEnd().split('\r\n')).toHaveLength(11);
    const auth = await lrs.call('GET', '/admin/csv/auth', { token: who.token });
    const token = stringMember(auth, 'json-web-token');
    const download = await lrs.call('GET', '/admin/csv', { query: `${query}&token=${token}` });
    expect(download.body.toString().trimEnd().split('\r\n')).toHaveLength(13);
    expect(await eventsOf(who)).toMatchObject([
      { action: 'GET /admin/csv', filters: { verb: verbId }, counts: { rows: 12 }, outcome: 'done' },
      { action: 'GET /admin/csv (preview)', counts: { rows: 10 }, outcome: 'done' },
    ]);
  });

  it.each([
    ['Bearer nonsense', 'is refused: The token is not valid, has expired or was revoked.'],
    ['nonsense', 'must be a Bearer token from the login.'],
    ['', 'must be a Bearer token from the login.'],
  ])('refuses a request whose operator is "%s", and does nothing', async (operator, message) => {
    const who = await newOperator();
    const id = randomUUID();
    const answer = await xapi(who, 'POST statements', { body: statement({ id }), operator });
    expectError(answer, 401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="LRS administration"');
    expect(parsed(answer)).toMatchObject({
      error: `The header X-LRS-Operator ${message}`,
      details: [{ path: 'X-LRS-Operator' }],
    });
    expectError(await xapi(who, 'GET statements', { query: `statementId=${id}`, operator: null }), 404);
    expect(await eventsOf(who)).toEqual([]);
  });

  it('refuses a request whose operator has signed out', async () => {
    const who = await newOperator();
    await lrs.call('POST', '/admin/account/logout', { token: who.token });
    expectError(await xapi(who, 'GET statements'), 401);
  });

  it('holds what the scopes of a key pair refuse an operator', async () => {
    const who = await newOperator();
    const pair = await lrs.call('POST', '/admin/creds', { token: who.token, body: { scopes: ['state'] } });
    const basic = `Basic ${btoa(`${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`)}`;
    expectError(await xapi({ ...who, basic }, 'GET statements'), 403);
    expect(await eventsOf(who)).toMatchObject([{ action: 'GET /xapi/statements', outcome: 'refused' }]);
  });

  it('holds nothing of clients that are no operators', async () => {
    const who = await newOperator();
    await xapi(who, 'POST statements', { body: statement(), operator: null });
    await xapi(who, 'GET statements', { operator: null });
    expect(await eventsOf(who)).toEqual([]);
  });
});
