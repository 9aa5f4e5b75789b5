import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { connect } from '../db/connect.ts';
import { factsOf } from '../db/dialects/facts.ts';
import type { ServerOptions, TlsOptions } from '../db/dialects/server/options.ts';
import { authorityFileOf } from '../db/dialects/server/tls-files.ts';
import { lrsqlAdvice, lrsqlTable, migrationTable } from '../db/foreign-tables.ts';
import type { HostAddress } from '../db/host-address.ts';
import type { ReadSession } from '../db/types.ts';
import { BackupError } from './error.ts';

/** What one query shows of the database, and its server. @throws UnavailableError, DatabaseUnusableError */
async function look<T>(
  options: ServerOptions,
  query: (session: ReadSession) => Promise<T>,
): Promise<T & { readonly address: HostAddress }> {
  const database = await connect(options);
  try {
    const found = await database.read(query);
    if (database.host === undefined) throw new Error('The database is on no server.');
    return { ...found, address: database.host };
  } finally {
    await database.close();
  }
}

/** The tables of the LRS and, on Postgres, the schema that holds them. */
export interface Contents {
  readonly tables: readonly string[];
  readonly schema: string;
  /** The server, of several the one that accepts writes. */
  readonly address: HostAddress;
}

function contentsOf(options: ServerOptions): Promise<Contents> {
  return look(options, async (session) => {
    const tables = await session.select<{ name: string }>(session.dialect.tablesSql);
    if (!factsOf(options.dbType).server?.hasSchemas)
      return { tables: tables.map(({ name }) => name), schema: '' };
    const [row] = await session.select<{ name: string }>('SELECT current_schema() AS name');
    return { tables: tables.map(({ name }) => name), schema: row?.name ?? '' };
  });
}

/** @throws BackupError when the database has no tables of an LRS. */
export async function requireStore(options: ServerOptions): Promise<Contents> {
  const contents = await contentsOf(options);
  if (contents.tables.includes(migrationTable)) return contents;
  const advice = contents.tables.includes(lrsqlTable) ? ` ${lrsqlAdvice}` : '';
  throw new BackupError(`The database "${options.dbName}" has no tables of an LRS.${advice}`);
}

/** @throws BackupError when the database has tables. */
export async function requireEmpty(options: ServerOptions): Promise<Contents> {
  const contents = await contentsOf(options);
  const [table] = contents.tables;
  if (table === undefined) return contents;
  throw new BackupError(
    `The database "${options.dbName}" has tables, such as ${table}, and no database is overwritten: set dbName (LRS_DB_NAME) to an empty one.`,
  );
}

/**
 * Calls with the file of the authorities that the server's certificate is verified against: the configured one, or those that
 * Node.js trusts. Undefined where nothing is verified.
 */
export async function withAuthorities<T>(
  tls: TlsOptions | undefined,
  work: (file: string | undefined) => Promise<T>,
): Promise<T> {
  if (tls === undefined || tls.verify === 'nothing') return work(undefined);
  const configured = authorityFileOf(tls);
  if (configured !== undefined) return work(configured);
  const folder = await mkdtemp(join(tmpdir(), 'lrs-authorities-'));
  try {
    const file = join(folder, 'authorities.pem');
    await writeFile(file, rootCertificates.join('\n'));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
