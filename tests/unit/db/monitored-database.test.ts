import { expect, it } from 'vitest';
import { SqliteDialect } from '../../../lib/db/dialects/sqlite/dialect.ts';
import { MonitoredDatabase } from '../../../lib/db/monitored-database.ts';
import type { Database } from '../../../lib/db/types.ts';
import { ConflictError, UnavailableError } from '../../../lib/errors.ts';
import { createLogger } from '../../../lib/logger.ts';

/** A database whose reads and writes fail with the error when they are told to. */
function failing(error: Error) {
  let fail = (): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = () => reject(error);
  });
  const work = () => failed;
  const works = { read: work, write: work, tryLockRead: work };
  const db: Database = {
    ...works,
    dialect: new SqliteDialect(),
    batches: undefined,
    close: async () => {},
  };
  return { db: new MonitoredDatabase(db, createLogger('OFF')), fail };
}

it('what a driver says of work that was waiting when the database was closed is an error that passes', async () => {
  const error = new Error('The manager was closed.');
  const { db, fail } = failing(error);
  const asked = [db.read(async () => 1), db.write(async () => 1)];
  await db.close();
  fail();
  for (const each of asked) {
    await expect(each).rejects.toThrow(UnavailableError);
    await expect(each).rejects.toMatchObject({ cause: error });
  }
});

it('a refusal of such work stays what it is', async () => {
  const { db, fail } = failing(new ConflictError('It is taken.'));
  const asked = db.write(async () => 1);
  await db.close();
  fail();
  await expect(asked).rejects.toThrow(ConflictError);
});
