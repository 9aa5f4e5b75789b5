import { UniqueConstraintError } from 'sequelize';
import { type ColumnTypes, DialectBase } from './dialect.ts';

const transientCodes = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED']);
const unavailableCodes = new Set([
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_PROTOCOL',
  'SQLITE_NOMEM',
]);

/** SQLite 3.43 or newer through the `sqlite3` driver. */
export class SqliteDialect extends DialectBase {
  readonly name = 'sqlite';
  readonly columnTypes: ColumnTypes = {
    position: 'INTEGER',
    uuid: 'CHAR(36)',
    searchKey: 'BLOB',
    bytes: 'BLOB',
    name: 'VARCHAR(255)',
    text: 'TEXT',
  };
  override readonly supportsTransactionalDdl = true;
  override readonly clusteredTableSuffix = ' WITHOUT ROWID';
  override readonly collectsIndexEntries = true;

  isUniqueViolation(error: unknown): boolean {
    return error instanceof UniqueConstraintError || driverCode(error) === 'SQLITE_CONSTRAINT';
  }

  isTransient(error: unknown): boolean {
    return transientCodes.has(driverCode(error));
  }

  isUnavailable(error: unknown): boolean {
    return unavailableCodes.has(driverCode(error));
  }
}

/** The driver's code, e.g. `SQLITE_BUSY`, of its own error or of the one that Sequelize wraps as `original`. */
function driverCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('original' in error) return driverCode(error.original);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
