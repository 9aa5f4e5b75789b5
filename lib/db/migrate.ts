import type { MigrationParams, UmzugStorage, Umzug as UmzugType } from 'umzug';
import type { Migration, MigrationContext } from '../../migrations/migration.ts';
import type { WriteSession } from './types.ts';
import { DatabaseUnusableError, developmentSchema } from './unusable.ts';

/** The database has been used by a release that knows steps which this one does not. */
export class NewerSchemaError extends DatabaseUnusableError {
  constructor(unknown: readonly string[]) {
    super(
      `The database was last used by a newer release: it holds schema changes unknown to this one (${unknown.join(', ')}). Start that release, or use another database.`,
    );
  }
}

/** The database was made by a build from before the first release. */
export class DevelopmentSchemaError extends DatabaseUnusableError {
  constructor() {
    super(developmentSchema);
  }
}

/** The database belongs to another program. */
export class ForeignSchemaError extends DatabaseUnusableError {
  constructor(tables: readonly string[]) {
    const shown = tables.slice(0, 5).join(', ') + (tables.length > 5 ? ', …' : '');
    super(
      `The database holds tables of another program (${shown}). Use an empty database, or on Postgres a schema of its own (dbSchema).`,
    );
  }
}

/** The steps of the schema in one database, up and down; its table `schema_migration` lists those taken. */
export interface Migrator {
  /**
   * Takes the steps that the database has not taken yet.
   * @returns the names of the steps taken now.
   * @throws NewerSchemaError, DevelopmentSchemaError, ForeignSchemaError
   */
  up(): Promise<string[]>;
  /**
   * Takes back every step, newest first: all data is lost.
   * @returns the names of the steps taken back.
   */
  down(): Promise<string[]>;
}

const record = 'schema_migration';

/** To be used inside `MigratableDatabase.migrate`, so that several processes that start at once take turns. */
export function createMigrator(session: WriteSession, migrations: readonly Migration[]): Migrator {
  const context: MigrationContext = {
    dialect: session.dialect,
    execute: (sql) => session.execute(session.dialect.supportsTransactionalDdl ? sql : repeatable(sql)),
  };
  /** Loading the library takes a tenth of a second, which a start that has no step to take does without. */
  const open = async (): Promise<UmzugType<MigrationContext>> => {
    const library = await import('umzug');
    // In a bundle a CommonJS package has its default export only, and under a loader of TypeScript its names only.
    const Umzug = library.Umzug ?? library.default.Umzug;
    return new Umzug<MigrationContext>({
      migrations: migrations.map(({ name, up, down }) => ({
        name,
        up: () => up(context),
        down: () => down(context),
      })),
      context,
      storage: storageIn(session),
      logger: undefined,
    });
  };
  return {
    async up() {
      const taken = await prepareRecord(session, migrations);
      if (migrations.every(({ name }) => taken.has(name))) return [];
      return (await (await open()).up()).map(({ name }) => name);
    },
    async down() {
      return (await (await open()).down({ to: 0 })).map(({ name }) => name);
    },
  };
}

/** @returns the names of the steps that are recorded. */
async function prepareRecord(
  session: WriteSession,
  migrations: readonly Migration[],
): Promise<ReadonlySet<string>> {
  const { dialect } = session;
  const tables = (await session.select<{ name: string }>(dialect.tablesSql)).map(({ name }) => name).sort();
  if (!tables.includes(record)) {
    if (tables.length > 0) throw new ForeignSchemaError(tables);
    await session.execute(
      `CREATE TABLE ${record} (name ${dialect.columnTypes.ascii(255)} NOT NULL PRIMARY KEY)`,
    );
    return new Set();
  }
  const names = await recorded(session, tables, migrations[0]);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  return new Set(names);
}

/**
 * @param first the oldest step. Where DDL is not transactional, its tables are there when it was interrupted.
 * @throws ForeignSchemaError when the table is not ours but has its name, DevelopmentSchemaError
 */
async function recorded(
  session: WriteSession,
  tables: readonly string[],
  first: Migration | undefined,
): Promise<string[]> {
  const rows = await session.select<{ name?: string }>(`SELECT * FROM ${record}`);
  const names = rows.flatMap(({ name }) => name ?? []);
  const ours =
    rows.length > 0
      ? names.length === rows.length
      : tables.every((table) => table === record || first?.tables.includes(table));
  if (!ours || !names.every((name) => /^\d{4}-/.test(name))) throw new ForeignSchemaError(tables);
  if (first !== undefined && names.length > 0 && !names.includes(first.name)) {
    throw new DevelopmentSchemaError();
  }
  return names;
}

function storageIn(session: WriteSession): UmzugStorage<MigrationContext> {
  const run =
    (sql: string) =>
    async ({ name }: MigrationParams<MigrationContext>) =>
      session.execute(sql, { name });
  return {
    logMigration: run(`INSERT INTO ${record} (name) VALUES (:name)`),
    unlogMigration: run(`DELETE FROM ${record} WHERE name = :name`),
    executed: () => executed(session),
  };
}

async function executed(session: WriteSession): Promise<string[]> {
  const rows = await session.select<{ name: string }>(`SELECT name FROM ${record} ORDER BY name`);
  return rows.map(({ name }) => name);
}

/**
 * The same statement, but without effect where it has taken place already: a step that was interrupted half way, on an
 * engine that does not take back what was done, is taken again from its beginning.
 */
function repeatable(sql: string): string {
  return sql
    .replace(/^CREATE (TABLE|INDEX|UNIQUE INDEX) /, 'CREATE $1 IF NOT EXISTS ')
    .replace(/^CREATE VIEW /, 'CREATE OR REPLACE VIEW ')
    .replace(/^DROP (TABLE|INDEX|VIEW) /, 'DROP $1 IF EXISTS ')
    .replace(/^(ALTER TABLE \w+ ADD COLUMN) /, '$1 IF NOT EXISTS ')
    .replace(/^(ALTER TABLE \w+ DROP COLUMN) /, '$1 IF EXISTS ')
    .replace(/^INSERT INTO /, 'INSERT IGNORE INTO ');
}
