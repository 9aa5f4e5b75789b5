import type { ReadSession } from './types.ts';
import { DatabaseUnusableError } from './unusable.ts';

/** The table that lists the migrations of a database. */
export const migrationTable = 'schema_migration';

/** The table of lrsql that has its statements. */
export const lrsqlTable = 'xapi_statement';

/** What to do with a database of lrsql. */
export const lrsqlAdvice =
  'It is a database of lrsql, which is imported: set dbName (LRS_DB_NAME) to another database, and run `npm run import -- --from SOURCE --trusted`, where SOURCE is the file of lrsql, or postgres://USER:PASSWORD@HOST/DB or mariadb://USER:PASSWORD@HOST/DB.';

/** The database belongs to another program. */
export class ForeignSchemaError extends DatabaseUnusableError {
  constructor(tables: readonly string[]) {
    const shown = tables.slice(0, 5).join(', ') + (tables.length > 5 ? ', …' : '');
    super(
      tables.includes(lrsqlTable)
        ? `The database has the table ${lrsqlTable}, and nothing in it was changed. ${lrsqlAdvice}`
        : `The database holds tables of another program (${shown}). Use an empty database, or on Postgres a schema of its own (dbSchema).`,
    );
  }
}

/**
 * The tables of the database, of which there are none before the first migration.
 * @throws ForeignSchemaError when they belong to another program.
 */
export async function selectOwnTables(
  session: Pick<ReadSession, 'select' | 'dialect'>,
): Promise<readonly string[]> {
  const rows = await session.select<{ name: string }>(session.dialect.tablesSql);
  const tables = rows.map(({ name }) => name).sort();
  if (tables.length > 0 && !tables.includes(migrationTable)) throw new ForeignSchemaError(tables);
  return tables;
}

/**
 * The names of the migrations that were run; undefined in a database without tables.
 * @param first the tables of the oldest migration: where DDL is not transactional, they exist even if it was interrupted.
 * @throws ForeignSchemaError when the database belongs to another program, even if that has a table of the same name.
 */
export async function selectMigrations(
  session: Pick<ReadSession, 'select' | 'dialect'>,
  first: readonly string[] = [],
): Promise<readonly string[] | undefined> {
  const tables = await selectOwnTables(session);
  if (tables.length === 0) return undefined;
  const rows = await session.select<{ name?: string }>(`SELECT * FROM ${migrationTable}`);
  const names = rows.flatMap(({ name }) => name ?? []);
  const isOwn =
    rows.length > 0
      ? names.length === rows.length
      : tables.every((table) => table === migrationTable || first.includes(table));
  if (!isOwn || !names.every((name) => /^\d{4}-/.test(name))) throw new ForeignSchemaError(tables);
  return names;
}
