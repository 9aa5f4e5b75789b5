import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Administration, administrations, expectError, expectJson } from '../../support/admin-client.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { parsed } from '../../support/lrs-client.ts';
import { newStatement } from '../../support/statement-client.ts';
import { agent, voiding } from '../../support/statements.ts';

/* The titles are the sentences of the service specification and of what fills its gaps. */

const noRows = {
  statement: 0,
  statement_key: 0,
  statement_reference: 0,
  statement_attachment: 0,
  attachment: 0,
  agent: 0,
  agent_name: 0,
  document: 0,
};

describe.each(administrations)('DELETE /admin/agents, on $name', ({ shared, open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;
  let token: string;

  beforeAll(async () => {
    lrs = await open({ LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true' });
    holder = await keyPairHolder(lrs);
    token = await lrs.login();
  });
  afterAll(() => lrs?.close());

  const erase = (body: unknown) => lrs.call('DELETE', '/admin/agents', { token, body });
  const ids = async (): Promise<unknown> => {
    const { statements } = parsed(await holder.xapi('GET', '/xapi/statements')) as {
      statements: { id: string }[];
    };
    return statements.map(({ id }) => id);
  };

  it('Hard-deletes all records of the actor and associated records (Statements, attachments and so on).', async () => {
    const kept = newStatement({ actor: agent('kept') });
    await holder.post(newStatement({ actor: { ...agent('gone'), name: 'Gone' } }), kept);
    const query = new URLSearchParams({ agent: JSON.stringify(agent('gone')), profileId: 'p' }).toString();
    const put = await holder.xapi('POST', '/xapi/agents/profile', { query, body: { a: 1 } });
    expect(put.status).toBe(204);
    const rows = {
      ...noRows,
      statement: 1,
      statement_key: expect.any(Number),
      agent: 1,
      agent_name: 1,
      document: 1,
    };
    const ifi = 'mbox::mailto:gone@example.org';
    const removal = { 'actor-ifi': ifi, 'dry-run': false, receipt };
    expectJson(await erase({ 'actor-ifi': ifi }), { ...removal, rows });
    expect(await ids()).toEqual([kept.id]);
    expect((await holder.xapi('GET', '/xapi/agents/profile', { query })).status).toBe(404);
    const person = new URLSearchParams({ agent: JSON.stringify(agent('gone')) }).toString();
    expect(parsed(await holder.xapi('GET', '/xapi/agents', { query: person }))).not.toHaveProperty('name');
    expectJson(await erase({ 'actor-ifi': ifi }), { ...removal, rows: noRows });
  });

  const receipt = {
    'audit-event': expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    username: expect.any(String),
  };

  it('a dry run counts by table what would be removed, and removes nothing', async () => {
    const statement = newStatement({ actor: agent('counted') });
    await holder.post(statement);
    const ifi = 'mbox::mailto:counted@example.org';
    const rows = { ...noRows, statement: 1, statement_key: expect.any(Number), agent: 1 };
    const dry = await erase({ 'actor-ifi': ifi, 'dry-run': true });
    expectJson(dry, { 'actor-ifi': ifi, 'dry-run': true, rows });
    expect(await ids()).toContain(statement.id);
    const real = await erase({ 'actor-ifi': ifi, 'dry-run': false });
    expect(parsed(real)).toEqual({ ...(parsed(dry) as object), 'dry-run': false, receipt });
    const { 'audit-event': entry } = (parsed(real) as { receipt: Record<string, unknown> }).receipt;
    const trail = await lrs.call('GET', '/admin/audit', { token: await lrs.firstToken(), query: 'limit=10' });
    const { events } = parsed(trail) as { events: { id: string }[] };
    const counts = (parsed(dry) as { rows: object }).rows;
    expect(events.find(({ id }) => id === entry)).toMatchObject({ action: 'DELETE /admin/agents', counts });
    expect(await ids()).not.toContain(statement.id);
  });

  it('the audit trail tells a dry run from a deletion', async () => {
    await erase({ 'actor-ifi': 'mbox::mailto:nobody@example.org', 'dry-run': true });
    await erase({ 'actor-ifi': 'mbox::mailto:nobody@example.org' });
    const { events } = parsed(await lrs.call('GET', '/admin/audit', { token, query: 'limit=2' })) as {
      events: { action: string }[];
    };
    expect(events.map(({ action }) => action)).toEqual([
      'DELETE /admin/agents',
      'DELETE /admin/agents (dry run)',
    ]);
  });

  it('statements that only refer to removed ones keep; a removed voider leaves its target voided', async () => {
    const target = newStatement({ actor: agent('target') });
    const mentioned = newStatement({ actor: agent('leaver') });
    const referring = newStatement({ object: { objectType: 'StatementRef', id: mentioned.id } });
    await holder.post(target, mentioned);
    await holder.post(referring);
    await holder.post(voiding(target.id, { actor: agent('leaver') }));
    await erase({ 'actor-ifi': 'mbox::mailto:leaver@example.org' });
    const left = await ids();
    expect(left).toContain(referring.id);
    expect(left).not.toContain(target.id);
    const query = `voidedStatementId=${target.id}`;
    expect((await holder.xapi('GET', '/xapi/statements', { query })).status).toBe(200);
  });

  it.each([
    ['mbox', 'mbox::mailto:Ann@EXAMPLE.org', { mbox: 'mailto:Ann@example.org' }],
    ['mbox_sha1sum', `mbox_sha1sum::${'ab'.repeat(20)}`, { mbox_sha1sum: 'ab'.repeat(20) }],
    ['openid', 'openid::https://id.example.org/ann', { openid: 'https://id.example.org/ann' }],
    [
      'account',
      'account::ann@work@https://x.example.org/',
      { account: { name: 'ann@work', homePage: 'https://x.example.org/' } },
    ],
    [
      'account whose home page holds @',
      'account::ann@https://x.example.org/@b',
      { account: { name: 'ann', homePage: 'https://x.example.org/@b' } },
    ],
  ])('`actor-ifi` (inverse functional identifier of the actor): %s', async (_, ifi, identified) => {
    const statement = newStatement({ actor: identified });
    await holder.post(statement);
    expect(parsed(await erase({ 'actor-ifi': ifi }))).toMatchObject({
      'actor-ifi': ifi,
      rows: { statement: 1 },
    });
    expect(await ids()).not.toContain(statement.id);
  });

  it.each([
    [{}],
    [{ 'actor-ifi': 1 }],
    [{ 'actor-ifi': '' }],
    [{ 'actor-ifi': 'ann@example.org' }],
    [{ 'actor-ifi': 'mbox::ann@example.org' }],
    [{ 'actor-ifi': 'mbox_sha1sum::12' }],
    [{ 'actor-ifi': 'openid::x' }],
    [{ 'actor-ifi': 'account::ann' }],
    [{ 'actor-ifi': 'account::@https://x.example.org' }],
    [{ 'actor-ifi': 'mbox::mailto:ann@example.org', 'dry-run': 'true' }],
    [[]],
    ['{'],
  ])('An invalid body gives 400: %j', async (body) => {
    expectError(await erase(body), 400);
  });

  it('Nothing is deleted for who has asked for a count in other words or in another place.', async () => {
    const counted = newStatement({ actor: agent('counted') });
    await holder.post(counted);
    const body = { 'actor-ifi': 'mbox::mailto:counted@example.org' };
    for (const member of ['dryrun', 'dryRun', 'dry_run', 'Dry-Run']) {
      const answer = await erase({ ...body, [member]: true });
      expectError(answer, 400);
      expect(parsed(answer)).toMatchObject({ error: `${member} is not known; write dry-run, in the body.` });
    }
    const misplaced = await lrs.call('DELETE', '/admin/agents', { token, body, query: 'dry-run=true' });
    expectError(misplaced, 400);
    expect(parsed(misplaced)).toMatchObject({ error: 'dry-run must be a member of the body.' });
    expect(await ids()).toContain(counted.id);
  });

  it('An expired or invalid JWT gives 401.', async () => {
    const body = { 'actor-ifi': 'mbox::mailto:a@example.org' };
    expectError(await lrs.call('DELETE', '/admin/agents', { body }), 401);
    expectError(await lrs.call('DELETE', '/admin/agents', { body, token: 'x' }), 401);
  });

  it('`DELETE /admin/agents` works only when `enableAdminDeleteActor` is true.', async () => {
    if (!shared) return;
    const other = await lrs.elsewhere({ LRS_ENABLE_ADMIN_DELETE_ACTOR: 'false' });
    const body = { 'actor-ifi': 'mbox::mailto:a@example.org' };
    const answer = await other.call('DELETE', '/admin/agents', { token, body });
    expectError(answer, 404);
    expect(answer.body.toString()).toContain('webserver.enableAdminDeleteActor');
  });
});
