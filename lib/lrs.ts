import type { Config, Secrets } from '../config/types.ts';
import {
  type AccountService,
  firstAccountAdvice,
  type LoginService,
  type TokenService,
} from './accounts/types.ts';
import type { ActivityService } from './activities/types.ts';
import type { AgentService } from './agents/types.ts';
import type { AttachmentService } from './attachments/types.ts';
import { keepTidy } from './attachments/upkeep.ts';
import type { AuditService } from './audit/types.ts';
import type { OidcService } from './auth/oidc/types.ts';
import type { OneTimeTokenService } from './auth/one-time-tokens.ts';
import type { BrowseService } from './browse/types.ts';
import type { Credentials } from './credentials/service.ts';
import type { CredentialService } from './credentials/types.ts';
import { databaseOptions } from './database-options.ts';
import { openDatabase } from './db/connect.ts';
import { createReadiness, type Readiness } from './db/readiness.ts';
import { serverSecret } from './db/server-secret-store.ts';
import { createSibling, dropSibling, siblingExists } from './db/sibling-databases.ts';
import type { Database } from './db/types.ts';
import type { DocumentService } from './documents/types.ts';
import type { ErasureService } from './erasure/types.ts';
import type { ExportService } from './export/types.ts';
import type { Feed } from './feed/types.ts';
import { inStore, type Logger } from './logger.ts';
import { networkOf } from './rate-limits/network.ts';
import { sharingAddresses } from './rate-limits/service.ts';
import type { RateLimitService } from './rate-limits/types.ts';
import { ensureReactionsConsumer } from './reactions/consumer.ts';
import type { ReactionService } from './reactions/service-types.ts';
import type { ContentScanner } from './scanning/types.ts';
import { createServices, createShared, type Shared, vouchedForElsewhere } from './services.ts';
import type { SettingsService } from './settings/types.ts';
import type { Position, StatementService } from './statements/types.ts';
import type { StatusService } from './status/types.ts';
import { type Configuration, placeOfStore, storeConfiguration, storeServerNames } from './store-config.ts';
import { createStoreService } from './stores/service.ts';
import { mainServer, type NewStore, type Store, type StoreService } from './stores/types.ts';
import { validateStore } from './stores/validate.ts';

/** What of an LRS is there without its database. */
export interface ConfiguredLrs {
  readonly config: Config;
  readonly logger: Logger;
  /** As `StatementService` has it; 0 as long as the database is not open. */
  knownConsistentThrough(): Position;
  /** The stores beside this one, when there may be any. */
  readonly stores?: StoreService<Lrs> | undefined;
}

/** The whole LRS: what the handlers work with. */
export interface Lrs extends ConfiguredLrs {
  readonly statements: StatementService;
  readonly documents: DocumentService;
  readonly agents: AgentService;
  readonly activities: ActivityService;
  readonly browse: BrowseService;
  readonly accounts: AccountService;
  readonly tokens: TokenService;
  /** Knows who carries a token: one of `tokens`, or of the system that vouches for people instead. */
  readonly logins: LoginService;
  /** Tokens of the OpenID provider, when one is configured. */
  readonly oidc: OidcService | undefined;
  readonly oneTimeTokens: OneTimeTokenService;
  readonly credentials: CredentialService;
  /** When a limit is set. */
  readonly rateLimits: RateLimitService | undefined;
  readonly audit: AuditService;
  readonly status: StatusService;
  readonly settings: SettingsService;
  readonly exports: ExportService;
  readonly erasure: ErasureService;
  /** Attachments in a bucket, when one is configured. */
  readonly attachments: AttachmentService | undefined;
  /** Looks for malware in contents, when that is configured. */
  readonly scanner: ContentScanner | undefined;
  /** Handlers are registered before it is started. */
  readonly feed: Feed;
  readonly reactions: ReactionService;
  readonly readiness: Readiness;
  close(): Promise<void>;
}

/**
 * Opens the database, brings its schema up to date, creates the first account if one is configured and the LRS is not read-only,
 * and puts the services together.
 * @param shared what the stores of this process have together.
 */
export async function openLrs(
  config: Config,
  secrets: Secrets,
  logger: Logger,
  shared: Shared = createShared(config),
): Promise<Lrs> {
  const db = await openDatabase(databaseOptions(config, secrets), logger);
  try {
    const secret = await serverSecret(db);
    const services = await createServices(db, { config, secrets, logger, secret, upkeep: true, shared });
    await prepareAccounts(services, config, logger);
    if (config.lrs.enableReactions) await ensureReactionsConsumer(services.feed);
    const resumed = services.erasure.resume().catch((error: unknown) => {
      logger.error({ err: error }, 'an erasure that was interrupted could not go on');
    });
    const finished = services.statements.finishReferences().catch((error: unknown) => {
      logger.error({ err: error }, 'references that an earlier process has left could not be completed');
    });
    const stopTidying = keepTidy(services.attachments, logger);
    const stores = openStores(db, { config, secrets }, { logger, rateLimits: services.rateLimits, shared });
    await stores?.warnOfUnnamedServers();
    const close = async (): Promise<void> => {
      await stores?.close();
      services.erasure.stop();
      await services.feed.stop();
      await services.statements.stop();
      await Promise.all([resumed, finished, stopTidying()]);
      await db.close();
    };
    const knownConsistentThrough = (): Position => services.statements.knownConsistentThrough();
    return {
      config,
      logger,
      knownConsistentThrough,
      ...services,
      readiness: createReadiness(db),
      stores,
      close,
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The stores beside the default one, each an LRS of its own, whose feed works as long as it is open. */
function openStores(
  db: Database,
  configuration: Configuration,
  { logger, rateLimits, shared }: Pick<Lrs, 'logger' | 'rateLimits'> & { readonly shared: Shared },
): StoreService<Lrs> | undefined {
  const { config, secrets } = configuration;
  if (!config.stores.enableStores) return undefined;
  const openStore = async (store: Store, account?: NewStore['account']): Promise<Lrs> => {
    const own = storeConfiguration(configuration, store, account);
    const lrs = await openLrs(own.config, own.secrets, inStore(logger, store.name), shared);
    lrs.feed.start();
    return { ...lrs, rateLimits: sharingAddresses(lrs.rateLimits, rateLimits) };
  };
  const servers = storeServerNames(secrets);
  const dropStore = async (store: Store): Promise<void> => {
    const { base, database } = placeOfStore(configuration, store);
    return dropSibling(base, database);
  };
  return createStoreService(db, {
    open: openStore,
    stopBackground: ({ feed }) => feed.stop(),
    check: ({ readiness }) => readiness.check(),
    admit: (client) => rateLimits?.admit('address', networkOf(client)),
    prepare: async (store, account) => (await openStore(store, account)).close(),
    validate: (store, account) =>
      validateStore({ servers, largestPage: config.lrs.stmtGetMax }, store, account),
    places: {
      servers,
      create: async (store) => {
        const { base, database } = placeOfStore(configuration, store);
        return createSibling(base, database, store.server);
      },
      exists: async (store) => {
        const { base, database } = placeOfStore(configuration, store);
        return siblingExists(base, database, store.server === mainServer ? db : undefined);
      },
      drop: dropStore,
    },
    maxCount: config.stores.storesMaxCount,
    maxOpen: config.stores.storesMaxOpen,
    idleTimeout: config.stores.storesIdleTimeout,
    logger,
  });
}

/** What functions leave to a step of the deployment: brings the schema up to date and makes what all of them share. */
export async function migrateLrs(config: Config, secrets: Secrets, logger: Logger): Promise<void> {
  const db = await openDatabase(databaseOptions(config, secrets), logger);
  try {
    const secret = await serverSecret(db);
    const services = await createServices(db, { config, secrets, logger, secret, upkeep: false });
    await prepareAccounts(services, config, logger);
    if (config.lrs.enableReactions) await ensureReactionsConsumer(services.feed);
  } finally {
    await db.close();
  }
}

async function prepareAccounts(
  { accounts, credentials }: { readonly accounts: AccountService; readonly credentials: Credentials },
  config: Config,
  logger: Logger,
): Promise<void> {
  await warnOfLostKeys(credentials, logger);
  if (!config.lrs.readOnly) await accounts.bootstrap();
  if (!vouchedForElsewhere(config)) await warnWithoutAccount(accounts, logger);
}

async function warnOfLostKeys(credentials: Credentials, logger: Logger): Promise<void> {
  const count = await credentials.countUnreadable();
  if (count === 0) return;
  logger.warn(
    `${count} key pairs were stored under another credentialKey (LRS_CREDENTIAL_KEY) and can't be used: set the former key again, or delete them and make new ones.`,
  );
}

async function warnWithoutAccount(accounts: AccountService, logger: Logger): Promise<void> {
  if (await accounts.exist()) return;
  logger.warn(`There is no administration account, so nobody can log in: ${firstAccountAdvice}.`);
}
