import pg from 'pg';
import { type LrsqlReader, refusedBy } from './reader.ts';

/** Reads the database of an lrsql that uses Postgres. @param url `postgres://…`; its parameter `schema` names the schema. */
export async function openLrsqlPostgres(url: URL): Promise<LrsqlReader> {
  const schema = url.searchParams.get('schema');
  const address = new URL(url);
  address.searchParams.delete('schema');
  const client = new pg.Client({ connectionString: address.href });
  // A connection that breaks between two queries fails the next one, which says so.
  client.on('error', () => {});
  await client.connect().catch(refusedBy(url));
  await client.query("SET TIME ZONE 'UTC'");
  await client.query('SET default_transaction_read_only = on');
  if (schema !== null) await client.query("SELECT set_config('search_path', $1, false)", [schema]);
  return {
    name: `database ${url.pathname.slice(1)} on ${url.host}`,
    async select(sql, values = []) {
      let place = 0;
      const text = sql.replaceAll('?', () => {
        place += 1;
        return `$${place}`;
      });
      return (await client.query(text, [...values])).rows;
    },
    jsonText: (column) => `CAST(${column} AS TEXT)`,
    close: () => client.end(),
  };
}
