import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { DatabaseOptions } from '../db/dialects/engine.ts';
import type { EngineName } from '../db/dialects/facts.ts';
import { isOnServer } from '../db/dialects/facts.ts';
import type { ServerOptions } from '../db/dialects/server/options.ts';
import type { SqliteOptions } from '../db/dialects/sqlite/options.ts';
import type { Environment } from './client-program.ts';
import { BackupError } from './error.ts';

/** What is copied, where to, and the environment of this process, which client programs inherit. */
export interface BackupRequest {
  readonly options: DatabaseOptions;
  readonly file: string;
  readonly env: Environment;
}

type Copy = (request: BackupRequest) => Promise<void>;

interface Copier {
  readonly backUp: Copy;
  readonly restore: Copy;
}

/** How each engine copies its databases, loaded when it is used. */
const copiers: Readonly<Record<EngineName, () => Promise<Copier>>> = {
  sqlite: async () => {
    const { backUpSqlite, restoreSqlite } = await import('./store-sqlite.ts');
    return { backUp: ofFile(backUpSqlite), restore: ofFile(restoreSqlite) };
  },
  postgres: async () => {
    const { backUpPostgres, restorePostgres } = await import('./postgres.ts');
    return { backUp: onServer(backUpPostgres), restore: onServer(restorePostgres) };
  },
  mariadb: async () => {
    const { backUpMariadb, restoreMariadb } = await import('./mariadb.ts');
    return { backUp: onServer(backUpMariadb), restore: onServer(restoreMariadb) };
  },
};

const ofFile =
  (copy: (options: SqliteOptions, file: string) => Promise<void>): Copy =>
  async ({ options, file }) => {
    if (!isOnServer(options)) await copy(options, file);
  };

const onServer =
  (copy: (options: ServerOptions, file: string, env: Environment) => Promise<void>): Copy =>
  async ({ options, file, env }) => {
    if (isOnServer(options)) await copy(options, file, env);
  };

/**
 * Copies the database, as it is at one moment, into a new file. Servers may read and write meanwhile.
 * @throws BackupError; UnavailableError and DatabaseUnusableError as when a server starts.
 */
export async function backUp(request: BackupRequest): Promise<void> {
  const copier = await copiers[request.options.dbType]();
  await copier.backUp(request);
}

/**
 * Makes the database from such a file, where there is none: a file of SQLite that does not exist, an empty database on a server.
 * @throws as `backUp`.
 */
export async function restore(request: BackupRequest): Promise<void> {
  await access(request.file, constants.R_OK).catch((cause: unknown) => {
    throw new BackupError(`${request.file} can't be read, or does not exist.`, { cause });
  });
  const copier = await copiers[request.options.dbType]();
  await copier.restore(request);
}
