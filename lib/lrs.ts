import type { Config, Secrets } from '../config/types.ts';
import type { AccountService, TokenService } from './accounts/types.ts';
import type { CredentialService } from './credentials/types.ts';
import type { Logger } from './logger.ts';
import type { StatementService } from './statements/types.ts';

/** The whole LRS: what the doors work with. */
export interface Lrs {
  readonly config: Config;
  readonly statements: StatementService;
  readonly accounts: AccountService;
  readonly tokens: TokenService;
  readonly credentials: CredentialService;
  readonly logger: Logger;
  close(): Promise<void>;
}

export type { Secrets };
