import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import { isClean } from '../../lib/transfer/parity/report.ts';
import { openSource } from '../../lib/transfer/sources/open.ts';
import { type Engine, engines, type TestPlace } from '../support/engines.ts';
import { account, authority, content, credential, fillLrsql, ids, sha2 } from '../support/lrsql-contents.ts';
import { type LrsqlFixture, lrsqlInSqlite, lrsqlOnServer } from '../support/lrsql-database.ts';
import { foundIds, read } from '../support/statements.ts';
import {
  createStore,
  importFrom,
  type TestStore,
  temporaryFolder,
  trustedTarget,
} from '../support/transfer.ts';

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
      engine.dialect === 'sqlite'
        ? await lrsqlInSqlite(join(folder.path, 'lrsql.db'))
        : await lrsqlOnServer(place.options as ServerOptions);
    await fillLrsql(fixture);
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
});
