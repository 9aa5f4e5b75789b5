import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkReadHosts, openDatabase } from '../../lib/db/connect.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { MonitoredDatabase } from '../../lib/db/monitored-database.ts';
import { readingFromReplicas } from '../../lib/db/replica-reads.ts';
import { serverSecret } from '../../lib/db/server-secret-store.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import type { DocumentAddress } from '../../lib/documents/types.ts';
import { NotFoundError } from '../../lib/errors.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, serverOptions } from '../support/engines.ts';
import { type PostgresCluster, startPostgresCluster } from '../support/postgres-cluster.ts';
import { startPrivateServer } from '../support/private-server.ts';
import { batchOf, everything, exact, read, serviceOn, statement } from '../support/statements.ts';

const cluster = await startPostgresCluster({ synchronous: false });
if (cluster === undefined && process.env.LRS_TEST_FORBID_SKIP) {
  throw new Error('The programs of Postgres are missing on this machine, so there are no replicas.');
}

const terms = { version: '1.0.3', conditions: {} } as const;

describe.skipIf(cluster === undefined)('Postgres with two replicas that serve reads', () => {
  const { nodes, failOver, repair, remove } = cluster as PostgresCluster;
  const [primary, fast, slow] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]];
  const opened: MonitoredDatabase[] = [];
  let options: ServerOptions;
  let db: MonitoredDatabase;

  const open = async (more: Partial<ServerOptions> = {}): Promise<MonitoredDatabase> => {
    const database = await openDatabase({ ...options, ...more }, createLogger('OFF'));
    opened.push(database);
    return database;
  };
  const statuses = async (database = db) => (await database.replicas?.status()) ?? [];
  const stateOf = async (host: string, database = db) =>
    (await statuses(database)).find((status) => status.host === host);
  const becomes = (state: string, host: string, database = db) =>
    expect.poll(async () => (await stateOf(host, database))?.state).toBe(state);
  const readsOf = async (database = db) =>
    (await statuses(database)).reduce((sum, { reads }) => sum + reads, 0);

  beforeAll(async () => {
    const plain = serverOptions('postgres', `postgres://postgres@${primary.host}/postgres`);
    await administer(plain, `CREATE DATABASE ${plain.dbName}`);
    options = {
      ...plain,
      pool: { ...plain.pool, connectionTimeout: 3000 },
      replicas: { hosts: `${fast.host},${slow.host}`, maxWait: 1000, gather: 0, maximumSize: 4 },
    };
    db = await open();
    await serverSecret(db);
  });

  afterAll(async () => {
    for (const each of opened) await each.close();
    await remove();
  });

  it('each read sees what was acknowledged before, by this process or another one, however late a replica is', async () => {
    const [writer, reader] = [serviceOn(db), serviceOn(await open())];
    const other = opened.at(-1) as MonitoredDatabase;
    for (const { host } of [fast, slow]) {
      await becomes('used', host);
      await becomes('used', host, other);
    }
    await slow.delay(20_000);
    const missed: string[] = [];
    for (let pair = 0; pair < 300; pair += 1) {
      const [id = ''] = await writer.store(batchOf([statement({ id: randomUUID() })]));
      const query = () => reader.query({ ...everything, limit: 1 }, exact);
      const page = await (pair % 2 === 0 ? reader.get({ id, voided: false }, exact) : query());
      if (!page.statements[0]?.text.includes(id)) missed.push(id);
    }
    expect(missed).toEqual([]);
    expect(await readsOf(other)).toBeGreaterThan(100);
    expect(await stateOf(slow.host, other)).toMatchObject({ state: 'lagging' });
    await slow.delay(0);
    await becomes('used', slow.host, other);
  });

  it('a document is found as soon as its client was told that it is stored, and not found once it is deleted', async () => {
    const [writer, reader] = [createDocumentService(db), createDocumentService(readingFromReplicas(db))];
    const before = await readsOf();
    for (let pair = 0; pair < 50; pair += 1) {
      const address: DocumentAddress = {
        kind: 'activities/state',
        activity: 'https://example.org/activity',
        agent: 'mbox::mailto:a@example.org',
        registration: undefined,
        id: `document ${pair}`,
      };
      await writer.put(address, { contentType: 'text/plain', content: Buffer.from('text') }, terms);
      expect((await reader.get(address)).content.toString()).toBe('text');
      await writer.delete(address, {});
      await expect(reader.get(address)).rejects.toThrow(NotFoundError);
    }
    expect(await readsOf()).toBeGreaterThanOrEqual(before + 100);
  });

  it('a reader that goes on from the consistent-through watermark misses nothing while replicas are behind', async () => {
    await fast.delay(30);
    const [writer, reader] = [serviceOn(db), serviceOn(await open())];
    const other = opened.at(-1) as MonitoredDatabase;
    for (const { host } of [fast, slow]) await becomes('used', host, other);
    let since = await reader.consistentThrough();
    const stored: string[] = [];
    let done = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!done) stored.push(...(await writer.store(batchOf([statement(), statement()]))));
    });
    const seen = new Set<string>();
    const follow = async () => {
      const through = await reader.consistentThrough();
      const page = await reader.query({ ...everything, since, ascending: true, limit: 10_000 }, exact);
      for (const { text } of page.statements) seen.add(JSON.parse(text).id);
      expect(page.next).toBeUndefined();
      since = through;
    };
    while (stored.length < 200) await follow();
    done = true;
    await Promise.all(clients);
    await follow();
    expect(stored.filter((id) => !seen.has(id))).toEqual([]);
    expect(await readsOf(other)).toBeGreaterThan(0);
    await fast.delay(0);
  });

  it('a killed replica is used no longer, without an error for anybody, and again when it is back', async () => {
    const service = serviceOn(db);
    const [id = ''] = await service.store(batchOf([statement()]));
    const failures: unknown[] = [];
    let done = false;
    let answers = 0;
    const clients = Array.from({ length: 4 }, async () => {
      while (!done) {
        const page = await service.get({ id, voided: false }, exact).catch((error) => {
          failures.push(error);
          return undefined;
        });
        answers += page?.statements.length ?? 0;
      }
    });
    const isAnswering = async () => {
      const before = answers;
      await expect.poll(() => answers).toBeGreaterThan(before + 20);
    };
    for (const { host } of [fast, slow]) await becomes('used', host);
    for (const node of [fast, slow]) {
      await node.kill();
      await becomes('unreachable', node.host);
      await isAnswering();
    }
    for (const node of [fast, slow]) {
      await node.start();
      await becomes('used', node.host);
      await isAnswering();
    }
    done = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });

  it('replicas are looked at without a change: those that are late are told, and a server in both lists has either role', async () => {
    const all = nodes.map(({ host }) => host).join(',');
    const replicas = { hosts: all, maxWait: 0, gather: 0, maximumSize: 2 };
    const both = { ...options, dbHost: all, replicas };
    await expect.poll(() => checkReadHosts(both)).toEqual([]);
    await slow.delay(60_000);
    await serviceOn(db).store(batchOf([statement()]));
    expect(await checkReadHosts(both)).toMatchObject([
      { host: slow.host, reason: expect.stringContaining('it is behind the primary') },
    ]);
    await slow.delay(0);
    const strange = { ...both, dbUser: 'stranger' };
    expect((await checkReadHosts(strange)).map(({ host }) => host)).toEqual(nodes.map(({ host }) => host));
  });

  it('a server that accepts writes, and a replica of another database, are told apart and not used', async () => {
    const lines: string[] = [];
    const server = await startPrivateServer('postgres');
    if (server === undefined) throw new Error('Postgres does not start.');
    const elsewhere = { ...serverOptions('postgres', server.url), dbName: options.dbName };
    await administer(elsewhere, `CREATE DATABASE ${elsewhere.dbName}`);
    const hosts = `${primary.host},${fast.host}`;
    const mistaken = await openDatabase(
      { ...elsewhere, replicas: { hosts, maxWait: 0, gather: 0, maximumSize: 2 } },
      createLogger('INFO', { write: (line) => lines.push(line) }),
    );
    await serverSecret(mistaken);
    await becomes('primary', primary.host, mistaken);
    await becomes('foreign', fast.host, mistaken);
    const faults = await checkReadHosts({
      ...elsewhere,
      replicas: { hosts: `${hosts},127.0.0.1:1`, maxWait: 0, gather: 0, maximumSize: 2 },
    });
    expect(faults).toMatchObject([
      { host: primary.host, reason: expect.stringContaining('it accepts writes') },
      { host: fast.host, reason: expect.stringContaining('it is not a replica of this database') },
      { host: '127.0.0.1:1', reason: expect.stringContaining('No Postgres answers at 127.0.0.1:1') },
    ]);
    const [id = ''] = await serviceOn(mistaken).store(batchOf([statement()]));
    expect((await read(serviceOn(mistaken), id)).id).toBe(id);
    expect(await readsOf(mistaken)).toBe(0);
    expect(lines.join('')).toContain('it accepts writes, so it is a primary and not a replica');
    expect(lines.join('')).toContain('it is not a replica of this database');
    await mistaken.close();
    await server.remove();
  });

  it('after a promotion only replicas of the new primary are used', async () => {
    const all = nodes.map(({ host }) => host).join(',');
    const lines: string[] = [];
    const own = await openDatabase(
      { ...options, dbHost: all, replicas: { hosts: all, maxWait: 1000, gather: 0, maximumSize: 4 } },
      createLogger('INFO', { write: (line) => lines.push(line) }),
    );
    opened.push(own);
    const service = serviceOn(own);
    await becomes('primary', primary.host, own);
    for (const { host } of [fast, slow]) await becomes('used', host, own);
    await failOver();
    await expect
      .poll(() => service.store(batchOf([statement()])).then(() => 'stored', String))
      .toBe('stored');
    const states = async () =>
      (await statuses(own)).flatMap(({ host, state }) => (host === primary.host ? [] : [state])).sort();
    await expect.poll(states).toEqual(['primary', 'used']);
    // It was a replica before, and is not behind what it writes itself.
    const promoted = (await statuses(own)).filter(({ state }) => state === 'primary');
    expect(promoted).toMatchObject([{ host: own.writeTarget?.host, lag: null }]);
    const told = lines.map((line): { level: number; msg: string } => JSON.parse(line));
    expect(told.map(({ msg }) => msg)).toContain(`writes go to ${primary.host}`);
    expect(told.map(({ msg }) => msg)).toContain(`writes go to ${promoted[0]?.host}`);
    // The same server is in both lists, so nothing needs to be done about it.
    expect(
      told.filter(({ msg }) => msg.includes('because it accepts writes')).map(({ level }) => level),
    ).toEqual([30, 30]);
    expect(lines.join('')).not.toMatch(/not a replica.*check dbReadHosts/);
    const before = await readsOf(own);
    const [id = ''] = await service.store(batchOf([statement()]));
    expect((await read(service, id)).id).toBe(id);
    expect(await readsOf(own)).toBe(before + 1);
    await repair();
    await becomes('used', primary.host, own);
  });
});
