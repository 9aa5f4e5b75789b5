import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentService } from '../../lib/documents/service.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import { SearchIndex } from '../../lib/statements/search/search-index.ts';
import { DeadlockMaker } from '../support/deadlock.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { ReactionBench } from '../support/reaction-bench.ts';
import { agent, batchOf, foundIds, reference, serviceOn, statement, voiding } from '../support/statements.ts';

const iri = (name: string) => `https://example.org/${name}`;
const verb = { id: iri('verbs/deadlocked') };
const byVerb = { verb: verb.id, ascending: true };

const locked = ['statement', 'statement_key', 'statement_reference', 'agent_name', 'tally_change'];

describe.each(engines.filter(({ family }) => family === 'mariadb'))('a deadlock on $name', (engine) => {
  let database: TestDatabase;
  let maker: DeadlockMaker;

  beforeEach(async () => {
    database = await engine.create();
    const { options } = database;
    if (options.dbType === 'sqlite') throw new Error('There is no server.');
    maker = await DeadlockMaker.open(options);
  });

  afterEach(async () => {
    await maker.close();
    await database.remove();
  });

  /** What has no statement, though it belongs to one. */
  async function orphans(): Promise<object> {
    await database.db.write((session) => new SearchIndex().merge(session));
    const without = (table: string, column = 'position') =>
      `(SELECT COUNT(*) FROM ${table} WHERE ${column} NOT IN (SELECT position FROM statement)) AS ${table}`;
    const [row] = await database.db.read((session) =>
      session.select<object>(
        `SELECT ${without('statement_key')}, ${without('statement_reference')}, ${without('agent_name', 'first_seen')}`,
      ),
    );
    return row ?? {};
  }
  const none = { statement_key: 0, statement_reference: 0, agent_name: 0 };

  it.each(locked)(
    'at %s leaves nothing behind of statements with references but what is stored',
    async (table) => {
      const service = serviceOn(database.db);
      const targets = await service.store(batchOf([statement({ verb }), statement({ verb })]));
      const [voided = ''] = targets;
      const referring = [
        ...targets.map((id) =>
          reference(id, { id: randomUUID(), verb, actor: { ...agent('new'), name: 'New' } }),
        ),
        voiding(voided, { id: randomUUID() }),
        ...Array.from({ length: 40 }, () => statement({ id: randomUUID(), verb })),
      ];
      const met = await maker.during(table, () => service.store(batchOf(referring)));
      expect(met).toBe(true);
      expect(await orphans()).toEqual(none);
      const found = await foundIds(service, { ...byVerb, limit: 5 });
      const stored = [...targets.slice(1), ...referring.map(({ id }) => id)];
      // The voiding statement is found by the verb of its target.
      expect(found.toSorted()).toEqual(stored.toSorted());
    },
  );

  it.each(['statement', 'statement_reference', 'reaction_firing'])(
    'at %s loses no statement of a reaction, and stores each once',
    async (table) => {
      const bench = new ReactionBench(database.db);
      await bench.ready();
      await bench.react('answers', {
        identityPaths: [['actor', 'mbox']],
        conditions: { seen: { path: ['verb', 'id'], op: 'eq', val: verb.id } },
        template: {
          actor: { $templatePath: ['seen', 'actor'] },
          verb: { id: iri('verbs/answered') },
          object: { objectType: 'StatementRef', id: { $templatePath: ['seen', 'id'] } },
        },
      });
      const triggers = Array.from({ length: 20 }, (_, index) =>
        statement({ id: randomUUID(), verb, actor: agent(`agent-${index}`) }),
      );
      const ids = await bench.service.store(batchOf(triggers));
      expect(await maker.during(table, () => bench.catchUp())).toBe(true);
      expect(await orphans()).toEqual(none);
      const answered = await bench.service.query(
        {
          ...{ relatedAgents: false, relatedActivities: false, ascending: true, limit: 100 },
          verb: iri('verbs/answered'),
        },
        { format: 'exact', attachments: false, languages: [] },
      );
      const answeredIds = answered.statements.map(({ text }) => JSON.parse(text).object.id);
      expect(answeredIds.toSorted()).toEqual(ids.toSorted());
      await bench.service.stop();
    },
  );

  it('stores each of several documents of one transaction, with what they change', async () => {
    const documents = createDocumentService(database.db);
    const address = (id: string) =>
      ({
        ...({
          kind: 'activities/state',
          activity: iri('activity'),
          agent: 'mbox::mailto:a@example.org',
        } as const),
        ...{ registration: undefined, id },
      }) as const;
    const put = (id: string) =>
      documents.put(
        address(id),
        { contentType: 'text/plain', content: Buffer.from(id) },
        { version: '1.0.3', conditions: {} },
      );
    const names = ['one', 'two', 'three'];
    expect(await maker.during('document', () => Promise.all(names.map(put)))).toBe(true);
    for (const name of names) expect((await documents.get(address(name))).content.toString()).toBe(name);
  });

  it.each(['statement_key', 'statement', 'agent', 'document', 'tally_change'])(
    'at %s ends an erasure with everything gone and nothing else',
    async (table) => {
      const service = serviceOn(database.db);
      const [kept] = await service.store(batchOf([statement({ verb })]));
      const gone = Array.from({ length: 30 }, () => statement({ verb, actor: agent('gone') }));
      const [target = ''] = await service.store(batchOf(gone));
      await service.store(batchOf([reference(target, { actor: agent('gone') })]));
      await database.db.write((session) => new SearchIndex().merge(session));
      const erasure = createErasureService(database.db, createLogger('OFF'));
      await maker.during(table, () => erasure.erase('mbox::mailto:gone@example.org'));
      expect(await foundIds(service, { ascending: true })).toEqual([kept]);
      expect(await foundIds(service, byVerb)).toEqual([kept]);
      expect(await orphans()).toEqual(none);
    },
  );

  it('that is overlooked commits nothing, and has the transaction repeated', async () => {
    let attempts = 0;
    const insert = (task: string) => `INSERT INTO task_progress (task, position) VALUES ('${task}', 1)`;
    const met = await maker.during('agent', () =>
      database.db.write(async (session) => {
        attempts += 1;
        await session.execute(insert(`before ${attempts}`));
        await session
          .execute("INSERT INTO agent (agent_key, identifier) VALUES (REPEAT('a', 16), 'a')")
          .catch(() => undefined);
        await session.execute(insert(`after ${attempts}`)).catch(() => undefined);
      }),
    );
    expect({ met, attempts }).toEqual({ met: true, attempts: 2 });
    const rows = await database.db.read((session) =>
      session.select('SELECT task FROM task_progress ORDER BY task'),
    );
    expect(rows).toEqual([{ task: 'after 2' }, { task: 'before 2' }]);
  });
});
