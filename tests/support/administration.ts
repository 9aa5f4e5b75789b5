import { type AccountOptions, createAccountService } from '../../lib/accounts/service.ts';
import type { AccountService, AdminAccount, Login } from '../../lib/accounts/types.ts';
import { readAuthorityTemplate } from '../../lib/credentials/authority-template.ts';
import { SecretBox } from '../../lib/credentials/secret-box.ts';
import { type Credentials, createCredentialService, type KeyPair } from '../../lib/credentials/service.ts';
import { openDatabase } from '../../lib/db/connect.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';

export interface Administration {
  readonly db: Database;
  readonly accounts: AccountService;
  readonly credentials: Credentials;
  /** What the services logged, one JSON line each. */
  readonly log: string[];
}

export interface AdministrationOptions {
  readonly dbName?: string;
  readonly firstAccount?: AccountOptions['firstAccount'];
  readonly seedPair?: KeyPair;
  readonly credentialKey?: string | Buffer;
  readonly externalLogins?: boolean;
  readonly maxAccounts?: number;
  readonly maxKeyPairs?: number;
  /** The clock of the throttle, in milliseconds. */
  readonly now?: () => number;
}

/** What a request of the account carries whose token another system has issued. */
export const loginOf = (account: AdminAccount): Login => ({ account, token: undefined });

/** Accounts and credentials on a database of their own (in memory unless `dbName` says otherwise); close `db` afterwards. */
export async function openAdministration(options: AdministrationOptions = {}): Promise<Administration> {
  const { dbName = ':memory:' } = options;
  return openAdministrationOn(await openDatabase({ dbType: 'sqlite', dbName }, createLogger('OFF')), options);
}

/** The same on an open database. */
export async function openAdministrationOn(
  db: Database,
  options: Omit<AdministrationOptions, 'dbName'> = {},
): Promise<Administration> {
  const { firstAccount, seedPair, credentialKey = 'k', now, externalLogins } = options;
  const { maxAccounts = 1000, maxKeyPairs = 1000 } = options;
  const log: string[] = [];
  const logger = createLogger('INFO', { write: (line) => log.push(line) });
  const credentials = createCredentialService(db, {
    box: new SecretBox(credentialKey),
    authorityOf: await readAuthorityTemplate(null, 'https://lrs.example'),
    maxPerAccount: maxKeyPairs,
    ...(seedPair && { seedPair }),
  });
  const accounts = createAccountService(db, {
    logger,
    credentials,
    throttle: { key: Buffer.from(credentialKey), ...(now && { now }) },
    maxCount: maxAccounts,
    ...(externalLogins !== undefined && { externalLogins }),
    ...(firstAccount && { firstAccount }),
  });
  return { db, accounts, credentials, log };
}
