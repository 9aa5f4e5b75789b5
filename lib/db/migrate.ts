import type { MigrationParams, UmzugStorage, Umzug as UmzugType } from 'umzug';
import type { Migration, MigrationContext } from '../../migrations/migration.ts';
import { migrationTable, selectMigrations } from './foreign-tables.ts';
import type { WriteSession } from './types.ts';
import { DatabaseUnusableError, developmentSchema } from './unusable.ts';

/** The database was used by a release with migrations that this one does not have. */
export class NewerSchemaError extends DatabaseUnusableError {
  constructor(unknown: readonly string[]) {
    super(
      `The database was last used by a newer release: it holds schema changes unknown to this one (${unknown.join(', ')}). Start that release, or use another database.`,
    );
  }
}

/** The database was created by a build before the first release. */
export class DevelopmentSchemaError extends DatabaseUnusableError {
  constructor() {
    super(developmentSchema);
  }
}

/** Runs the migrations of one database, up and down; its table `schema_migration` lists those that were run. */
export interface Migrator {
  /**
   * Runs the migrations that the database lacks.
   * @returns their names.
   * @throws NewerSchemaError, DevelopmentSchemaError, ForeignSchemaError
   */
  up(): Promise<string[]>;
  /**
   * Undoes every migration, newest first: all data is lost.
   * @returns their names.
   */
  down(): Promise<string[]>;
}

/** Use it inside `MigratableDatabase.migrate`, so that only one of several starting processes migrates. */
export function createMigrator(session: WriteSession, migrations: readonly Migration[]): Migrator {
  const context: MigrationContext = {
    dialect: session.dialect,
    execute: (sql) => session.execute(session.dialect.supportsTransactionalDdl ? sql : repeatable(sql)),
  };
  /** Loading the library takes a tenth of a second, which a start without pending migrations saves. */
  const open = async (): Promise<UmzugType<MigrationContext>> => {
    const library = await import('umzug');
    // In a bundle a CommonJS package has only its default export, and under a TypeScript loader only its names.
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

/**
 * @returns the names of the recorded migrations.
 * @throws ForeignSchemaError, NewerSchemaError, DevelopmentSchemaError
 */
async function prepareRecord(
  session: WriteSession,
  migrations: readonly Migration[],
): Promise<ReadonlySet<string>> {
  const [first] = migrations;
  const names = await selectMigrations(session, first?.tables);
  if (names === undefined) {
    await session.execute(
      `CREATE TABLE ${migrationTable} (name ${session.dialect.columnTypes.ascii(255)} NOT NULL PRIMARY KEY)`,
    );
    return new Set();
  }
  if (first !== undefined && names.length > 0 && !names.includes(first.name)) {
    throw new DevelopmentSchemaError();
  }
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  return new Set(names);
}

function storageIn(session: WriteSession): UmzugStorage<MigrationContext> {
  const run =
    (sql: string) =>
    async ({ name }: MigrationParams<MigrationContext>) =>
      session.execute(sql, { name });
  return {
    logMigration: run(`INSERT INTO ${migrationTable} (name) VALUES (:name)`),
    unlogMigration: run(`DELETE FROM ${migrationTable} WHERE name = :name`),
    executed: () => executed(session),
  };
}

async function executed(session: WriteSession): Promise<string[]> {
  const rows = await session.select<{ name: string }>(`SELECT name FROM ${migrationTable} ORDER BY name`);
  return rows.map(({ name }) => name);
}

/**
 * The same statement, but without effect if it was already run: where DDL is not transactional, an interrupted migration is
 * run again from its beginning.
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
