import type { Config, Secrets } from '../config/types.ts';
import { type AccountOptions, createAccountService } from './accounts/service.ts';
import type { AccountService, LoginService, TokenService } from './accounts/types.ts';
import { createActivityService } from './activities/service.ts';
import type { ActivityService } from './activities/types.ts';
import { createAgentService } from './agents/service.ts';
import type { AgentService } from './agents/types.ts';
import { createAuditService } from './audit/service.ts';
import type { AuditService } from './audit/types.ts';
import { derivedKey } from './auth/derived-key.ts';
import { openOidc } from './auth/oidc/service.ts';
import type { OidcService } from './auth/oidc/types.ts';
import { createOneTimeTokenService, type OneTimeTokenService } from './auth/one-time-tokens.ts';
import { createProxyTokens } from './auth/proxy-tokens.ts';
import { SecretBox } from './auth/secret-box.ts';
import { serverSecret } from './auth/server-secret-store.ts';
import { createTokenService, type TokenOptions, tokenKey } from './auth/tokens.ts';
import { readAuthorityTemplate } from './credentials/authority-template.ts';
import { type Credentials, createCredentialService, type KeyPair } from './credentials/service.ts';
import type { CredentialService } from './credentials/types.ts';
import { type DatabaseOptions, openDatabase } from './db/connect.ts';
import { createReadiness, type Readiness } from './db/readiness.ts';
import type { Database } from './db/types.ts';
import { createDirectory } from './directory/service.ts';
import type { Directory } from './directory/types.ts';
import { backfillDocumentAgents } from './documents/backfill.ts';
import { createDocumentService } from './documents/service.ts';
import type { DocumentLimits, DocumentService } from './documents/types.ts';
import { createErasureService } from './erasure/service.ts';
import type { ErasureService } from './erasure/types.ts';
import type { Logger } from './logger.ts';
import { createSettingsService } from './settings/service.ts';
import type { SettingsService } from './settings/types.ts';
import { backfillAgents, backfillSightings, backfillTallies } from './statements/backfill.ts';
import { createStatementService } from './statements/service.ts';
import type { Position, StatementService } from './statements/types.ts';
import { createStatusService } from './status/service.ts';
import type { StatusService } from './status/types.ts';

/** What of an LRS is there without its database. */
export interface ConfiguredLrs {
  readonly config: Config;
  readonly logger: Logger;
  /** As `StatementService` has it; 0 as long as the database is not open. */
  knownConsistentThrough(): Position;
}

/** The whole LRS: what the doors work with. */
export interface Lrs extends ConfiguredLrs {
  readonly statements: StatementService;
  readonly documents: DocumentService;
  readonly agents: AgentService;
  readonly activities: ActivityService;
  readonly directory: Directory;
  readonly accounts: AccountService;
  readonly tokens: TokenService;
  /** Knows who carries a token: one of `tokens`, or of the system that vouches for people instead. */
  readonly logins: LoginService;
  /** Tokens of the OpenID provider, when one is configured. */
  readonly oidc: OidcService | undefined;
  readonly oneTimeTokens: OneTimeTokenService;
  readonly credentials: CredentialService;
  readonly audit: AuditService;
  readonly status: StatusService;
  readonly settings: SettingsService;
  readonly erasure: ErasureService;
  readonly readiness: Readiness;
  close(): Promise<void>;
}

/**
 * Opens the database, completes what an older release has stored, creates the first account if one is configured, and puts
 * the services together.
 */
export async function openLrs(config: Config, secrets: Secrets, logger: Logger): Promise<Lrs> {
  const db = await openDatabase(databaseOptions(config, secrets), logger);
  try {
    await backfillSightings(db, logger);
    await backfillTallies(db, logger);
    await backfillAgents(db, logger);
    await backfillDocumentAgents(db);
    const services = await createServices(db, { config, secrets, logger });
    await services.accounts.bootstrap();
    if (!vouchedForElsewhere(config)) await warnWithoutAccount(services.accounts, logger);
    const resumed = services.erasure.resume().catch((error: unknown) => {
      logger.error({ err: error }, 'an erasure that was interrupted could not go on');
    });
    const finished = services.statements.finishReferences().catch((error: unknown) => {
      logger.error({ err: error }, 'references that an earlier process has left could not be completed');
    });
    const close = async (): Promise<void> => {
      services.erasure.stop();
      await services.statements.stop();
      await Promise.all([resumed, finished]);
      await db.close();
    };
    const knownConsistentThrough = (): Position => services.statements.knownConsistentThrough();
    return { config, logger, knownConsistentThrough, ...services, readiness: createReadiness(db), close };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function databaseOptions({ database }: Config, { dbPassword }: Secrets): DatabaseOptions {
  return database.dbType === 'sqlite' ? database : { ...database, dbPassword };
}

type Services = Omit<Lrs, keyof ConfiguredLrs | 'readiness' | 'close'>;

async function createServices(
  db: Database,
  {
    config,
    secrets,
    logger,
  }: { readonly config: Config; readonly secrets: Secrets; readonly logger: Logger },
): Promise<Services> {
  const secret = await serverSecret(db);
  const { authorityTemplate, authorityUrl, stmtGetMaxBytes } = config.lrs;
  const credentials = createCredentialService(db, {
    box: new SecretBox(secrets.credentialKey ?? secret),
    authorityOf: await readAuthorityTemplate(authorityTemplate, authorityUrl),
    ...seedPair(config, secrets),
  });
  await warnOfLostKeys(credentials, logger);
  const accounts = createAccountService(db, {
    logger,
    credentials,
    throttle: { key: derivedKey(secret, 'login marks') },
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
  const audit = createAuditService(db, { mergeSeconds: config.lrs.auditMergeSeconds });
  const statements = createStatementService(db, {
    pageBytes: stmtGetMaxBytes,
    waitingBytes: config.webserver.maxBufferedBodyBytes,
    limits: config.lrs,
  });
  const documents = createDocumentService(db, { limits: documentLimits(config) });
  const agents = createAgentService(db);
  const activities = createActivityService(db);
  const directory = createDirectory(db);
  const oneTimeTokens = createOneTimeTokenService(db, tokenOptions);
  const status = createStatusService(db);
  const { supportedVersions } = config.lrs;
  const settings = createSettingsService(db, { settings: config.shown, supportedVersions });
  const erasure = createErasureService(db, logger);
  return {
    statements,
    documents,
    agents,
    activities,
    directory,
    accounts,
    tokens,
    logins,
    oidc,
    oneTimeTokens,
    credentials,
    audit,
    status,
    settings,
    erasure,
  };
}

const documentLimits = ({ lrs }: Config): DocumentLimits => ({
  maxBytes: lrs.documentMaxBytes,
  maxMembers: lrs.documentMaxMembers,
  maxIds: lrs.documentMaxIds,
});

/** Whether another system than this LRS vouches for people. */
const vouchedForElsewhere = ({ webserver }: Config): boolean =>
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

async function warnOfLostKeys(credentials: Credentials, logger: Logger): Promise<void> {
  const count = await credentials.countUnreadable();
  if (count === 0) return;
  logger.warn(
    `${count} key pairs were stored under another credentialKey (LRS_CREDENTIAL_KEY) and can't be used: set the former key again, or delete them and make new ones.`,
  );
}

async function warnWithoutAccount(accounts: AccountService, logger: Logger): Promise<void> {
  if (await accounts.exist()) return;
  logger.warn(
    'There is no administration account, so nobody can log in: set LRS_ADMIN_USER_DEFAULT and LRS_ADMIN_PASS_DEFAULT and start again.',
  );
}
