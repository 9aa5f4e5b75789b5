import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { DatabaseOptions } from '../db/dialects/engine.ts';
import type { EngineName } from '../db/dialects/facts.ts';
import { isOnServer } from '../db/dialects/facts.ts';
import type { ServerOptions } from '../db/dialects/server/options.ts';
import type { SqliteOptions } from '../db/dialects/sqlite/options.ts';
import { BackupError } from './error.ts';
import type { CopyRequest } from './request.ts';

export interface BackupRequest extends CopyRequest {
  /** The database. */
  readonly options: DatabaseOptions;
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
  (copy: (options: SqliteOptions, request: CopyRequest) => Promise<void>): Copy =>
  async (request) => {
    if (!isOnServer(request.options)) await copy(request.options, request);
  };

const onServer =
  (copy: (options: ServerOptions, request: CopyRequest) => Promise<void>): Copy =>
  async (request) => {
    if (isOnServer(request.options)) await copy(request.options, request);
  };

/**
 * Copies the database, as it is at one moment, into a new file. Servers may read and write meanwhile.
 * @throws BackupError; the reason of the signal; UnavailableError and DatabaseUnusableError as when a server starts.
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
  if ((await stat(request.file)).isDirectory())
    throw new BackupError(`${request.file} is a folder: name the file that \`npm run backup\` has written.`);
  const copier = await copiers[request.options.dbType]();
  await copier.restore(request);
}
