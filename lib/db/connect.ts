import type { Logger } from '../logger.ts';
import type { DatabaseOptions } from './dialects/engine.ts';
import { loadEngine } from './dialects/registry.ts';
import type { HostFault } from './host-fault.ts';
import { MonitoredDatabase } from './monitored-database.ts';
import type { MigratableDatabase } from './types.ts';

/**
 * Opens the database and brings its schema up to date. When several processes start at once, one does the work and the
 * others wait.
 * @throws UnavailableError when it cannot be reached; DatabaseUnusableError when an operator has to change something first.
 */
export async function openDatabase(options: DatabaseOptions, logger: Logger): Promise<MonitoredDatabase> {
  const database = await connect(options);
  try {
    const [{ createMigrator }, { migrations }] = await Promise.all([
      import('./migrate.ts'),
      import('../../migrations/index.ts'),
    ]);
    const taken = await database.migrate((session) => createMigrator(session, migrations).up());
    if (taken.length > 0) logger.info({ migrations: taken }, 'database schema brought up to date');
  } catch (error) {
    await database.close();
    throw error;
  }
  return new MonitoredDatabase(database, logger);
}

/** Looks at each of several hosts of the database. @returns those that could not take over. */
export async function checkHosts(options: DatabaseOptions): Promise<readonly HostFault[]> {
  return (await (await loadEngine(options)).checkHosts?.()) ?? [];
}

/** Warns of hosts that could not take over. */
export async function warnOfHosts(options: DatabaseOptions, logger: Logger): Promise<void> {
  try {
    for (const { host, reason } of await checkHosts(options)) {
      logger.warn({ host }, `the database could not move to ${host}: ${reason}`);
    }
  } catch (error) {
    logger.warn({ err: error }, 'the hosts of the database could not be checked');
  }
}

/**
 * Opens the database without checking its schema.
 * @throws UnavailableError, DatabaseUnusableError
 */
export async function connect(options: DatabaseOptions): Promise<MigratableDatabase> {
  const database = await (await loadEngine(options)).database();
  try {
    await database.connect();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
