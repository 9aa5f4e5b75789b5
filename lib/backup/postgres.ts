import { stat } from 'node:fs/promises';
import { passwordOf, type ServerOptions, type TlsOptions } from '../db/dialects/server/options.ts';
import type { HostAddress } from '../db/host-address.ts';
import { type Environment, runClient } from './client-program.ts';
import { BackupError } from './error.ts';
import { openInput } from './input.ts';
import { createNewFile } from './new-file.ts';
import type { CopyRequest } from './request.ts';
import { requireEmpty, requireStore, withAuthorities } from './server-database.ts';

const installation =
  'install the client programs of Postgres, of the release of the server or newer (Debian, Ubuntu: apt-get install postgresql-client)';
const dump = { name: 'pg_dump', installation };
const restoration = { name: 'pg_restore', installation };

const sslModes: Readonly<Record<TlsOptions['verify'], string>> = {
  nothing: 'require',
  authority: 'verify-ca',
  'authority and host': 'verify-full',
};

/** Copies the tables in the state of one moment, while servers read and write them, in the custom format of `pg_dump`. */
export async function backUpPostgres(
  options: ServerOptions,
  { file, env: inherited, signal }: CopyRequest,
): Promise<void> {
  requireDirect(options);
  const { schema, address } = await requireStore(options);
  await withEnvironment(options, address, (env) =>
    createNewFile(file, (partial) =>
      runClient(dump, {
        args: [
          '--format=custom',
          '--no-owner',
          '--no-privileges',
          '--no-password',
          `--table=${patternOf(schema)}.*`,
          `--file=${partial}`,
        ],
        env,
        inherited,
        signal,
      }),
    ),
  );
}

/** Makes the tables of a copy in an empty database, all of them or none. */
export async function restorePostgres(
  options: ServerOptions,
  { file, env: inherited, signal }: CopyRequest,
): Promise<void> {
  requireDirect(options);
  const { schema, address } = await requireEmpty(options);
  // The program would wait for the writer of a pipe for ever.
  const input = (await stat(file)).isFile() ? undefined : await openInput(file, { signal });
  await withEnvironment(options, address, (env) =>
    runClient(restoration, {
      args: [
        '--single-transaction',
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        '--no-password',
        `--schema=${schema}`,
        `--dbname=${connectionString(options.dbName)}`,
        ...(input === undefined ? [file] : []),
      ],
      env,
      inherited,
      signal,
      ...(input !== undefined && { input }),
    }),
  );
  await requireStore(options).catch((cause: unknown) => {
    if (!(cause instanceof BackupError)) throw cause;
    throw new BackupError(`${file} has no tables of an LRS in the schema "${schema}".`, { cause });
  });
}

function requireDirect({ dbPooler }: ServerOptions): void {
  if (!dbPooler) return;
  throw new BackupError(
    'pg_dump and pg_restore need Postgres itself and not a pooler: run the command with LRS_DB_POOLER=false and the dbHost and dbPort of the server.',
  );
}

/** What the client programs take from their environment. */
function withEnvironment<T>(
  options: ServerOptions,
  address: HostAddress,
  work: (env: Environment) => Promise<T>,
): Promise<T> {
  const { dbName, dbUser, tls } = options;
  return withAuthorities(tls, async (authorities) =>
    work({
      PGHOST: address.host,
      PGPORT: String(address.port),
      PGUSER: dbUser,
      PGDATABASE: dbName,
      PGPASSWORD: await passwordOf(options, address),
      PGSSLMODE: tls === undefined ? 'disable' : sslModes[tls.verify],
      PGSSLROOTCERT: authorities,
      PGSSLCERT: tls?.certificateFile,
      PGSSLKEY: tls?.keyFile,
    }),
  );
}

/** A name in a pattern of `pg_dump`, where quotes take away the meaning of special characters. */
const patternOf = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** In a connection string of libpq, so that the name is not taken for one. */
const connectionString = (dbName: string): string =>
  `dbname='${dbName.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
