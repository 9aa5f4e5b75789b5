import type { Logger } from '../logger.ts';
import { openDatabase } from './connect.ts';
import { currentSecret } from './current-schema.ts';
import type { DatabaseOptions } from './dialects/engine.ts';
import { loadEngine } from './dialects/registry.ts';
import { MonitoredDatabase } from './monitored-database.ts';

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
    return { db, secret: await currentSecret(db), abandonUnfinished: () => {} };
  }
  const { database, connect, abandonUnfinished } = await engine.functionConnection();
  const timer = setTimeout(abandonUnfinished, openPatience);
  try {
    await connect();
    const secret = await currentSecret(database);
    return { db: new MonitoredDatabase(database, logger), secret, abandonUnfinished };
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
