import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import mariadb from 'mariadb';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { importAddress } from '../../scripts/import-address.ts';
import { type Engine, engines, type TestPlace } from '../support/engines.ts';
import { type LrsqlFixture, lrsqlInSqlite, lrsqlOnServer, squuid } from '../support/lrsql-database.ts';
import { agent, foundIds, read, statement, voiding } from '../support/statements.ts';
import {
  createStore,
  importFrom,
  type TestStore,
  temporaryFolder,
  trustedTarget,
} from '../support/transfer.ts';

/** Of the password `admin`, made by the library that lrsql uses. */
const passhash =
  'bcrypt+sha512$86186fc28f83b3e3db78bcf8350a3a57$12$8f215420e68fd7922561167b07354f05d8db6d49e212689e';
const start = Date.parse('2024-05-06T07:08:09.100Z');
const [account, other, credential] = [randomUUID(), randomUUID(), randomUUID()];
const authority = {
  objectType: 'Agent' as const,
  account: { homePage: 'http://example.org', name: credential },
};
const content = Buffer.from('a photo');
const sha2 = createHash('sha256').update(content).digest('hex');
const ids = Array.from({ length: 5 }, () => randomUUID());

/** As lrsql writes them: `stored` with nine digits, two with one time. */
const statements = [
  statement({ id: ids[0] ?? '' }),
  statement({ id: ids[1] ?? '', actor: agent('voided') }),
  voiding(ids[1] ?? '', { id: ids[2] ?? '' }),
  statement({
    id: ids[3] ?? '',
    attachments: [
      {
        ...{ usageType: 'https://example.org/photo', display: { en: 'Photo' } },
        ...{ contentType: 'text/plain', length: content.length, sha2 },
      },
    ],
  }),
  statement({ id: ids[4] ?? '', version: '2.0.0' }),
].map((each, index) => {
  const stored = new Date(start + Math.max(0, index - 1)).toISOString().replace('Z', '000000Z');
  return { version: '1.0.0', ...each, timestamp: stored, stored, authority };
});

async function fill({ insert }: LrsqlFixture): Promise<void> {
  for (const [index, each] of statements.entries()) {
    await insert('xapi_statement', {
      id: squuid(start + index),
      statement_id: each.id ?? '',
      verb_iri: each.verb.id,
      is_voided: index === 1,
      payload: JSON.stringify(each),
    });
  }
  await insert('attachment', {
    ...{ id: squuid(start), statement_id: ids[3] ?? '', attachment_sha: sha2 },
    ...{ content_type: 'text/plain', content_length: content.length, contents: content },
  });
  const document = {
    ...{ last_modified: new Date('2024-01-02T03:04:05.678Z'), content_type: 'application/json' },
    ...{ content_length: 7, contents: Buffer.from('{"a":1}') },
  };
  const activity_iri = 'https://example.org/a';
  await insert('state_document', {
    ...{ id: squuid(1), state_id: 'bookmark', activity_iri, registration: ids[0] ?? '' },
    ...{ agent_ifi: 'account::ann@mail.example@https://home.example/@x', ...document },
  });
  await insert('agent_profile_document', {
    id: squuid(2),
    profile_id: 'p',
    agent_ifi: 'mbox::mailto:ann@Example.org',
    ...document,
  });
  await insert('activity_profile_document', { id: squuid(3), profile_id: 'p', activity_iri, ...document });
  await insert('admin_account', { id: account, username: 'operator', passhash });
  await insert('admin_account', { id: other, username: 'from-oidc', oidc_issuer: 'https://issuer.example' });
  const pair = { api_key: 'the-api-key', secret_key: 'the-secret-key' };
  await insert('lrs_credential', { id: credential, ...pair, account_id: account, label: 'platform' });
  for (const scope of ['statements/read/mine', 'define', 'statements/write']) {
    await insert('credential_to_scope', { id: randomUUID(), ...pair, scope });
  }
  const ruleset = {
    identityPaths: [['actor', 'mbox']],
    conditions: { a: { path: ['verb', 'id'], op: 'eq', val: 'https://example.org/verbs/did' } },
    template: { actor: agent('lrs'), verb: { id: 'https://example.org/v' }, object: { id: activity_iri } },
  };
  const times = { created: new Date(start), modified: new Date(start) };
  await insert('reaction', {
    id: randomUUID(),
    title: 'Kept',
    ruleset: JSON.stringify(ruleset),
    ...times,
    active: true,
  });
  await insert('reaction', { id: randomUUID(), title: 'Deleted', ruleset: '{}', ...times, active: null });
}

/** lrsql has no database in memory that another program could read. */
const sources = engines.filter(({ shared }) => shared);

describe.each(sources)('a database of lrsql on $name', (engine: Engine) => {
  let place: TestPlace;
  let fixture: LrsqlFixture;
  let to: TestStore;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    folder = await temporaryFolder();
    place = await engine.reserve();
    fixture =
      engine.family === 'sqlite'
        ? await lrsqlInSqlite(join(folder.path, 'lrsql.db'))
        : await lrsqlOnServer(place.options as ServerOptions);
    await fill(fixture);
    to = await createStore(engine);
  });
  afterEach(async () => {
    await fixture.close();
    await place.remove();
    await to.remove();
    await folder.remove();
  });

  it('is imported as a whole: statements with their times, documents, accounts, key pairs, reactions', async () => {
    const source = await openSource(fixture.from, { folder: folder.path });
    const { progress, report } = await importFrom(source, trustedTarget(to.store), { folder: folder.path });
    await source.close();
    expect(report.refused).toEqual([]);
    expect(report.differences).toEqual([]);
    expect(isClean(report)).toBe(true);
    const stored = { present: 0, refused: 0 };
    expect(progress.counts).toEqual({
      account: { stored: 2, ...stored },
      keyPair: { stored: 1, ...stored },
      document: { stored: 3, ...stored },
      statement: { stored: 5, ...stored },
      reaction: { stored: 1, ...stored },
    });
    const { statements: service, credentials, accounts, documents, reactions } = to.store.services;
    expect(await foundIds(service, { ascending: true })).toEqual(ids.filter((_, index) => index !== 1));
    expect((await read(service, ids[0] ?? '')).stored).toBe('2024-05-06T07:08:09.100000Z');
    expect((await read(service, ids[1] ?? '', true)).stored).toBe('2024-05-06T07:08:09.100001Z');
    expect((await read(service, ids[3] ?? '')).authority).toEqual(authority);
    const page = await service.get(
      { id: ids[3] ?? '', voided: false },
      { format: 'exact', attachments: true, languages: [] },
    );
    expect(page.attachments).toEqual([{ sha2, contentType: 'text/plain', content }]);
    expect(await credentials.authenticate('the-api-key', 'the-secret-key')).toMatchObject({
      credentialId: credential,
      scopes: ['statements/read/mine', 'statements/write'],
    });
    expect((await credentials.list(account))[0]?.label).toBe('platform');
    const state = await documents.get({
      ...{ kind: 'activities/state', activity: 'https://example.org/a', id: 'bookmark' },
      ...{ agent: 'account::ann@mail.example@https://home.example/@>x', registration: ids[0] },
    });
    expect([state.updated, state.content.toString()]).toEqual([
      Date.parse('2024-01-02T03:04:05.678Z') * 1000,
      '{"a":1}',
    ]);
    await documents.get({
      kind: 'agents/profile',
      activity: undefined,
      agent: 'mbox::mailto:ann@example.org',
      registration: undefined,
      id: 'p',
    });
    const titles = (await reactions.list()).map((text): { title: string } => JSON.parse(text).title);
    expect(titles).toEqual(['Kept']);
    await expect(accounts.login('operator', 'wrong')).rejects.toThrow('wrong');
    await accounts.login('operator', 'admin');
    // Its hash is one of this store now.
    const [row] = await to.store.db.read((session) =>
      session.select<{ password_hash: string }>(
        "SELECT password_hash FROM admin_account WHERE username = 'operator'",
      ),
    );
    expect(row?.password_hash).toMatch(/^\$2b\$/);
    await accounts.login('operator', 'admin');
  });

  it('is opened at the address that lrsql is configured with', async () => {
    const { options } = place;
    const from =
      options.dbType === 'sqlite'
        ? `jdbc:sqlite:${fixture.from}`
        : `jdbc:${new URL(fixture.from).protocol}//${options.dbHost}:${options.dbPort}/${options.dbName}?${new URLSearchParams({ user: options.dbUser, password: options.dbPassword ?? '' })}`;
    const source = await openSource(importAddress(from), { folder: folder.path });
    expect(await source.count?.()).toBe(5);
    await source.close();
  });

  if (engine.family === 'mariadb') {
    it('is not read in clear where its address wants TLS', async () => {
      const reading = openSource(`${fixture.from}?sslMode=verify-full`, { folder: folder.path });
      await expect(reading).rejects.toThrow(/cannot be opened: .*(ssl|certificate)/i);
    });
  }

  if (engine.family === 'mariadb') {
    it('whose server ends the connection fails the import and not the process', async () => {
      const { hostname: host, port, username: user, password, pathname } = new URL(fixture.from);
      const login = { host, port: Number(port), user, password, database: pathname.slice(1) };
      const connection = await mariadb.createConnection({ ...login, bigIntAsNumber: true });
      const connections = async (): Promise<number[]> => {
        const rows = await connection.query<{ id: number }[]>(
          'SELECT id FROM information_schema.processlist WHERE db = DATABASE()',
        );
        return rows.map(({ id }) => id);
      };
      const others = await connections();
      const source = await openSource(fixture.from, { folder: folder.path });
      const entries = source.entries()[Symbol.asyncIterator]();
      await entries.next();
      const own = (await connections()).filter((id) => !others.includes(id));
      for (const id of own) await connection.query('KILL ?', [id]);
      await connection.end();
      await expect(source.count?.()).rejects.toThrow(/closed|killed/i);
      await source.close();
    });
  }

  if (engine.family === 'postgres') {
    it('whose server ends the connection fails the import and not the process', async () => {
      const source = await openSource(fixture.from, { folder: folder.path });
      const entries = source.entries()[Symbol.asyncIterator]();
      await entries.next();
      const client = new pg.Client({ connectionString: fixture.from });
      await client.connect();
      await client.query(
        'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1',
        ['SELECT * FROM admin_account%'],
      );
      await client.end();
      await expect(source.count?.()).rejects.toThrow(/terminat|not queryable|closed/);
      await source.close();
    });
  }
});
