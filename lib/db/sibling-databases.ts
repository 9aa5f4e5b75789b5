import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConflictError, InvalidError } from '../errors.ts';
import { connect } from './connect.ts';
import type { DatabaseOptions } from './dialects/engine.ts';
import { factsOf, isOnServer } from './dialects/facts.ts';
import type { PoolOptions } from './dialects/server/options.ts';
import type { Database, ReadSession, WriteSession } from './types.ts';

/*
 * Databases beside another one: on Postgres a schema in the same database, on MariaDB a database on the same server, on SQLite
 * a file in the folder `stores` beside the file.
 */

/** Of Postgres; MariaDB allows one character more. */
const longestIdentifier = 63;

/** What SQLite adds to the name of a database file. */
const companions = ['', '-wal', '-shm', '-journal'];

/**
 * The options of a database beside another one. Its name contains that of the other one, beside which there may be others.
 * @param name lower-case letters, digits and hyphens.
 */
export function siblingOptions(
  base: DatabaseOptions,
  name: string,
  pool: Pick<PoolOptions, 'maximumSize' | 'minimumIdle'>,
): DatabaseOptions {
  if (!isOnServer(base)) {
    const { dbName } = base;
    const folder = join(dirname(dbName), 'stores', basename(dbName));
    return { ...base, dbName: join(folder, `${name}.sqlite`) };
  }
  const { dbName, dbSchema, replicas } = base;
  const placed = {
    ...base,
    pool: { ...base.pool, ...pool },
    ...(replicas && {
      replicas: { ...replicas, maximumSize: Math.min(replicas.maximumSize, pool.maximumSize) },
    }),
  };
  const own = `store_${name.replaceAll('-', '_')}`;
  if (!factsOf(base.dbType).server?.hasSchemas) return { ...placed, dbName: fitting(`${dbName}_${own}`) };
  return { ...placed, dbSchema: fitting(dbSchema === undefined ? own : `${dbSchema}_${own}`) };
}

/** @throws InvalidError for a name of a database or schema that servers would cut off. */
function fitting(name: string): string {
  if (name.length <= longestIdentifier) return name;
  throw new InvalidError(
    `The database would be called ${name}, which is longer than ${longestIdentifier} characters.`,
  );
}

/**
 * Makes an empty database; one that is there and empty is taken.
 * @param server its name, for the error.
 * @throws ConflictError when there is something in it; UnavailableError, DatabaseUnusableError
 */
export async function createSibling(
  base: DatabaseOptions,
  sibling: DatabaseOptions,
  server: string,
): Promise<void> {
  const name = databaseName(sibling);
  const isFull = isOnServer(base)
    ? await onServer(base, async (session) => {
        const { siblingSql } = session.dialect;
        if ((await countTables(session, name)) > 0) return true;
        if (siblingSql !== undefined) await session.execute(siblingSql.create(name));
        return false;
      })
    : isFile(name);
  if (!isFull) return;
  throw new ConflictError(
    `On the server ${server} there is a ${nameWithKind(sibling)} already, which is not empty. It may be what a store of that name has left when it moved or was taken off the list: when you are sure, remove it (${removalOf(sibling)}), and try again.`,
  );
}

/**
 * Whether a database is there and has tables.
 * @param opened the base, where it is open already.
 * @throws UnavailableError, DatabaseUnusableError
 */
export async function siblingExists(
  base: DatabaseOptions,
  sibling: DatabaseOptions,
  opened?: Pick<Database, 'read'>,
): Promise<boolean> {
  const name = databaseName(sibling);
  if (!isOnServer(base)) return isFile(name);
  const look = async (database: Pick<Database, 'read'>): Promise<boolean> =>
    (await database.read((session) => countTables(session, name))) > 0;
  if (opened !== undefined) return look(opened);
  const database = await connect(base);
  try {
    return await look(database);
  } finally {
    await database.close();
  }
}

/** Whether there is a file with something in it. */
const isFile = (name: string): boolean => (statSync(name, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Removes a database and all that is in it, if it is there. Nobody must have it open.
 * @throws UnavailableError, DatabaseUnusableError
 */
export async function dropSibling(base: DatabaseOptions, sibling: DatabaseOptions): Promise<void> {
  const name = databaseName(sibling);
  if (!isOnServer(base)) {
    for (const companion of companions) await rm(name + companion, { force: true });
    return;
  }
  await onServer(base, async (session) => {
    const { siblingSql } = session.dialect;
    if (siblingSql !== undefined) await session.execute(siblingSql.drop(name));
  });
}

/** The name of a database, a schema or a file. */
export const databaseName = (options: DatabaseOptions): string =>
  isOnServer(options) ? (options.dbSchema ?? options.dbName) : options.dbName;

const isSchema = (options: DatabaseOptions): boolean => isOnServer(options) && options.dbSchema !== undefined;

/** For people, e.g. `schema store_acme`. */
export function nameWithKind(options: DatabaseOptions): string {
  if (!isOnServer(options)) return `file ${options.dbName}`;
  return `${isSchema(options) ? 'schema' : 'database'} ${databaseName(options)}`;
}

/** How an operator removes it. */
export function removalOf(options: DatabaseOptions): string {
  const name = databaseName(options);
  if (!isOnServer(options)) return `rm -f ${companions.map((companion) => name + companion).join(' ')}`;
  if (isSchema(options)) return `DROP SCHEMA ${name} CASCADE`;
  return `DROP DATABASE ${/\W/.test(name) ? `\`${name}\`` : name}`;
}

async function countTables(session: ReadSession, name: string): Promise<number> {
  const [row] = await session.select<{ count: number }>(
    'SELECT COUNT(*) AS count FROM information_schema.tables WHERE table_schema = :name',
    { name },
  );
  return Number(row?.count ?? 0);
}

/** Works on the server of a database, which need not have a schema. */
async function onServer<T>(base: DatabaseOptions, work: (session: WriteSession) => Promise<T>): Promise<T> {
  const database = await connect(base);
  try {
    return await database.migrate(work);
  } finally {
    await database.close();
  }
}
