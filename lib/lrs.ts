import type { Config, Secrets } from '../config/types.ts';
import { type AccountOptions, createAccountService } from './accounts/service.ts';
import type { AccountService, TokenService } from './accounts/types.ts';
import { createActivityService } from './activities/service.ts';
import type { ActivityService } from './activities/types.ts';
import { createAgentService } from './agents/service.ts';
import type { AgentService } from './agents/types.ts';
import { SecretBox } from './auth/secret-box.ts';
import { serverSecret } from './auth/server-secret-store.ts';
import { createTokenService, tokenKey } from './auth/tokens.ts';
import { readAuthorityTemplate } from './credentials/authority-template.ts';
import { createCredentialService, type KeyPair } from './credentials/service.ts';
import type { CredentialService } from './credentials/types.ts';
import { openDatabase } from './db/connect.ts';
import type { Database } from './db/types.ts';
import { createDocumentService } from './documents/service.ts';
import type { DocumentService } from './documents/types.ts';
import type { Logger } from './logger.ts';
import { backfillSightings } from './statements/backfill.ts';
import { createStatementService } from './statements/service.ts';
import type { StatementService } from './statements/types.ts';

/** The whole LRS: what the doors work with. */
export interface Lrs {
  readonly config: Config;
  readonly statements: StatementService;
  readonly documents: DocumentService;
  readonly agents: AgentService;
  readonly activities: ActivityService;
  readonly accounts: AccountService;
  readonly tokens: TokenService;
  readonly credentials: CredentialService;
  readonly logger: Logger;
  close(): Promise<void>;
}

/**
 * Opens the database, completes what an older release has stored, creates the first account if one is configured, and puts
 * the services together.
 */
export async function openLrs(config: Config, secrets: Secrets, logger: Logger): Promise<Lrs> {
  const db = await openDatabase(config.database, logger);
  try {
    await backfillSightings(db, logger);
    const services = await createServices(db, { config, secrets, logger });
    await services.accounts.bootstrap();
    await warnWithoutAccount(services.accounts, logger);
    return { config, logger, ...services, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

type Services = Omit<Lrs, 'config' | 'logger' | 'close'>;

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
  const accounts = createAccountService(db, { logger, credentials, ...firstAccount(config, secrets) });
  const tokens = createTokenService({
    ...config.webserver,
    key: tokenKey(secrets.jwtCommonSecret, secret),
    findAccount: (id) => accounts.find(id),
  });
  const statements = createStatementService(db, { pageBytes: stmtGetMaxBytes });
  const documents = createDocumentService(db);
  const agents = createAgentService(db);
  const activities = createActivityService(db);
  return { statements, documents, agents, activities, accounts, tokens, credentials };
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

async function warnWithoutAccount(accounts: AccountService, logger: Logger): Promise<void> {
  if ((await accounts.list()).length > 0) return;
  logger.warn(
    'There is no administration account, so nobody can log in: set LRS_ADMIN_USER_DEFAULT and LRS_ADMIN_PASS_DEFAULT and start again.',
  );
}
