import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as administration from '../../lib/db/tables/administration.ts';
import * as background from '../../lib/db/tables/background.ts';
import * as mentions from '../../lib/db/tables/mentions.ts';
import * as statements from '../../lib/db/tables/statements.ts';
import * as statistics from '../../lib/db/tables/statistics.ts';
import * as stores from '../../lib/db/tables/stores.ts';
import type { Column, TableDefinition } from '../../lib/db/tables/table.ts';
import type { Database } from '../../lib/db/types.ts';
import { migrations } from '../../migrations/index.ts';
import type { ColumnTypes } from '../../migrations/migration.ts';
import { type Engine, engines, type TestDatabase } from '../support/engines.ts';

const definitions: readonly TableDefinition[] = [
  administration,
  background,
  mentions,
  statements,
  statistics,
  stores,
].flatMap((subject) => Object.values<TableDefinition>(subject));

type ForFamilies<Known> = Readonly<Record<Engine['family'], Known>>;

/** What is known of a table, from its definition or from the database; indexes and keys are lists of columns. */
interface Found {
  readonly columns: readonly (readonly [name: string, type: string, nullable: boolean, fallback: string])[];
  readonly primaryKey: readonly string[];
  readonly unique: readonly string[];
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  readonly references: Readonly<Record<string, string>>;
}

/** The names that the engine itself gives the types, without collations. */
const typeNames: ForFamilies<(type: string) => string> = {
  sqlite: (type) => type,
  postgres: (type) =>
    type
      .replace(/ COLLATE "C"/, '')
      .replace('VARCHAR', 'character varying')
      .replace('CHAR(40)', 'character(40)')
      .toLowerCase(),
  mariadb: (type) =>
    type
      .replace(/ CHARACTER SET.*/, '')
      .toLowerCase()
      .replace('bigint', 'bigint(20)')
      .replace('smallint', 'smallint(6)')
      .replace(/^integer$/, 'int(11)'),
};

function sqlTypeOf({ type, length = 0 }: Column, types: ColumnTypes): string {
  if (type === 'ascii') return types.ascii(length);
  if (type === 'char') return `CHAR(${length})`;
  if (type === 'integer') return 'INTEGER';
  if (type === 'smallint') return 'SMALLINT';
  return types[type];
}

function expected(definition: TableDefinition, db: Database, { family }: Engine): Found {
  const typeName = typeNames[family];
  return {
    columns: Object.entries(definition.columns).map(([name, column]) => [
      name,
      typeName(sqlTypeOf(column, db.dialect.columnTypes)),
      column.nullable,
      String(column.default ?? ''),
    ]),
    primaryKey: definition.primaryKey,
    unique: [...(definition.unique ?? [])].toSorted(),
    indexes: definition.indexes ?? {},
    references: Object.fromEntries(
      Object.entries(definition.references ?? {}).map(([column, { name }]) => [column, name]),
    ),
  };
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly nullable: number;
  readonly fallback: string | null;
}

/** One row for each column of each index. */
interface IndexRow {
  readonly name: string;
  readonly kind: 'primary' | 'unique' | 'index';
  readonly column_name: string;
}

interface ReferenceRow {
  readonly column_name: string;
  readonly target: string;
}

/** Queries for rows as above, the columns in their order. */
const catalogs: ForFamilies<Readonly<Record<'columns' | 'indexes' | 'references', string>>> = {
  sqlite: {
    columns: `SELECT name, type, "notnull" = 0 AS nullable, dflt_value AS fallback
      FROM pragma_table_info(:table) ORDER BY cid`,
    indexes: `SELECT * FROM (
        SELECT 'primary' AS name, 'primary' AS kind, name AS column_name, pk AS place
        FROM pragma_table_info(:table) WHERE pk > 0
        UNION ALL SELECT l.name, CASE l."unique" WHEN 1 THEN 'unique' ELSE 'index' END, i.name, i.seqno
        FROM pragma_index_list(:table) l, pragma_index_info(l.name) i WHERE l.origin <> 'pk'
      ) ORDER BY name, place`,
    references: 'SELECT "from" AS column_name, "table" AS target FROM pragma_foreign_key_list(:table)',
  },
  postgres: {
    columns: `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
        CASE WHEN a.attnotnull THEN 0 ELSE 1 END AS nullable, pg_get_expr(d.adbin, d.adrelid) AS fallback
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = CAST(CAST(:table AS TEXT) AS regclass) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    indexes: `SELECT c.relname AS name,
        CASE WHEN i.indisprimary THEN 'primary' WHEN i.indisunique THEN 'unique' ELSE 'index' END AS kind,
        a.attname AS column_name
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum <= i.indnkeyatts
      WHERE i.indrelid = CAST(CAST(:table AS TEXT) AS regclass) ORDER BY c.relname, a.attnum`,
    references: `SELECT a.attname AS column_name, t.relname AS target
      FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
      JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = ANY (f.conkey)
      WHERE f.contype = 'f' AND f.conrelid = CAST(CAST(:table AS TEXT) AS regclass)`,
  },
  mariadb: {
    columns: `SELECT column_name AS name, column_type AS type, is_nullable = 'YES' AS nullable, column_default AS fallback
      FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = :table ORDER BY ordinal_position`,
    indexes: `SELECT index_name AS name, column_name AS column_name,
        CASE WHEN index_name = 'PRIMARY' THEN 'primary' WHEN non_unique = 0 THEN 'unique' ELSE 'index' END AS kind
      FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = :table
      ORDER BY index_name, seq_in_index`,
    references: `SELECT column_name AS column_name, referenced_table_name AS target
      FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND table_name = :table AND referenced_table_name IS NOT NULL`,
  },
};

function found(db: Database, { family }: Engine, table: string): Promise<Found> {
  const sql = catalogs[family];
  return db.read(async (session) => {
    const columns = await session.select<ColumnRow>(sql.columns, { table });
    const indexes = await session.select<IndexRow>(sql.indexes, { table });
    const references = await session.select<ReferenceRow>(sql.references, { table });
    const named = (wanted: IndexRow['kind']) =>
      indexes.filter(({ kind }) => kind === wanted).map(({ column_name }) => column_name);
    const others = new Map<string, string[]>();
    for (const { kind, name, column_name } of indexes) {
      if (kind === 'index') others.set(name, [...(others.get(name) ?? []), column_name]);
    }
    return {
      columns: columns.map(({ name, type, nullable, fallback }) => [
        name,
        type,
        Number(nullable) === 1,
        // Postgres writes -1 as '-1'::integer, MariaDB no default of a column that may be null as NULL.
        /^(?:')?(-?\d+)/.exec(fallback ?? '')?.[1] ?? '',
      ]),
      primaryKey: named('primary'),
      unique: named('unique').toSorted(),
      indexes: Object.fromEntries(others),
      references: Object.fromEntries(references.map(({ column_name, target }) => [column_name, target])),
    };
  });
}

describe.each(engines)('the tables that migrations make on $name', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await engine.create();
  });

  afterEach(() => database.remove());

  it('are those that are defined, and no others', async () => {
    const rows = await database.db.read((session) =>
      session.select<{ name: string }>(session.dialect.tablesSql),
    );
    const names = definitions.map(({ name }) => name).toSorted();
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...names, 'schema_migration'].toSorted());
    const made = migrations.flatMap(({ tables }) => tables);
    const renamed = made.map((table) => (table === 'statement_recent' ? 'statement_key_buffer' : table));
    expect(renamed.toSorted()).toEqual(names);
  });

  it.each(definitions)('have the columns, keys and indexes that are defined: $name', async (definition) => {
    const { db } = database;
    expect(await found(db, engine, definition.name)).toEqual(expected(definition, db, engine));
  });

  it.each(definitions)('can be read with a model: $name', async (definition) => {
    const rows = await database.db.read(async (session) =>
      (await session.model(definition)).findAll({ ...session.options, limit: 1, raw: true }),
    );
    expect(rows.length).toBeLessThanOrEqual(1);
  });
});
