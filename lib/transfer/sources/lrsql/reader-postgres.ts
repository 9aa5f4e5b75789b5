import pg from 'pg';
import { tlsConnectionOptions } from '../../../db/dialects/server/tls-files.ts';
import { isAboutTls } from '../../../db/dialects/server/tls-properties.ts';
import { databaseAddress } from './database-address.ts';
import { type LrsqlReader, refusedBy } from './reader.ts';

/**
 * Reads the database of an lrsql that uses Postgres.
 * @param from `postgres://…`, whose parameters set up TLS; its parameter `schema` names the schema.
 * @throws InvalidError when it can't be opened, or not as the parameters require.
 */
export async function openLrsqlPostgres(from: string): Promise<LrsqlReader> {
  const { url, tls, host, user, password, database } = databaseAddress(from);
  const schema = url.searchParams.get('schema');
  const parameters = [...url.searchParams].filter(
    // The driver has another idea of TLS.
    ([name, value]) => value !== '' && name !== 'schema' && !isAboutTls(name),
  );
  const client = new pg.Client({
    // Not as an address, of which the driver does not decode all.
    ...{ host, user, password, ...(url.port !== '' && { port: Number(url.port) }) },
    ...Object.fromEntries(parameters),
    database,
    ...(tls && { ssl: tlsConnectionOptions(tls) }),
  });
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
