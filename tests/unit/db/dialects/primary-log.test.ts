import { describe, expect, it } from 'vitest';
import { PrimaryLog, type Replication } from '../../../../lib/db/dialects/server/replication.ts';
import type { Database, WriteSession } from '../../../../lib/db/types.ts';

/** A primary that writes a log, and stores a lineage when it is told to. */
class StandIn {
  readonly log: PrimaryLog;
  /** Another text after each start. */
  instance = 'first start';
  lineage: number | null = null;
  /** How often it was asked for its lineage. */
  asked = 0;

  constructor() {
    const session = {
      select: async (sql: string) => {
        const withLineage = sql !== 'place';
        if (withLineage) this.asked += 1;
        return [{ instance: this.instance, log: '1', ...(withLineage && { lineage: this.lineage }) }];
      },
      upsert: async (_table: unknown, [row]: readonly (readonly [string, number])[]) => {
        this.lineage = row?.[1] ?? null;
      },
    } as unknown as WriteSession;
    const db = {
      read: (work: (session: WriteSession) => unknown) => work(session),
      write: (work: (session: WriteSession) => unknown) => work(session),
    } as unknown as Database;
    this.log = new PrimaryLog(db, { placeSql: 'place' } as Replication, 0);
  }
}

describe('the end of the log of a primary', () => {
  it('is asked for without the lineage, once that is known to be stored since the primary was started', async () => {
    const primary = new StandIn();
    expect(await primary.log.storedPoint()).toMatchObject({ log: '1', lineage: primary.lineage });
    const { asked, lineage } = primary;
    expect(lineage).not.toBeNull();
    for (let read = 0; read < 3; read += 1) expect(await primary.log.point()).toMatchObject({ lineage });
    expect(primary.asked).toBe(asked);
    primary.instance = 'second start';
    expect(await primary.log.point()).toBeUndefined();
    await expect.poll(() => primary.log.point()).toMatchObject({ lineage: primary.lineage });
    expect(primary.lineage).not.toBe(lineage);
  });

  it('has a new lineage, when a replica asks that is not used, after a backup has replaced the stored one', async () => {
    const primary = new StandIn();
    await primary.log.storedPoint();
    primary.lineage = 1;
    const point = await primary.log.storedPoint();
    expect(primary.lineage).not.toBe(1);
    expect(point).toMatchObject({ lineage: primary.lineage });
  });

  it('is asked for together with what others ask then', async () => {
    const primary = new StandIn();
    let asked = 0;
    primary.log.onQuestion(() => {
      asked += 1;
    });
    await primary.log.point();
    await primary.log.point();
    expect(asked).toBe(2);
  });
});
