import { firstMigration } from '../../../../migrations/latest.ts';
import type { ColumnTypes, JsonExpressions } from '../../../../migrations/migration.ts';
import { type Sql, sql } from '../../sql.ts';
import { DialectBase, type SiblingSql } from '../dialect.ts';
import { driverCode, driverError } from '../driver-error.ts';
import { isCut, isUnreachable } from '../server/network-error.ts';

/** `ER_LOCK_WAIT_TIMEOUT`. */
export const lockWaitTimeout = 1205;
/** `ER_LOCK_DEADLOCK`. */
const deadlock = 1213;
/** Errors with which the server may roll the whole transaction back; all are transient. */
export const rollingBack: ReadonlySet<number> = new Set([deadlock, lockWaitTimeout]);
/** Deadlock, lock wait timeout, row changed since the snapshot. */
const transientNumbers = new Set([...rollingBack, 1020]);
/** The server is read-only by an option, or as a whole. */
export const readOnlyNumbers: ReadonlySet<number> = new Set([1290, 1836]);
/** `ER_UNKNOWN_COM_ERROR`: a node of Galera has no majority of its cluster, so it serves neither reads nor writes. */
export const notReadyNumber = 1047;
/** File not written, disk full, error writing file, error of the storage engine, table full. */
const storageNumbers = new Set([3, 1021, 1026, 1030, 1114, ...readOnlyNumbers]);
/** Too many connections of all or of this user, server shutting down or out of memory, statement took too long. */
/** `ER_STATEMENT_TIMEOUT`. */
const statementTimeout = 1969;
const unavailableNumbers = new Set([
  ...storageNumbers,
  ...[1040, 1203, 1226, 1053, 1037, 1041, statementTimeout, notReadyNumber],
]);
/** No such database; a login that is refused, for this database or at all. */
const missingNumbers = new Set([1049, 1044, 1045, 1698]);
/**
 * Connection killed, query interrupted by the kill, server gone, connection lost; an error during COMMIT, such as when a node
 * of Galera loses the others: its outcome is not known either.
 */
const lostNumbers = new Set([1927, 1317, 2006, 2013, 4031, 1180]);

/** The longest `rpl_semi_sync_master_timeout` (ms) after which the server soon continues without a replica. */
const shortSemiSyncTimeout = 60_000;

/** How many characters of a text an index contains. */
const indexedCharacters = 100;

const exact = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin';
const ascii = 'CHARACTER SET ascii COLLATE ascii_nopad_bin';

/** Writers lock this row, because it always exists and never changes. */
export const writeLockRow = `FROM schema_migration WHERE name = '${firstMigration}'`;

/** Raises an error after which a transaction is repeated. */
export const rolledBackSql = `SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = ${deadlock}, MESSAGE_TEXT = 'The transaction was rolled back.'`;

/**
 * MariaDB 10.6 or newer through the `mariadb` driver. Its standard collations ignore case and trailing spaces, so every
 * text column names one that compares character by character.
 */
export class MariadbDialect extends DialectBase {
  readonly name = 'mariadb';
  readonly failureUndoesTransaction = false;
  /** Whether the server is a node of a Galera cluster; known from the first connection on. */
  isGalera = false;
  readonly columnTypes: ColumnTypes = {
    position: 'BIGINT',
    uuid: `CHAR(36) ${ascii}`,
    searchKey: 'BINARY(16)',
    indexKey: 'BINARY(16)',
    bytes: 'LONGBLOB',
    name: `VARCHAR(255) ${exact}`,
    text: `LONGTEXT ${exact}`,
    ascii: (length) => `VARCHAR(${length}) ${ascii}`,
  };
  readonly nowSql = 'CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS INTEGER)';
  readonly standbyWait = {
    sql: `SELECT CAST(COALESCE(MAX(time_ms), 0) AS INTEGER) AS waited FROM information_schema.processlist
      WHERE state LIKE 'Waiting for semi-sync ACK%'`,
    lackingSql: `SELECT @@rpl_semi_sync_master_enabled AND @@rpl_semi_sync_master_wait_no_slave
        AND @@rpl_semi_sync_master_timeout > ${shortSemiSyncTimeout}
        AND (SELECT COUNT(*) FROM information_schema.global_status
          WHERE variable_name = 'RPL_SEMI_SYNC_MASTER_STATUS' AND variable_value = 'ON'
            OR variable_name = 'RPL_SEMI_SYNC_MASTER_CLIENTS' AND variable_value = '0') = 2 AS lacking`,
    advice:
      'No semi-synchronous replica confirms commits (Rpl_semi_sync_master_clients): start the replicas with rpl_semi_sync_slave_enabled, or change rpl_semi_sync_master_enabled. If one is connected, run another transaction at the primary: its confirmation counts for this one, too.',
  };
  readonly unlockedSql = `EXISTS (SELECT 1 ${writeLockRow} LOCK IN SHARE MODE SKIP LOCKED)`;
  readonly tablesSql =
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'";
  readonly serverSql = `SELECT VERSION() AS version, CAST(SUM(data_length + index_length) AS INTEGER) AS size
    FROM information_schema.tables WHERE table_schema = DATABASE()`;

  /** MariaDB evaluates a CTE for each reference, completely. */
  override readonly lazyWith = false;

  override readonly deletesInOrder = true;

  /**
   * Compares bytes as Latin-1 letters, three times as fast as characters; other than ASCII characters may match wrongly.
   */
  override like(text: Sql, pattern: Sql): Sql {
    const letters = (characters: Sql) =>
      sql`CONVERT(CAST(${characters} AS BINARY) USING latin1) COLLATE latin1_general_ci`;
    return super.like(letters(text), letters(pattern));
  }

  override textIndex(column: string): string {
    return `(${column}(${indexedCharacters}))`;
  }

  override dropIndex(index: string, table: string): string {
    return `${super.dropIndex(index, table)} ON ${table}`;
  }

  override readonly siblingSql: SiblingSql = {
    create: (name) => `CREATE DATABASE IF NOT EXISTS ${quoted(name)}`,
    drop: (name) => `DROP DATABASE IF EXISTS ${quoted(name)}`,
  };

  override readonly jsonAt: JsonExpressions = {
    text: (column, ...path) => `JSON_VALUE(${column}, '$.${path.join('.')}')`,
    number: (column, ...path) => `CAST(JSON_VALUE(${column}, '$.${path.join('.')}') AS DOUBLE)`,
    flag: (column, ...path) => `CAST(JSON_VALUE(${column}, '$.${path.join('.')}') AS INTEGER)`,
  };

  timeOf(position: string): string {
    return `TIMESTAMPADD(MICROSECOND, ${position}, '1970-01-01 00:00:00.000000')`;
  }

  isMissingTable(error: unknown): boolean {
    return errorNumber(error) === 1146;
  }

  /** The same as text, as in statements. */
  momentOf(position: string): string {
    return `DATE_FORMAT(${this.timeOf(position)}, '%Y-%m-%dT%H:%i:%s.%fZ')`;
  }

  isUniqueViolation(error: unknown): boolean {
    return errorNumber(error) === 1062;
  }

  isTransient(error: unknown): boolean {
    return transientNumbers.has(errorNumber(error)) || this.isConnectionLost(error);
  }

  isStatementTimeout(error: unknown): boolean {
    return errorNumber(error) === statementTimeout;
  }

  isUnavailable(error: unknown): boolean {
    const late = driverCode(error) === 'ER_CONNECTION_TIMEOUT';
    return (
      late || isUnreachable(error) || unavailableNumbers.has(errorNumber(error)) || this.isMissing(error)
    );
  }

  isStorageFailure(error: unknown): boolean {
    return storageNumbers.has(errorNumber(error));
  }

  isReadOnly(error: unknown): boolean {
    return readOnlyNumbers.has(errorNumber(error)) || this.lacksMajority(error);
  }

  lacksMajority(error: unknown): boolean {
    return errorNumber(error) === notReadyNumber;
  }

  isMissing(error: unknown): boolean {
    return missingNumbers.has(errorNumber(error));
  }

  isConnectionLost(error: unknown): boolean {
    const own = driverError(error);
    if (lostNumbers.has(errorNumber(error)) || isCut(error)) return true;
    if (!(own instanceof Error) || errorNumber(error) < 45_000) return false;
    // The driver numbers its own errors from 45000; the fatal ones, and errors they cause, mean that the connection is
    // lost.
    return ('fatal' in own && own.fatal === true) || this.isConnectionLost(own.cause);
  }
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The error number of the server or the driver; 0 when there is none. */
export function errorNumber(error: unknown): number {
  const own = driverError(error);
  return own instanceof Error && 'errno' in own && typeof own.errno === 'number' ? own.errno : 0;
}
