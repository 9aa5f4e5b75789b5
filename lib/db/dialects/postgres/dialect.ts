import type { ColumnTypes, JsonExpressions } from '../../../../migrations/migration.ts';
import { likeEscape } from '../../like-pattern.ts';
import { raw, type Sql, sql } from '../../sql.ts';
import { DialectBase, type SiblingSql } from '../dialect.ts';
import { driverCode, driverError } from '../driver-error.ts';
import { isCut, isUnreachable } from '../server/network-error.ts';

/** Serialisation failure, deadlock, lock timeout, idle transaction ended, server shutting down (PostgreSQL, Appendix A). */
const transientCodes = new Set(['40001', '40P01', '55P03', '25P03', '57P01', '57P02']);
/** `query_canceled`: the statement timeout. */
const statementTimeout = '57014';
/**
 * The server is starting, or cancelled a statement that took too long; class 53 is a lack of space, memory or connections,
 * class 58 a broken disk.
 */
const unavailableCodes = /^(57P03|57014|53...|58...)$/;
/** A write in a read-only transaction: the database is a standby or has been set so. */
export const readOnlyCode = '25006';
/** Disk full, input or output error, read-only transaction. */
const storageCodes = new Set(['53100', '58030', readOnlyCode]);
/** No such database; a database that takes no connections; a wrong password; a login that the server does not permit. */
const missingCodes = new Set(['3D000', '55000', '28P01', '28000']);
/** The driver's message when opening a connection takes too long; it has no code. */
const lateMessage = 'timeout expired';
/** The driver's messages about a lost connection; they have no code. */
const cutMessages =
  /^(Connection terminated|Client was closed|Client has encountered a connection error|This socket has been ended)/;

/** The key of the advisory lock that serialises the writers of a schema. */
export const writeLockKey = "hashtextextended('serverless-lrs ' || current_schema(), 0)";

/** Postgres 13 or newer through the `pg` driver. */
export class PostgresDialect extends DialectBase {
  readonly name = 'postgres';
  readonly columnTypes: ColumnTypes = {
    position: 'BIGINT',
    uuid: 'UUID',
    searchKey: 'BYTEA',
    // A UUID has 16 bytes too, and is compared without reading a length.
    indexKey: 'UUID',
    bytes: 'BYTEA',
    name: 'VARCHAR(255) COLLATE "C"',
    text: 'TEXT COLLATE "C"',
    ascii: (length) => `VARCHAR(${length}) COLLATE "C"`,
  };
  readonly tablesSql = `SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`;
  readonly serverSql = `SELECT current_setting('server_version') AS version,
    (SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
      WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND c.relkind = 'r') AS size`;
  override readonly supportsTransactionalDdl = true;
  readonly failureUndoesTransaction = true;
  readonly nowSql = 'CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)';
  readonly standbyWait = {
    sql: `SELECT CAST(COALESCE(MAX(extract(epoch FROM clock_timestamp() - query_start)), 0) * 1000 AS BIGINT) AS waited
      FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()`,
    // Users without `pg_monitor` see of each standby only that it is there. The setting may begin with a number, as in `ANY 2 (…)`.
    lackingSql: `SELECT names <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local')
        AND (SELECT COUNT(*) FROM pg_stat_replication WHERE COALESCE(sync_state, 'sync') IN ('sync', 'quorum'))
          < COALESCE(CAST(substring(names FROM '^ *[a-z]* *([0-9]+) *[(]') AS INTEGER), 1) AS lacking
      FROM (SELECT lower(current_setting('synchronous_standby_names')) AS names) setting`,
    advice:
      'Too few standbys of synchronous_standby_names confirm commits (pg_stat_replication; wait_event SyncRep in pg_stat_activity): start the standbys, or change the setting.',
  };
  readonly unlockedSql = `pg_try_advisory_xact_lock_shared(${writeLockKey})`;

  override readonly siblingSql: SiblingSql = {
    create: (name) => `CREATE SCHEMA IF NOT EXISTS ${quoted(name)}`,
    drop: (name) => `DROP SCHEMA IF EXISTS ${quoted(name)} CASCADE`,
  };

  override readonly jsonAt: JsonExpressions = {
    text: jsonText,
    number: (column, ...path) => `CAST(${jsonText(column, ...path)} AS DOUBLE PRECISION)`,
    flag: (column, ...path) => `CAST(CAST(${jsonText(column, ...path)} AS BOOLEAN) AS INTEGER)`,
  };

  /** Other index types refuse texts of more than about 2,700 bytes. */
  override textIndex(column: string): string {
    return `USING hash (${column})`;
  }

  override coveringKey(key: readonly string[], contained: readonly string[]): string {
    return `${super.coveringKey(key, contained)} INCLUDE (${contained.join(', ')})`;
  }

  /** Updates the visibility map, on which index-only scans depend. Autovacuum may be minutes late, or disabled. */
  override upkeepOf(table: string): string {
    return `VACUUM (SKIP_LOCKED, INDEX_CLEANUP OFF, TRUNCATE OFF) ${table}`;
  }

  override like(text: Sql, pattern: Sql): Sql {
    return sql`${text} ILIKE ${pattern} ESCAPE '${raw(likeEscape)}'`;
  }

  timeOf(position: string): string {
    return `TIMESTAMP '1970-01-01 00:00:00' + ${position} * INTERVAL '1 microsecond'`;
  }

  /** The same as text, as in statements. */
  momentOf(position: string): string {
    return `to_char(${this.timeOf(position)}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  }

  isMissingTable(error: unknown): boolean {
    return driverCode(error) === '42P01';
  }

  isUniqueViolation(error: unknown): boolean {
    return driverCode(error) === '23505';
  }

  isTransient(error: unknown): boolean {
    return transientCodes.has(driverCode(error)) || this.isConnectionLost(error);
  }

  isStatementTimeout(error: unknown): boolean {
    return driverCode(error) === statementTimeout;
  }

  isUnavailable(error: unknown): boolean {
    const own = driverError(error);
    const late = own instanceof Error && own.message === lateMessage;
    const told = unavailableCodes.test(driverCode(error)) || this.isStorageFailure(error);
    return late || told || isUnreachable(error) || this.isMissing(error);
  }

  isStorageFailure(error: unknown): boolean {
    return storageCodes.has(driverCode(error));
  }

  isReadOnly(error: unknown): boolean {
    return driverCode(error) === readOnlyCode;
  }

  lacksMajority(): boolean {
    return false;
  }

  isMissing(error: unknown): boolean {
    return missingCodes.has(driverCode(error));
  }

  isConnectionLost(error: unknown): boolean {
    const own = driverError(error);
    const code = driverCode(error);
    if (code === '57P01' || code === '57P02' || code === '25P03' || isCut(error)) return true;
    return own instanceof Error && cutMessages.test(own.message);
  }
}

/** A name as SQL identifies it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Postgres refuses to read JSON that contains U+0000, which reports do not need. */
function jsonText(column: string, ...path: readonly string[]): string {
  return `CAST(replace(${column}, '\\u0000', '\\ufffd') AS JSON) #>> '{${path.join(',')}}'`;
}
