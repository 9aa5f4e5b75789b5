import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storedText } from '../../lib/position.ts';
import { createStatementService } from '../../lib/statements/service.ts';
import type { StatementBatch } from '../../lib/statements/types.ts';
import { createStatusService } from '../../lib/status/service.ts';
import type { Statement } from '../../lib/xapi/types.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import {
  agent,
  authority,
  batchOf,
  foundIds,
  incoming,
  read,
  statement,
  voiding,
} from '../support/statements.ts';

const at = (text: string): number => Date.parse(text) * 1000;
const spring = at('2020-03-01T10:00:00.000Z');
const autumn = at('2021-09-01T10:00:00.000Z');
const now = at('2026-01-01T00:00:00.000Z');

describe.each(engines)('statements of a trusted store on $name', (engine) => {
  let database: TestDatabase;
  let service: ReturnType<typeof serviceOf>;

  const serviceOf = ({ db }: TestDatabase) =>
    createStatementService(db, { pageBytes: 4_194_304, waitingBytes: 100_663_296, now: () => now });

  beforeEach(async () => {
    database = await engine.create();
    service = serviceOf(database);
  });
  afterEach(async () => {
    await service.stop();
    await database.remove();
  });

  const trusted = (plain: Statement): StatementBatch => ({
    statements: [incoming(plain)],
    attachments: [],
    authority,
    version: '1.0.3',
    trusted: true,
  });

  /** Stores each in a batch of its own, all in one transaction. */
  async function storeKept(...statements: Statement[]) {
    const batches = await Promise.all(statements.map((each) => service.prepare(trusted(each))));
    return database.db.write((session) => service.storeWithin(session, batches));
  }

  const storedOf = async (id: string): Promise<string | undefined> => (await read(service, id)).stored;

  it('keep their stored time and their authority, and are found by both', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const own = agent('former-key');
    await storeKept(
      statement({ id: second, stored: storedText(autumn), authority: own }),
      statement({ id: first, stored: '2020-03-01T11:00:00.000+01:00', authority: own }),
    );
    expect(await read(service, first)).toMatchObject({ stored: storedText(spring), authority: own });
    expect(await foundIds(service)).toEqual([second, first]);
    expect(await foundIds(service, { since: spring })).toEqual([second]);
    expect(await foundIds(service, { authority: own })).toHaveLength(2);
  });

  it('with one stored time come one microsecond after another, in their order and behind those that are stored', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    const [early, ...late] = ids.map((id) => statement({ id, stored: storedText(spring) }));
    await storeKept(...(early ? [early] : []), ...late.slice(0, 2));
    await storeKept(statement({ stored: storedText(autumn) }));
    await storeKept(...late.slice(2));
    expect(await foundIds(service, { until: spring + 10, ascending: true })).toEqual(ids);
    expect(await storedOf(ids[5] ?? '')).toBe(storedText(spring + 5));
  });

  it('without a stored time, or with one that is still to come, get the present', async () => {
    const [future, none] = [randomUUID(), randomUUID()];
    await storeKept(
      statement({ id: future, stored: '2030-01-01T00:00:00Z' }),
      statement({ id: none }),
      statement({ stored: storedText(spring) }),
    );
    expect(await storedOf(future)).toBe(storedText(now));
    expect(await storedOf(none)).toBe(storedText(now + 1));
    const [next = ''] = await service.store(batchOf([statement()]));
    expect(await storedOf(next)).toBe(storedText(now + 2));
  });

  it('void each other, whichever comes first', async () => {
    const [target, late] = [randomUUID(), randomUUID()];
    await storeKept(
      voiding(late, { stored: storedText(spring) }),
      statement({ id: target, stored: storedText(spring + 1) }),
      voiding(target, { stored: storedText(autumn) }),
      statement({ id: late, stored: storedText(autumn + 1) }),
    );
    expect((await read(service, target, true)).stored).toBe(storedText(spring + 1));
    expect((await read(service, late, true)).stored).toBe(storedText(autumn + 1));
  });

  it('are not stored again, and refused alone when they differ from what is stored', async () => {
    const id = randomUUID();
    const same = statement({ id, stored: storedText(spring) });
    const [first, again, other] = await storeKept(
      same,
      same,
      statement({ id, stored: storedText(spring), actor: agent('else') }),
    );
    expect(first).toEqual(new Map([[id, spring]]));
    expect(again).toEqual(new Map());
    expect(other).toBeInstanceOf(Error);
    expect(await foundIds(service)).toEqual([id]);
  });

  it('count in the seconds in which they were stored', async () => {
    await storeKept(
      statement({ stored: storedText(spring) }),
      statement({ stored: storedText(spring + 60_000_000) }),
      statement({ stored: storedText(autumn) }),
    );
    const status = createStatusService(database.db, { now: () => now / 1000 });
    const { timeline, 'statement-count': count } = await status.status({
      members: ['timeline', 'statement-count'],
      unit: 'minute',
      since: spring - 1,
      until: autumn + 1,
    });
    expect(count).toBe(3);
    expect(timeline?.map((entry) => Object.values(entry))).toEqual([
      [expect.stringContaining('2020-03-01T10:00'), 1],
      [expect.stringContaining('2020-03-01T10:01'), 1],
      [expect.stringContaining('2021-09-01T10:00'), 1],
    ]);
  });
});
