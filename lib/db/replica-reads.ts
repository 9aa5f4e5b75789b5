import type { Database } from './types.ts';

/**
 * The same database, whose reads may be served by its replicas; without replicas it is the database itself. A read sees all that
 * was committed when it began (docs/decisions/0070-read-replicas.md).
 */
export function readingFromReplicas(db: Database): Database {
  const { replicas } = db;
  if (replicas === undefined) return db;
  return {
    dialect: db.dialect,
    replicas,
    read: (work, options) => db.read(work, { ...options, mayUseReplica: true }),
    write: (work, options) => db.write(work, options),
    get batches() {
      return db.batches;
    },
    tryLockRead: (sql) => db.tryLockRead(sql),
    close: () => db.close(),
  };
}
