import type { Config, Secrets } from '../../config/types.ts';
import { databaseOptions } from '../database-options.ts';
import { openDatabase } from '../db/connect.ts';
import { serverSecret } from '../db/server-secret-store.ts';
import type { Database } from '../db/types.ts';
import { derivedKey } from '../derived-key.ts';
import type { Logger } from '../logger.ts';
import { createServices } from '../services.ts';
import type { Actor } from '../xapi/types.ts';
import type { Target } from './records.ts';
import { createDatabaseTarget } from './targets/database-target.ts';

export type OpenStore = Awaited<ReturnType<typeof storeOn>>;

/** The store of the configuration, beside servers that may be running on it. */
export async function openStore({ config, secrets, logger }: StoreSettings): Promise<OpenStore> {
  const db = await openDatabase(databaseOptions(config, secrets), logger);
  try {
    return await storeOn(db, { config, secrets, logger });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The same on an open database, which is closed with it. */
export async function storeOn(db: Database, settings: StoreSettings) {
  const secret = await serverSecret(db);
  const services = await createServices(db, { ...settings, secret, upkeep: true });
  const close = async (): Promise<void> => {
    await services.statements.stop();
    await db.close();
  };
  return { db, id: storeId(secret), config: settings.config, services, close };
}

/** Tells stores apart without telling the secret; a database that is created anew has another one. */
function storeId(secret: Buffer): string {
  return derivedKey(secret, 'identity of the store').toString('hex', 0, 16);
}

export interface StoreSettings {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly logger: Logger;
}

/** How an import stores what it is given. */
export interface TargetTerms {
  readonly trusted: boolean;
  readonly dry: boolean;
}

/** The store as a target of an import. */
export function storeAsTarget({ db, id, config, services }: OpenStore, terms: TargetTerms): Target {
  const { dbType, dbName } = config.database;
  return createDatabaseTarget({
    db,
    id,
    name: `${dbType} database ${dbName}`,
    ...services,
    limits: config.lrs,
    authority: importAuthority(config.lrs.authorityUrl),
    ...terms,
  });
}

/** The authority of statements that do not keep their own: whoever runs the import vouches for them. */
function importAuthority(homePage: string): Actor {
  return { objectType: 'Agent', account: { homePage, name: 'import' } };
}
