import type { ColumnTypes, JsonExpressions } from '../../../../migrations/migration.ts';
import { DialectBase } from '../dialect.ts';
import { driverCode } from '../driver-error.ts';
import { insertOrFail } from './insert.ts';

const transientCodes = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED']);
const storageCodes = new Set(['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY']);
const unavailableCodes = new Set([...storageCodes, 'SQLITE_CANTOPEN', 'SQLITE_PROTOCOL', 'SQLITE_NOMEM']);

/** SQLite 3.43 or newer. */
export class SqliteDialect extends DialectBase {
  readonly name = 'sqlite';
  readonly columnTypes: ColumnTypes = {
    position: 'INTEGER',
    uuid: 'CHAR(36)',
    searchKey: 'BLOB',
    indexKey: 'BLOB',
    bytes: 'BLOB',
    name: 'VARCHAR(255)',
    text: 'TEXT',
    ascii: (length) => `VARCHAR(${length})`,
  };
  readonly tablesSql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  readonly serverSql =
    'SELECT sqlite_version() AS version, page_count * page_size AS size FROM pragma_page_count, pragma_page_size';
  override readonly supportsTransactionalDdl = true;
  override readonly clusteredTableSuffix = ' WITHOUT ROWID';
  override readonly collectsIndexEntries = true;
  override readonly joinsTexts = true;
  override readonly insertOrFail = insertOrFail;
  /** Of the machine, to the millisecond. */
  readonly nowSql = "CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000";
  override readonly hasLocalClock = true;
  override readonly greatest = 'MAX';

  override readonly jsonAt: JsonExpressions = {
    text: (column, ...path) => `${column} ->> '$.${path.join('.')}'`,
    number: (column, ...path) => `CAST(${column} ->> '$.${path.join('.')}' AS REAL)`,
    flag: (column, ...path) => `${column} ->> '$.${path.join('.')}'`,
  };

  timeOf(position: string): string {
    return `strftime('%Y-%m-%d %H:%M:%f', ${position} / 1000000.0, 'unixepoch')`;
  }

  /** The same as text, as in statements. */
  momentOf(position: string): string {
    return `strftime('%Y-%m-%dT%H:%M:%S', ${position} / 1000000, 'unixepoch') || printf('.%06dZ', ${position} % 1000000)`;
  }

  isMissingTable(error: unknown): boolean {
    return error instanceof Error && error.message.includes('no such table');
  }

  isUniqueViolation(error: unknown): boolean {
    return driverCode(error) === 'SQLITE_CONSTRAINT';
  }

  isTransient(error: unknown): boolean {
    return transientCodes.has(driverCode(error));
  }

  /** It has no limit for the time of a statement. */
  isStatementTimeout(): boolean {
    return false;
  }

  isUnavailable(error: unknown): boolean {
    return unavailableCodes.has(driverCode(error));
  }

  isStorageFailure(error: unknown): boolean {
    return storageCodes.has(driverCode(error));
  }
}
