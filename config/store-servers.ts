import { factsOf, isOnServer } from '../lib/db/dialects/facts.ts';
import { hostsProblem } from '../lib/db/dialects/server/hosts.ts';
import type { ServerOptions } from '../lib/db/dialects/server/options.ts';
import { type ConnectionSettings, databaseConfig } from './database.ts';
import { parseDatabaseUrl, type UrlParts } from './database-url.ts';

export interface StoreServerSettings {
  /** Each as `NAME=URL`. */
  readonly storesServers?: readonly string[];
}

/** A database server for stores, beside that of the default store. */
export interface StoreServer {
  readonly name: string;
  readonly database: UrlParts;
}

const form = /^(?<name>[a-z0-9][a-z0-9-]{0,39})=(?<url>.+)$/s;

/**
 * Reads `NAME=URL`.
 * @returns a sentence without subject when it can't be read; it shows nothing of the URL.
 */
export function parseStoreServer(text: string): StoreServer | string {
  const { name, url } = form.exec(text.trim())?.groups ?? {};
  if (name === undefined || url === undefined) {
    return 'must be NAME=URL, the name of at most 40 small letters, digits and hyphens; a comma in a URL, as between hosts, is written %2C';
  }
  if (name === 'main') return 'must not be named main, which is the server of the default store';
  const database = parseDatabaseUrl(url);
  if (typeof database === 'string') return database;
  if (factsOf(database.dbType).server === undefined) return 'must name a database server';
  const { readHosts } = propertiesOf(database);
  const problem = readHosts === null ? undefined : hostsProblem(readHosts);
  if (problem !== undefined) {
    return `must name hosts in readHosts, separated by commas, such as pg2,pg3:5433: ${problem} there`;
  }
  if (database.dbUser === undefined) return 'must name a user: NAME=postgresql://USER:PASSWORD@HOST/NAME';
  return { name, database };
}

/** What is wrong with the texts, a sentence for each; none shows a URL. */
export function storeServerProblems(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => {
    const server = parseStoreServer(text);
    return typeof server === 'string' ? [`stores.storesServers: entry ${index + 1} ${server}.`] : [];
  });
}

function propertiesOf({ dbProperties }: UrlParts) {
  const properties = new URLSearchParams(dbProperties);
  return { dbSchema: properties.get('currentSchema'), readHosts: properties.get('readHosts') };
}

/** How to connect to each server, by its name. */
export function storeServers(
  texts: readonly string[],
  connection: ConnectionSettings,
): Record<string, ServerOptions> {
  const servers: Record<string, ServerOptions> = {};
  for (const text of texts) {
    const server = parseStoreServer(text);
    // What can't be read, and what is no server, has been refused.
    if (typeof server === 'string') continue;
    const { dbPort, dbHost = 'localhost', dbPassword, ...rest } = server.database;
    const { dbSchema, readHosts } = propertiesOf(server.database);
    const settings = {
      ...rest,
      ...(dbSchema !== null && { dbSchema }),
      ...(readHosts !== null && { dbReadHosts: readHosts }),
      dbHost,
      dbPort: Number(dbPort ?? -1),
      sqliteDriver: 'auto',
      dbPooler: false,
    } as const;
    const options = databaseConfig(settings, connection);
    const hostsSetting = `the server ${server.name} in stores.storesServers (LRS_STORES_SERVERS)`;
    if (isOnServer(options)) servers[server.name] = { ...options, dbPassword, hostsSetting };
  }
  return servers;
}
