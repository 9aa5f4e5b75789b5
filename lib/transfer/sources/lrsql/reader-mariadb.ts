import mariadb from 'mariadb';
import { type LrsqlReader, refusedBy } from './reader.ts';

/** Reads the database of an lrsql that uses MariaDB or MySQL. @param url `mariadb://…` or `mysql://…`. */
export async function openLrsqlMariadb(url: URL): Promise<LrsqlReader> {
  const connection = await mariadb
    .createConnection({
      host: url.hostname,
      port: Number(url.port || '3306'),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.slice(1)),
      timezone: 'Z',
      bigIntAsNumber: true,
      autoJsonMap: false,
    })
    .catch(refusedBy(url));
  await connection.query("SET SESSION time_zone = '+00:00'");
  await connection.query('SET SESSION TRANSACTION READ ONLY');
  return {
    name: `database ${url.pathname.slice(1)} on ${url.host}`,
    select: async (sql, values = []) => [...(await connection.query(sql, [...values]))],
    jsonText: (column) => `CAST(${column} AS CHAR)`,
    close: () => connection.end(),
  };
}
