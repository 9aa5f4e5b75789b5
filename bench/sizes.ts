import { factsOf } from '../lib/db/dialects/facts.ts';
import type { Engine, ScratchDatabase } from '../scripts/scratch-database.ts';
import type { Size } from './report.ts';

/** What each table and index takes, as the engine itself tells; nothing for a database in memory. */
export function sizesOf(engine: Engine, database: ScratchDatabase): Promise<Size[]> {
  if (engine === 'memory') return Promise.resolve([]);
  switch (factsOf(engine).family) {
    case 'sqlite':
      return database.query('SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name');
    case 'postgres':
      return database.query(
        `SELECT relname AS name, pg_relation_size(oid)::float8 AS bytes FROM pg_class
         WHERE relkind IN ('r', 'i', 't') AND relnamespace <> 'pg_catalog'::regnamespace`,
      );
    case 'mariadb':
      return database.query(
        `SELECT SUBSTRING(name, LOCATE('/', name) + 1) AS name, CAST(file_size AS DOUBLE) AS bytes
         FROM information_schema.innodb_sys_tablespaces WHERE name LIKE '${database.name}/%'`,
      );
  }
}
