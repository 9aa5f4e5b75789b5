import mariadb from 'mariadb';
import { tlsConnectionOptions } from '../../../db/dialects/server/tls-files.ts';
import { databaseAddress } from './database-address.ts';
import { type LrsqlReader, refusedBy } from './reader.ts';

/**
 * Reads the database of an lrsql that uses MariaDB or MySQL. @param from `mariadb://…` or `mysql://…`, whose parameters set up TLS.
 * @throws InvalidError when it can't be opened, or not as the parameters require.
 */
export async function openLrsqlMariadb(from: string): Promise<LrsqlReader> {
  const { url, tls, host, user, password, database } = databaseAddress(from);
  const connection = await mariadb
    .createConnection({
      ...{ host, port: Number(url.port || '3306'), user, password, database },
      ...(tls && { ssl: tlsConnectionOptions(tls) }),
      timezone: 'Z',
      bigIntAsNumber: true,
      autoJsonMap: false,
    })
    .catch(refusedBy(url));
  // A connection that breaks between two queries fails the next one, which says so.
  connection.on('error', () => {});
  await connection.query("SET SESSION time_zone = '+00:00'");
  await connection.query('SET SESSION TRANSACTION READ ONLY');
  return {
    name: `database ${url.pathname.slice(1)} on ${url.host}`,
    select: async (sql, values = []) => [...(await connection.query(sql, [...values]))],
    jsonText: (column) => `CAST(${column} AS CHAR)`,
    close: () => connection.end(),
  };
}
