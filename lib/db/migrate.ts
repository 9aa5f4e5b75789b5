import type { Sequelize } from 'sequelize';
import { SequelizeStorage, Umzug } from 'umzug';
import type { Dialect } from './dialects/dialect.ts';

/** One step of the schema. A released one never changes; `name` sorts in the order of the steps, e.g. `0001-initial`. */
export interface Migration {
  readonly name: string;
  up(context: MigrationContext): Promise<void>;
  down(context: MigrationContext): Promise<void>;
}

export interface MigrationContext {
  readonly dialect: Dialect;
  /** Runs one statement that defines or changes the schema. */
  execute(sql: string): Promise<void>;
}

/** The database has been used by a release that knows steps which this one does not. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `The database was last used by a newer release: it holds schema changes unknown to this one (${unknown.join(', ')}). Start that release, or use another database.`,
    );
    this.name = 'NewerSchemaError';
  }
}

/** The steps of the schema in one database, up and down; its table `schema_migration` lists those taken. */
export interface Migrator {
  /**
   * Takes the steps that the database has not taken yet.
   * @returns the names of the steps taken now.
   * @throws NewerSchemaError
   */
  up(): Promise<string[]>;
  /**
   * Takes back every step, newest first: all data is lost.
   * @returns the names of the steps taken back.
   */
  down(): Promise<string[]>;
}

/** To be used inside `Database.write` where DDL is transactional, so that several processes that start at once take turns. */
export function createMigrator(
  sequelize: Sequelize,
  dialect: Dialect,
  migrations: readonly Migration[],
): Migrator {
  const storage = new SequelizeStorage({
    sequelize,
    modelName: 'SchemaMigration',
    tableName: 'schema_migration',
  });
  const context: MigrationContext = {
    dialect,
    async execute(sql) {
      await sequelize.query(sql);
    },
  };
  const umzug = new Umzug<MigrationContext>({
    migrations: migrations.map(({ name, up, down }) => ({
      name,
      up: () => up(context),
      down: () => down(context),
    })),
    context,
    storage,
    logger: undefined,
  });
  const known = new Set(migrations.map(({ name }) => name));
  return {
    async up() {
      const unknown = (await storage.executed()).filter((name) => !known.has(name));
      if (unknown.length > 0) throw new NewerSchemaError(unknown);
      return (await umzug.up()).map(({ name }) => name);
    },
    async down() {
      return (await umzug.down({ to: 0 })).map(({ name }) => name);
    },
  };
}
