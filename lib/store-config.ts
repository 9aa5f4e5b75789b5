import type { Config, Secrets } from '../config/types.ts';
import { databaseOptions } from './database-options.ts';
import type { DatabaseOptions } from './db/dialects/engine.ts';
import { isOnServer } from './db/dialects/facts.ts';
import { siblingOptions } from './db/sibling-databases.ts';
import { DatabaseUnusableError } from './db/unusable.ts';
import { mainServer, type NewStore, type Store } from './stores/types.ts';

/** A configuration with its secrets. */
export interface Configuration {
  readonly config: Config;
  readonly secrets: Secrets;
}

/** Where a store is, and the database on the same server beside which its own is made. */
export interface StorePlace {
  readonly base: DatabaseOptions;
  readonly database: DatabaseOptions;
}

/** The names of the database servers on which stores may be. */
export const storeServerNames = ({ storeServers = {} }: Secrets): string[] => [
  mainServer,
  ...Object.keys(storeServers),
];

/** @throws DatabaseUnusableError when the configuration has no longer such a server. */
export function placeOfStore(
  { config, secrets }: Configuration,
  { name, server }: Pick<Store, 'name' | 'server'>,
): StorePlace {
  const base = server === mainServer ? databaseOptions(config, secrets) : secrets.storeServers?.[server];
  if (base === undefined) {
    throw new DatabaseUnusableError(
      `The store ${name} is on the server ${server}, which stores.storesServers does not name.`,
    );
  }
  const pool = { maximumSize: config.stores.storesPoolMaximumSize, minimumIdle: 0 };
  return { base, database: siblingOptions(base, name, pool) };
}

/**
 * What of the configuration holds for a store. It has accounts and key pairs of its own, so nobody else vouches for people
 * there, and its tokens are signed with a key of its own. It shares no bucket with others, whose attachments it could read.
 * @param account its first account, when it is made.
 */
export function storeConfiguration(
  configuration: Configuration,
  store: Store,
  account?: NewStore['account'],
): Configuration {
  const { config, secrets } = configuration;
  const { settings, state } = store;
  const { apiKeyDefault, adminUserDefault, ...lrs } = config.lrs;
  const { credentialKey } = secrets;
  const { database, login } = withoutLogin(placeOfStore(configuration, store).database);
  return {
    config: {
      ...config,
      database,
      lrs: {
        ...lrs,
        ...pageSizes(settings, lrs),
        ...settings,
        attachmentBucket: null,
        readOnly: lrs.readOnly || state === 'read-only',
        ...(account && { adminUserDefault: account.username }),
      },
      webserver: { ...config.webserver, oidcIssuer: null, oidcClientId: null, jwtNoVal: false },
      stores: { ...config.stores, enableStores: false },
      store: { name: store.name, isReadOnly: state === 'read-only' },
      shown: shownIn(store, config.shown),
    },
    secrets: {
      ...(credentialKey !== undefined && { credentialKey }),
      ...(account && { adminPassDefault: account.password }),
      ...login,
    },
  };
}

/** A store without a default of its own has that of the configuration, as far as its largest page allows. */
function pageSizes(
  { stmtGetMax }: Store['settings'],
  { stmtGetDefault }: Config['lrs'],
): Partial<Pick<Config['lrs'], 'stmtGetDefault'>> {
  return stmtGetMax === undefined ? {} : { stmtGetDefault: Math.min(stmtGetDefault, stmtGetMax) };
}

/** They tell of the default store, and have no effect in others. */
const ofDefaultStore: readonly string[] = [
  'adminUserDefault',
  'adminPassDefault',
  'apiKeyDefault',
  'apiSecretDefault',
  'oidcAuthorityTemplate',
  'oidcScopePrefix',
  'attachmentBucket',
  'attachmentRegion',
  'attachmentEndpoint',
];

/** The settings that an operator of the store sees, with the values that hold there. */
function shownIn({ settings, state }: Store, shown: Config['shown']): Config['shown'] {
  const own = new Map<string, unknown>(Object.entries(settings));
  if (state === 'read-only') own.set('readOnly', true);
  return shown
    .filter(({ group, key }) => group === 'lrs' && !ofDefaultStore.includes(key))
    .map((setting) =>
      'value' in setting && own.has(setting.key)
        ? { ...setting, default: false, value: own.get(setting.key) }
        : setting,
    );
}

/** The configuration, which may be logged, holds no password. */
function withoutLogin(options: DatabaseOptions): {
  readonly database: Config['database'];
  readonly login: Pick<Secrets, 'dbPassword' | 'dbToken'>;
} {
  if (!isOnServer(options)) return { database: options, login: {} };
  const { dbPassword, dbToken, ...database } = options;
  const login = { ...(dbPassword !== undefined && { dbPassword }), ...(dbToken && { dbToken }) };
  return { database, login };
}
