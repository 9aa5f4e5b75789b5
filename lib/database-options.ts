import type { Config, Secrets } from '../config/types.ts';
import type { DatabaseOptions } from './db/dialects/engine.ts';
import { isOnServer } from './db/dialects/facts.ts';

/** What the configuration says about the database, together with its password. */
export function databaseOptions({ database }: Config, { dbPassword, dbToken }: Secrets): DatabaseOptions {
  return isOnServer(database) ? { ...database, dbPassword, dbToken } : database;
}
