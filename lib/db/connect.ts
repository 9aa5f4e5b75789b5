import { UnavailableError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { DatabaseOptions } from './dialects/engine.ts';
import { isOnServer } from './dialects/facts.ts';
import { loadEngine } from './dialects/registry.ts';
import { hostsOf } from './dialects/server/options.ts';
import { textOf } from './host-address.ts';
import type { HostFault } from './host-fault.ts';
import { MonitoredDatabase } from './monitored-database.ts';
import type { MigratableDatabase } from './types.ts';
import { DatabaseUnusableError } from './unusable.ts';

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

/** Looks at each host of the database. @returns those that refuse the login or do not respond. */
export async function checkHosts(options: DatabaseOptions): Promise<readonly HostFault[]> {
  return (await (await loadEngine(options)).checkHosts?.()) ?? [];
}

/** Looks at each replica that is to serve reads, and changes nothing. @returns those that can't. */
export async function checkReadHosts(options: DatabaseOptions): Promise<readonly HostFault[]> {
  return (await (await loadEngine(options)).checkReplicas?.()) ?? [];
}

/** The hosts that `checkReadHosts` looks at, as it names them. */
export function readHostsOf(options: DatabaseOptions): readonly string[] {
  if (!isOnServer(options) || options.replicas === undefined) return [];
  return hostsOf({ ...options, dbHost: options.replicas.hosts }).addresses.map(textOf);
}

/** Looks at each of several hosts of the database. @returns those that could not take over. */
export async function checkOtherHosts(options: DatabaseOptions): Promise<readonly HostFault[]> {
  return countHosts(options) > 1 ? checkHosts(options) : [];
}

const countHosts = (options: DatabaseOptions): number =>
  isOnServer(options) ? hostsOf(options).addresses.length : 0;

/** Warns of hosts that could not take over. */
export async function warnOfHosts(options: DatabaseOptions, logger: Logger): Promise<void> {
  await warnOf(checkOtherHosts(options), logger, (host) => `the database could not move to ${host}`);
}

/** Warns of hosts of a server for stores that can't be used. @param name as in `stores.storesServers`. */
export async function warnOfStoreServer(
  name: string,
  options: DatabaseOptions,
  logger: Logger,
): Promise<void> {
  const what = (host: string): string =>
    `stores on the server ${name} (stores.storesServers) can't use its host ${host}`;
  await warnOf(checkHosts(options), logger, what);
}

async function warnOf(
  checked: Promise<readonly HostFault[]>,
  logger: Logger,
  what: (host: string) => string,
): Promise<void> {
  try {
    for (const { host, reason } of await checked) logger.warn({ host }, `${what(host)}: ${reason}`);
  } catch (error) {
    logger.warn({ err: error }, 'the hosts of a database could not be checked');
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
    throw await forEachHost(error, options);
  }
  return database;
}

/** Where none of several hosts can be used, what is wrong with each: one may be down, and another one refuse the login. */
async function forEachHost(error: unknown, options: DatabaseOptions): Promise<unknown> {
  if (!(error instanceof UnavailableError)) return error;
  const faults = await checkOtherHosts(options);
  if (faults.length === 0) return error;
  const reasons = faults.map(({ reason }) => reason);
  if (faults.length < countHosts(options)) reasons.push('The other hosts accept no writes.');
  const cause = new DatabaseUnusableError(reasons.join(' '), { cause: error.cause });
  return new UnavailableError(error.message, { cause });
}
