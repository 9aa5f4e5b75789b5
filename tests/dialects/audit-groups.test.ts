import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditService } from '../../lib/audit/service.ts';
import { CountingDatabase } from '../support/counting-database.ts';
import { engines, type TestDatabase } from '../support/engines.ts';

describe.each(engines)('the audit trail of calls at the same time, on $name', (engine) => {
  let database: TestDatabase;
  let db: CountingDatabase;

  beforeEach(async () => {
    database = await engine.create();
    db = new CountingDatabase(database.db);
  });
  afterEach(() => database.remove());

  const act = (action: string) => ({ account: undefined, kind: 'disclosure', action }) as const;

  it('is written in one transaction, so that a flood of calls keeps nobody else from writing', async () => {
    const audit = createAuditService(db, { mergeSeconds: 0 });
    const actions = Array.from({ length: 40 }, (_, index) => `GET /admin/call-${index}`);
    const places = await Promise.all(actions.map((action) => audit.begin(act(action))));
    expect(db.writes).toBe(1);
    const ends = places.map((place, index) =>
      audit.finish(place, { ...act(actions[index] ?? ''), status: 200 }),
    );
    await Promise.all([
      ...ends,
      audit.record({ ...act('GET /admin/more'), status: 404, triedName: undefined }),
    ]);
    expect(db.writes).toBe(2);
    const { events } = await audit.query({ limit: 100, before: undefined });
    expect(events.map(({ action, status }) => [action, status])).toEqual([
      ['GET /admin/more', 404],
      ...actions.toReversed().map((action) => [action, 200]),
    ]);
  });

  it('adds equal events of one transaction to one row', async () => {
    const audit = createAuditService(db, { mergeSeconds: 900 });
    const merged = { ...act('GET /admin/agents'), status: 200, merges: true, counts: { rows: 2 } };
    await Promise.all([1, 2, 3].map(() => audit.record({ ...merged, triedName: undefined })));
    const { events } = await audit.query({ limit: 100, before: undefined });
    expect(events.map(({ times, details }) => [times, details.counts])).toEqual([[3, { rows: 6 }]]);
    expect(db.writes).toBe(1);
  });
});
