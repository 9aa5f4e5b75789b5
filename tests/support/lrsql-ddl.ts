import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The SQL with which lrsql itself makes its database, from a checkout of https://github.com/yetanalytics/lrsql: what its
 * `-create-all!` and `-update-all!` run on a new database, in that order.
 */
export function lrsqlDdl(checkout: string, engine: 'sqlite' | 'postgres' | 'mariadb'): string[] {
  const file = join(checkout, 'src/db', engine, 'lrsql', engine, 'sql/ddl.sql');
  const blocks = readFileSync(file, 'utf8')
    .split(/^-- :(?:name|snip) /m)
    .slice(1)
    .map((block) => /^(\S+)[^\n]*\n((?:-- :[^\n]*\n)*)(.*)$/s.exec(block))
    .map((found) => ({ name: found?.[1] ?? '', sql: (found?.[3] ?? '').replaceAll(':sql:tz-id', "'UTC'") }))
    .filter(({ name }) => changesSchema.test(name));
  // Other tables of MariaDB refer to it.
  const isFirst = ({ name }: { readonly name: string }): boolean =>
    engine === 'mariadb' && name === 'create-reaction-table!';
  const ordered = [...blocks.filter(isFirst), ...blocks.filter((block) => !isFirst(block))];
  return ordered.flatMap(({ sql }) =>
    sql.includes('UPDATE sqlite_schema')
      ? ['PRAGMA writable_schema = ON', sql, 'PRAGMA writable_schema = RESET']
      : [sql],
  );
}

const changesSchema = /^(create|alter|add|convert|xapi-statement-add|migrate-timestamps)-|last-modified!$/;
