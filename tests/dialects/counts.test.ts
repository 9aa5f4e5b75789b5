import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBrowseService } from '../../lib/browse/service.ts';
import type { CountedListQuery, ListPage } from '../../lib/browse/types.ts';
import type { Database } from '../../lib/db/types.ts';
import { createDocumentService } from '../../lib/documents/service.ts';
import { createErasureService } from '../../lib/erasure/service.ts';
import { createLogger } from '../../lib/logger.ts';
import type { StatementService } from '../../lib/statements/types.ts';
import { createStatusService } from '../../lib/status/service.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { agent, batchOf, everything, exact, serviceOn, statement, voiding } from '../support/statements.ts';

const activity = (name: string) => ({ id: `https://example.org/activities/${name}` });

describe.each(engines)('the counts of the status and the lists on $name', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let store: StatementService;

  beforeEach(async () => {
    database = await engine.create();
    db = database.db;
    store = serviceOn(db);
  });
  afterEach(() => database.remove());

  const members = ['statement-count', 'voided-count', 'actor-count', 'activity-count'] as const;

  /** How many rows a list has, over all its pages. */
  async function lengthOf(read: (query: CountedListQuery) => Promise<ListPage<unknown>>): Promise<number> {
    let length = 0;
    let after: string | undefined;
    do {
      const { entries, next } = await read({ limit: 3, search: undefined, after, isCounted: true });
      length += entries.length;
      after = next;
    } while (after !== undefined);
    return length;
  }

  async function counted() {
    const status = await createStatusService(db).status({ members, unit: 'day' });
    return {
      statements: (status['statement-count'] ?? 0) - (status['voided-count'] ?? 0),
      voided: status['voided-count'],
      actors: status['actor-count'],
      activities: status['activity-count'],
    };
  }

  async function listed() {
    const { statements } = await store.query(everything, exact);
    const directory = createBrowseService(db);
    return {
      statements: statements.length,
      actors: await lengthOf(directory.agents),
      activities: await lengthOf(directory.activities),
    };
  }

  /** Every role, documents, and what is voided before and behind its target. */
  async function mixedData(): Promise<void> {
    const defined = { definition: { name: { en: 'defined' } } };
    const sub = {
      objectType: 'SubStatement',
      actor: agent('in-a-sub-statement'),
      verb: { id: 'https://example.org/verbs/did' },
      object: { ...activity('in-a-sub-statement'), ...defined },
    } as const;
    const contextActivities = {
      parent: [{ ...activity('parent'), ...defined }],
      grouping: [activity('never-defined')],
    };
    const mixed: Statement[] = [
      statement({ actor: agent('ann'), object: activity('course') }),
      statement({ actor: { objectType: 'Group', member: [agent('ben'), agent('ann')] } }),
      statement({ actor: agent('ann'), object: agent('object') }),
      statement({ object: sub }),
      statement({ context: { instructor: agent('teacher'), contextActivities } }),
      statement({ object: { ...activity('course'), ...defined } }),
    ];
    await store.store(batchOf(mixed));
    const [first = '', second = ''] = await store.store(
      batchOf([statement({ actor: agent('only-voided') }), statement({ object: activity('only-voided') })]),
    );
    await store.store(batchOf([voiding(first)]));
    await store.store(batchOf([voiding(first), voiding(second)]));
    const late = randomUUID();
    await store.store(batchOf([voiding(late)]));
    await store.store(batchOf([statement({ id: late })]));
    await store.store(batchOf([voiding(randomUUID())]));
    const address = {
      kind: 'activities/state',
      id: 'settings',
      activity: activity('course').id,
      registration: undefined,
      agent: 'mbox::mailto:document-owner@example.org',
    } as const;
    const content = { contentType: 'text/plain', content: Buffer.from('x') };
    await createDocumentService(db).put(address, content, { version: '1.0.3', conditions: {} });
  }

  it('are the numbers of rows, whatever there is', async () => {
    expect(await counted()).toEqual({ ...(await listed()), voided: 0 });
    await mixedData();
    expect(await counted()).toEqual({ ...(await listed()), voided: 3 });
    expect((await listed()).actors).toBe(4);
  });

  it('are still after an erasure, also of who has voided and of who is in a voided statement', async () => {
    await mixedData();
    const erasure = createErasureService(db, createLogger('OFF'));
    for (const name of ['only-voided', 'ann', 'document-owner']) {
      await erasure.erase(`mbox::mailto:${name}@example.org`);
    }
    const { voided, ...rest } = await counted();
    expect(rest).toEqual(await listed());
    const rows = await db.read((session) =>
      session.select<{ voided: number }>('SELECT COUNT(*) AS voided FROM statement WHERE voided = 1'),
    );
    expect(voided).toBe(Number(rows[0]?.voided));
  });
});
