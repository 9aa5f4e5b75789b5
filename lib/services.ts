import type { Config, Secrets } from '../config/types.ts';
import { type AccountOptions, createAccountService } from './accounts/service.ts';
import type { AccountService, LoginService } from './accounts/types.ts';
import { createActivityService } from './activities/service.ts';
import { createAgentService } from './agents/service.ts';
import { openAttachments } from './attachments/open.ts';
import { createAuditService } from './audit/service.ts';
import type { OidcOptions } from './auth/oidc/service.ts';
import type { OidcService } from './auth/oidc/types.ts';
import { createOneTimeTokenService } from './auth/one-time-tokens.ts';
import { createProxyTokens } from './auth/proxy-tokens.ts';
import { createTokenService, type TokenOptions, tokenKey } from './auth/tokens.ts';
import { createBrowseService } from './browse/service.ts';
import { BusyTime } from './busy-time.ts';
import { readAuthorityTemplate } from './credentials/authority-template.ts';
import { SecretBox } from './credentials/secret-box.ts';
import { createCredentialService, type KeyPair } from './credentials/service.ts';
import { readingFromReplicas } from './db/replica-reads.ts';
import type { Database } from './db/types.ts';
import { derivedKey } from './derived-key.ts';
import { createDocumentService } from './documents/service.ts';
import type { DocumentLimits } from './documents/types.ts';
import { erasingObjects } from './erasure/erasing-objects.ts';
import { createErasureService } from './erasure/service.ts';
import { createExportService } from './export/service.ts';
import { createFeed, type FeedOptions } from './feed/feed.ts';
import type { Logger } from './logger.ts';
import { createRateLimits } from './rate-limits/service.ts';
import type { RateLimitOptions } from './rate-limits/types.ts';
import { reactionConsumerKinds } from './reactions/consumer.ts';
import { createReactions } from './reactions/create.ts';
import { ReactionMemory } from './reactions/memory.ts';
import { createScanner } from './scanning/service.ts';
import { createSettingsService } from './settings/service.ts';
import { createStatementService } from './statements/service.ts';
import { createStatusService } from './status/service.ts';
import { untraced } from './telemetry/trace.ts';

/** What all stores of a process have together. */
export interface Shared {
  readonly reactionMemory: ReactionMemory;
}

export const createShared = ({ lrs }: Config): Shared => ({
  reactionMemory: new ReactionMemory(lrs.reactionMaxMemory),
});

export interface ServiceOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** The random secret of the database. */
  readonly secret: Buffer;
  /** Whether this process does what is to be done from time to time; otherwise another one does. */
  readonly upkeep: boolean;
  /** What the stores of a process share; undefined where there is only one. */
  readonly shared?: Shared | undefined;
}

/** The services of an LRS over a database whose schema is that of this release. */
export async function createServices(
  db: Database,
  { config, secrets, logger, secret, upkeep, shared = createShared(config) }: ServiceOptions,
) {
  const reads = readingFromReplicas(db);
  const access = await createAccess(db, { config, secrets, logger, secret });
  const rateLimits = createRateLimits(db, rateLimitOptions({ config, secret, waits: !upkeep }));
  const audit = createAuditService(db, { mergeSeconds: config.lrs.auditMergeSeconds });
  const storing = new BusyTime();
  const feed = createFeed(db, { logger, storing, ...feedSettings(config) });
  const { contents, attachments } = await openAttachments(reads, config.lrs, secrets);
  const statements = createStatementService(db, {
    contents,
    onCommitted: (committed) => untraced(() => feed.wake(committed)),
    storing,
    pageBytes: config.lrs.stmtGetMaxBytes,
    waitingBytes: config.webserver.maxBufferedBodyBytes,
    limits: config.lrs,
    upkeep,
  });
  const documents = createDocumentService(reads, { limits: documentLimits(config) });
  const agents = createAgentService(reads);
  const activities = createActivityService(reads);
  const browse = createBrowseService(reads);
  const status = createStatusService(db, {
    switchedOff: reactionSettings(config).enableReactions ? [] : reactionConsumerKinds,
  });
  const { supportedVersions } = config.lrs;
  const settings = createSettingsService(db, { settings: config.shown, supportedVersions });
  const erasure = erasingObjects(createErasureService(db, logger), attachments, logger);
  const reactions = createReactions(db, {
    ...{ feed, statements, storing, logger },
    settings: reactionSettings(config),
    memory: shared.reactionMemory,
  });
  const exports = createExportService(reads, {
    contents,
    credentials: access.credentials,
    reactions,
    statements,
    status,
  });
  return {
    statements,
    exports,
    contents,
    documents,
    agents,
    activities,
    browse,
    ...access,
    rateLimits,
    audit,
    status,
    settings,
    erasure,
    attachments,
    scanner: createScanner(config.webserver),
    feed,
    reactions,
  };
}

/** Who may do what: accounts, their tokens, and key pairs. */
async function createAccess(
  db: Database,
  { config, secrets, logger, secret }: Omit<ServiceOptions, 'upkeep' | 'shared'>,
) {
  const { authorityTemplate, authorityUrl } = config.lrs;
  const credentials = createCredentialService(db, {
    box: new SecretBox(secrets.credentialKey ?? secret),
    authorityOf: await readAuthorityTemplate(authorityTemplate, authorityUrl),
    maxPerAccount: config.lrs.accountMaxKeyPairs,
    ...seedPair(config, secrets),
  });
  const accounts = createAccountService(db, {
    logger,
    credentials,
    throttle: { key: derivedKey(secret, 'login marks') },
    maxCount: config.lrs.accountMaxCount,
    externalLogins: vouchedForElsewhere(config),
    ...firstAccount(config, secrets),
  });
  const tokenOptions: TokenOptions = {
    ...config.webserver,
    key: tokenKey(secrets.jwtCommonSecret, secret),
    findAccount: (id) => accounts.find(id),
  };
  const tokens = createTokenService(tokenOptions);
  const localLogins = config.webserver.oidcEnableLocalAdmin ? tokens : undefined;
  const oidc = await openOidc({ settings: config, logger, accounts, localLogins });
  const logins = oidc ?? proxyTokens(config, accounts) ?? tokens;
  const oneTimeTokens = createOneTimeTokenService(db, tokenOptions);
  return { accounts, tokens, logins, oidc, oneTimeTokens, credentials };
}

/** Loaded only where a provider is configured. */
async function openOidc(options: OidcOptions): Promise<OidcService | undefined> {
  if (options.settings.webserver.oidcIssuer === null) return undefined;
  const service = await import('./auth/oidc/service.ts');
  return service.openOidc(options);
}

function rateLimitOptions({
  config: { webserver },
  secret,
  waits,
}: Pick<ServiceOptions, 'config' | 'secret'> & { readonly waits: boolean }): RateLimitOptions {
  const { rateLimitPerKeyPair, rateLimitPerAddress, rateLimitBurstSeconds: burstSeconds } = webserver;
  const rates = {
    keyPair: rateLimitPerKeyPair || undefined,
    address: rateLimitPerAddress || undefined,
  };
  return { rates, burstSeconds, key: derivedKey(secret, 'rate limits'), waits };
}

const feedSettings = ({ lrs }: Config): Pick<FeedOptions, 'limits' | 'leaseSeconds'> => ({
  limits: { statements: lrs.feedBatchStatements, bytes: lrs.feedBatchBytes },
  leaseSeconds: lrs.feedLeaseSeconds,
});

/** A read-only store gets no statements from reactions either; they catch up later. */
const reactionSettings = ({ lrs }: Config): Config['lrs'] => ({
  ...lrs,
  enableReactions: lrs.enableReactions && !lrs.readOnly,
});

const documentLimits = ({ lrs }: Config): DocumentLimits => ({
  maxBytes: lrs.documentMaxBytes,
  maxMembers: lrs.documentMaxMembers,
  maxIds: lrs.documentMaxIds,
  maxIdBytes: lrs.documentMaxIdBytes,
});

/** Whether another system than this LRS vouches for people. */
export const vouchedForElsewhere = ({ webserver }: Config): boolean =>
  webserver.jwtNoVal || webserver.oidcIssuer !== null;

function proxyTokens({ webserver }: Config, accounts: AccountService): LoginService | undefined {
  const {
    jwtNoValUname: uname,
    jwtNoValIssuer: issuer,
    jwtNoValRoleKey: roleKey,
    jwtNoValRole: role,
  } = webserver;
  if (!webserver.jwtNoVal || uname === null || issuer === null || roleKey === null || role === null)
    return undefined;
  return createProxyTokens({ uname, issuer, roleKey, role, accounts });
}

function firstAccount({ lrs }: Config, secrets: Secrets): Pick<AccountOptions, 'firstAccount'> {
  const { adminUserDefault: username } = lrs;
  const { adminPassDefault: password } = secrets;
  return username === undefined || password === undefined ? {} : { firstAccount: { username, password } };
}

function seedPair({ lrs }: Config, secrets: Secrets): { seedPair?: KeyPair } {
  const { apiKeyDefault: apiKey } = lrs;
  const { apiSecretDefault: secretKey } = secrets;
  return apiKey === undefined || secretKey === undefined ? {} : { seedPair: { apiKey, secretKey } };
}
