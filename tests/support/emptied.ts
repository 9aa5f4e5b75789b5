import type { Database, ReadSession, SqlValue } from '../../lib/db/types.ts';
import { changeSchema } from './schema-change.ts';

type Row = Readonly<Record<string, SqlValue>>;
/** The rows of each table. */
export type Contents = ReadonlyMap<string, readonly Row[]>;

const record = 'schema_migration';

/** What the migrations themselves have put into a new database. */
export function contentsOf(db: Database): Promise<Contents> {
  return db.read(async (session) => {
    const contents = new Map<string, Row[]>();
    for (const table of await tablesOf(session)) {
      contents.set(table, await session.select<Row>(`SELECT * FROM ${table}`));
    }
    return contents;
  });
}

/**
 * Makes the database hold that and nothing else, which is faster than to make another.
 * @returns whether it could: false when a test has taken away a table.
 */
export async function restore(db: Database, contents: Contents): Promise<boolean> {
  return db.write(async (session) => {
    const tables = await tablesOf(session);
    if ([...contents.keys()].some((table) => !tables.includes(table))) return false;
    for (const table of tables) {
      if (!contents.has(table)) await changeSchema(session, `DROP TABLE ${table}`);
      else if (table !== record) await session.execute(`DELETE FROM ${table}`);
    }
    for (const [table, rows] of contents) {
      for (const row of table === record ? [] : rows) {
        const columns = Object.keys(row);
        const values = columns.map((column) => `:${column}`);
        const into = `${table} (${columns.join(', ')})`;
        await session.execute(`INSERT INTO ${into} VALUES (${values.join(', ')})`, row);
      }
    }
    return true;
  });
}

async function tablesOf(session: ReadSession): Promise<string[]> {
  const rows = await session.select<{ name: string }>(session.dialect.tablesSql);
  return rows.map(({ name }) => name);
}
