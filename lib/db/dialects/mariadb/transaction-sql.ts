import { rolledBackSql, writeLockRow } from './dialect.ts';

/*
 * After a deadlock, for example, MariaDB rolls the whole transaction back, and what was sent behind runs all the same. So
 * autocommit is off during a transaction: that then begins another one, which is rolled back with the failure. The savepoint
 * tells the first one from it. Between transactions autocommit is on, as batches and reads need it.
 */

/** A savepoint of the transaction that has begun. */
export const markSql = 'SAVEPOINT lrs_begun';

/** Begins a transaction, without committing one that was left open by an interruption, and takes the write lock. */
export const beginSql = `BEGIN NOT ATOMIC ROLLBACK; SET autocommit = 0;
  SELECT 1 INTO @lrs_locked ${writeLockRow} FOR UPDATE; ${markSql}; END`;

export const rollbackSql = 'BEGIN NOT ATOMIC ROLLBACK; SET autocommit = 1; END';

/** `ER_SP_DOES_NOT_EXIST`, which a savepoint that is not there causes, too. */
const noSavepoint = 1305;

/** Commits the transaction that has begun; fails if the server has rolled that back. */
export const commitSql = `BEGIN NOT ATOMIC
  DECLARE EXIT HANDLER FOR ${noSavepoint} BEGIN ROLLBACK; SET autocommit = 1; ${rolledBackSql}; END;
  RELEASE SAVEPOINT lrs_begun; COMMIT; SET autocommit = 1; END`;
