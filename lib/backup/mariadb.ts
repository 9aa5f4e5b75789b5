import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { passwordOf, type ServerOptions } from '../db/dialects/server/options.ts';
import { migrationTable } from '../db/foreign-tables.ts';
import type { HostAddress } from '../db/host-address.ts';
import { type Environment, runClient } from './client-program.ts';
import { BackupError } from './error.ts';
import { createNewFile } from './new-file.ts';
import type { CopyRequest } from './request.ts';
import { requireEmpty, requireStore, withAuthorities } from './server-database.ts';

const installation =
  'install the client programs of MariaDB (Debian, Ubuntu: apt-get install mariadb-client)';
const dump = { name: 'mariadb-dump', installation };
const restoration = { name: 'mariadb', installation };

/** The view of docs/sql.md. */
const views = ['statement_report'];
/** The end of a complete dump. */
const completion = /^-- Dump completed/m;
const lookedAtBytes = 256;

/**
 * Copies the tables in the state of one moment, while servers read and write them, as SQL. The table of the migrations is the
 * last: a database that was restored in part has none, and no server uses it.
 */
export async function backUpMariadb(
  options: ServerOptions,
  { file, env: inherited, signal }: CopyRequest,
): Promise<void> {
  const { tables, address } = await requireStore(options);
  const others = tables.filter((name) => name !== migrationTable);
  await withConnection(options, address, ({ args, env }) =>
    createNewFile(file, (partial) =>
      runClient(dump, {
        args: [
          ...args,
          '--single-transaction',
          '--quick',
          '--hex-blob',
          '--no-tablespaces',
          '--skip-add-drop-table',
          `--result-file=${partial}`,
          '--',
          options.dbName,
          ...others,
          ...views,
          migrationTable,
        ],
        env,
        inherited,
        signal,
      }),
    ),
  );
}

/** Makes the tables of a copy in an empty database. */
export async function restoreMariadb(
  options: ServerOptions,
  { file, env: inherited, signal }: CopyRequest,
): Promise<void> {
  await requireComplete(file);
  const { address } = await requireEmpty(options);
  await withConnection(options, address, ({ args, env }) =>
    runClient(restoration, {
      args: [...args, '--batch', '--binary-mode', `--database=${options.dbName}`],
      env,
      inherited,
      signal,
      input: createReadStream(file),
    }),
  ).catch((cause: unknown) => {
    if (!(cause instanceof BackupError || (cause instanceof Error && signal?.aborted))) throw cause;
    throw new BackupError(
      `${cause.message}\nThe database "${options.dbName}" may have a part of the backup: drop and create it before the next attempt.`,
      { cause },
    );
  });
  await requireStore(options);
}

async function requireComplete(file: string): Promise<void> {
  if (!(await stat(file)).isFile()) {
    throw new BackupError(
      `${file} is no file, and a backup of MariaDB is read twice: write it into a file first.`,
    );
  }
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, lookedAtBytes);
    const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: size - length });
    if (!completion.test(buffer.toString('utf8'))) {
      throw new BackupError(`${file} is not a complete backup of a MariaDB database.`);
    }
  } finally {
    await handle.close();
  }
}

interface Connection {
  readonly args: readonly string[];
  readonly env: Environment;
}

function withConnection<T>(
  options: ServerOptions,
  address: HostAddress,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { dbUser, tls } = options;
  return withAuthorities(tls, async (authorities) =>
    work({
      args: [
        '--no-defaults',
        '--protocol=tcp',
        `--host=${address.host}`,
        `--port=${address.port}`,
        `--user=${dbUser}`,
        '--default-character-set=utf8mb4',
        '--max-allowed-packet=1G',
        ...(tls === undefined ? ['--skip-ssl'] : ['--ssl']),
        ...(authorities === undefined ? [] : [`--ssl-ca=${authorities}`, '--ssl-verify-server-cert']),
        ...(tls?.verify === 'nothing' ? ['--skip-ssl-verify-server-cert'] : []),
        ...(tls?.certificateFile === undefined ? [] : [`--ssl-cert=${tls.certificateFile}`]),
        ...(tls?.keyFile === undefined ? [] : [`--ssl-key=${tls.keyFile}`]),
      ],
      env: { MYSQL_PWD: await passwordOf(options, address) },
    }),
  );
}
