import { firstMigration, latestMigration } from '../../migrations/latest.ts';
import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { openDatabase } from './connect.ts';
import type { DatabaseOptions } from './dialects/engine.ts';
import { loadEngine } from './dialects/registry.ts';
import { MonitoredDatabase } from './monitored-database.ts';
import type { Database } from './types.ts';
import { developmentSchema } from './unusable.ts';

/** The database of a function, which the platform may freeze for ever after each response. */
export interface FunctionDatabase {
  readonly db: MonitoredDatabase;
  /** The random secret of the database, which `npm run migrate` has created. */
  readonly secret: Buffer;
  /** Call it after each response: ends what still runs on the connection. */
  abandonUnfinished(): void;
}

/** The timeout, in milliseconds, for opening the connection and the first query. */
const openPatience = 1500;

/** The schema version, and the secret that every function needs. */
const openingSql = `SELECT (SELECT MIN(name) FROM schema_migration) AS first,
  (SELECT MAX(name) FROM schema_migration) AS version,
  (SELECT content FROM server_secret WHERE name = 'server') AS secret`;

interface OpeningRow {
  readonly first: string | null;
  readonly version: string | null;
  readonly secret: Buffer | null;
}

/**
 * Opens the database for a function: on a server with a single connection, without changing the schema. A database in
 * memory belongs to this process alone, which therefore creates the schema.
 * @throws UnavailableError when it cannot be reached, or its schema is not that of this release.
 */
export async function openFunctionDatabase(
  options: DatabaseOptions,
  logger: Logger,
): Promise<FunctionDatabase> {
  const engine = await loadEngine(options);
  if (engine.isPrivate) {
    const db = await openDatabase(options, logger);
    await (await import('./server-secret-store.ts')).serverSecret(db);
    return { db, secret: await readSecret(db), abandonUnfinished: () => {} };
  }
  const { database, connect, abandonUnfinished } = await engine.functionConnection();
  const timer = setTimeout(abandonUnfinished, openPatience);
  try {
    await connect();
    const secret = await readSecret(database);
    return { db: new MonitoredDatabase(database, logger), secret, abandonUnfinished };
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws UnavailableError when the schema is not that of this release. */
async function readSecret(db: Database): Promise<Buffer> {
  const { first, version, secret } = await readOpening(db);
  if (first !== null && first !== firstMigration) throw new UnavailableError(developmentSchema);
  if (version === latestMigration && secret !== null) return secret;
  if (version !== null && version > latestMigration) {
    throw new UnavailableError(
      `The schema of the database (${version}) is newer than this release (${latestMigration}): deploy the release whose \`npm run migrate\` made it.`,
    );
  }
  throw new UnavailableError(
    `The schema of the database (${version ?? 'none'}) is older than this release (${latestMigration}): run \`npm run migrate\`.`,
  );
}

const noOpening: OpeningRow = { first: null, version: null, secret: null };

async function readOpening(db: Database): Promise<OpeningRow> {
  try {
    const [row] = await db.read((session) => session.select<OpeningRow>(openingSql));
    return row ?? noOpening;
  } catch (error) {
    if (db.dialect.isMissingTable(error)) return noOpening;
    throw error;
  }
}
