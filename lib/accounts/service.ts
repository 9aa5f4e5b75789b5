import { randomUUID } from 'node:crypto';
import type { Database, WriteSession } from '../db/types.ts';
import {
  ConflictError,
  type ErrorDetail,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  UnauthenticatedError,
} from '../errors.ts';
import type { Logger } from '../logger.ts';
import { isUuid } from '../xapi/uuid.ts';
import { LoginThrottle, type ThrottleOptions } from './login-throttle.ts';
import { passwordHasher } from './password-hasher.ts';
import { brokenPasswordRules, brokenRules, documentedPassword } from './rules.ts';
import { refuseEnded } from './still-there.ts';
import {
  countAccounts,
  deleteAccount,
  findById,
  findByUsername,
  hasAccounts,
  insertAccount,
  listAccounts,
  lockAccounts,
  type NewAccount,
  replacePasswordHash,
  type StoredAccount,
  startTokenGeneration,
} from './store.ts';
import type {
  AccountKeyPairs,
  AccountService,
  AdminAccount,
  ExternalIdentity,
  Login,
  PasswordChange,
  TokenHolder,
} from './types.ts';

interface FirstAccount {
  readonly username: string;
  readonly password: string;
}

export interface AccountOptions {
  readonly logger: Logger;
  readonly throttle: ThrottleOptions;
  /** Most accounts that are created; that of the configuration is in any case. */
  readonly maxCount: number;
  /** Whether another system vouches for people too, so that nobody needs an account with a password. */
  readonly externalLogins?: boolean;
  /** The account that `bootstrap` creates; its name and password are taken as they are. */
  readonly firstAccount?: FirstAccount;
  readonly credentials: AccountKeyPairs;
}

/** Administration accounts in the database. */
export function createAccountService(db: Database, options: AccountOptions): AccountService {
  return new DatabaseAccounts(db, options);
}

const longestName = 255;
const elsewhere = 'This account has no password: it logs in elsewhere.';

class DatabaseAccounts implements AccountService {
  readonly #hasher = passwordHasher;
  readonly #db: Database;
  readonly #options: AccountOptions;
  readonly #throttle: LoginThrottle;
  #someExist = false;

  constructor(db: Database, options: AccountOptions) {
    this.#db = db;
    this.#options = options;
    this.#throttle = new LoginThrottle(db, options.throttle);
  }

  async login(username: string, password: string, client?: string): Promise<TokenHolder> {
    const account = await this.#throttle.check({ username, client }, async () => {
      const found = await this.#db.read((session) => findByUsername(session, username));
      const matches = await this.#hasher.matches(password, found?.passwordHash);
      return matches ? found : undefined;
    });
    if (!account) throw new UnauthenticatedError('User name or password is wrong.');
    await this.#renewForeignHash(account, password);
    return holder(account);
  }

  /** The hash of another store is replaced by one of this store as soon as the password is known. */
  async #renewForeignHash({ id, passwordHash: before }: StoredAccount, password: string): Promise<void> {
    if (before === undefined || !this.#hasher.isForeign(before)) return;
    const after = await this.#hasher.hash(password);
    await this.#db.write((session) => replacePasswordHash(session, id, { before, after }));
  }

  async create(username: string, password: string, caller?: Login): Promise<TokenHolder> {
    refuse(brokenRules(username, password));
    const account = await this.#addWithPassword(username, password, async (session) => {
      if (caller !== undefined) await refuseEnded(session, caller);
      if (await this.#areTooMany(session)) throw new ConflictError(this.#tooMany);
    });
    if (!account) throw new ConflictError('An account with this user name exists already.');
    return account;
  }

  async external({ username, issuer }: ExternalIdentity): Promise<AdminAccount> {
    const known = await this.#db.read((session) => findByUsername(session, username));
    if (known) return ofIssuer(known, issuer);
    if (username.length > longestName) {
      throw new UnauthenticatedError(`The user name has more than ${longestName} characters.`);
    }
    const added = await this.#add({ username, passwordHash: undefined, issuer }, async (session) => {
      if (await this.#areTooMany(session)) throw new ForbiddenError(this.#tooMany);
    });
    // Without one, another request was faster.
    return added ? { id: added.id, username } : this.external({ username, issuer });
  }

  /** Whether there are more accounts than may be, with the one that the transaction has added. */
  async #areTooMany(session: WriteSession): Promise<boolean> {
    return (await countAccounts(session)) > this.#options.maxCount;
  }

  get #tooMany(): string {
    return `There are as many accounts as lrs.accountMaxCount (LRS_ACCOUNT_MAX_COUNT) permits, ${this.#options.maxCount}: delete some, or have it raised.`;
  }

  list(): Promise<AdminAccount[]> {
    return this.#db.read(listAccounts);
  }

  async exist(): Promise<boolean> {
    this.#someExist ||= await this.#db.read(hasAccounts);
    return this.#someExist;
  }

  async find(id: string): Promise<TokenHolder | undefined> {
    if (!isUuid(id)) return undefined;
    const account = await this.#db.read((session) => findById(session, id));
    return account && holder(account);
  }

  async changePassword(caller: Login, { oldPassword, newPassword, client }: PasswordChange): Promise<void> {
    const { id, username } = caller.account;
    refuse(brokenPasswordRules(oldPassword, newPassword));
    const before = await this.#throttle.check({ username, client }, async () => {
      const hash = (await this.#db.read((session) => findById(session, id)))?.passwordHash;
      if (hash === undefined) throw new InvalidError(elsewhere);
      return (await this.#hasher.matches(oldPassword, hash)) ? hash : undefined;
    });
    const after = await this.#hasher.hash(newPassword);
    const changed = await this.#db.write(async (session) => {
      await refuseEnded(session, caller);
      if (before === undefined || !(await replacePasswordHash(session, id, { before, after }))) return false;
      await startTokenGeneration(session, id, caller.token?.id ?? null);
      return true;
    });
    if (!changed) throw new UnauthenticatedError('The old password is wrong.');
  }

  async resetPassword(id: string, newPassword: string, caller?: Login): Promise<void> {
    refuse(brokenPasswordRules('', newPassword));
    const after = await this.#hasher.hash(newPassword);
    await this.#db.write(async (session) => {
      if (caller !== undefined) await refuseEnded(session, caller);
      const account = await findById(session, id);
      if (account === undefined) throw new NotFoundError('There is no such account.');
      if (account.issuer !== null) throw new InvalidError(elsewhere);
      // An imported account may have none yet.
      await replacePasswordHash(session, id, { before: account.passwordHash, after });
      await startTokenGeneration(session, id, null);
    });
  }

  async revokeTokens(id: string): Promise<void> {
    await this.#db.write((session) => startTokenGeneration(session, id, null));
  }

  async delete(id: string, caller?: Login): Promise<void> {
    const { externalLogins = false, credentials } = this.#options;
    await this.#db.write(async (session) => {
      if (caller !== undefined) await refuseEnded(session, caller);
      const accounts = await lockAccounts(session);
      const others = accounts.filter((account) => account.id !== id);
      if (others.length === accounts.length) throw new NotFoundError('There is no such account.');
      if (others.length === 0) throw new InvalidError('The only account cannot be deleted.');
      if (!externalLogins && !others.some(({ hasPassword }) => hasPassword)) {
        throw new InvalidError('The only account that has a password cannot be deleted.');
      }
      await deleteAccount(session, id);
    });
    credentials.forgetVerified();
  }

  async bootstrap(): Promise<void> {
    const { firstAccount, logger, credentials } = this.#options;
    if (!firstAccount) return;
    await this.#createFirst(firstAccount);
    if (await credentials.hasSeed()) return;
    logger.warn(
      'lrs.apiKeyDefault has no effect: its key pair is created together with the first account only, which exists already. Create the key pair in the administration, or remove lrs.apiKeyDefault and lrs.apiSecretDefault.',
    );
  }

  async #createFirst({ username, password }: FirstAccount): Promise<void> {
    const { logger, credentials } = this.#options;
    const details = brokenRules(username, password);
    if (details.length > 0) {
      logger.warn(
        `The configured first account breaks rules: ${inWords(details)}. Replace it by a permanent account.`,
      );
    }
    if (password === documentedPassword) {
      logger.warn(
        'The password of the configured first account is the example of the documentation, which everybody can read. Replace it by a permanent account.',
      );
    }
    if (await this.#db.read((session) => findByUsername(session, username))) return;
    const account = await this.#addWithPassword(username, password, (session, id) =>
      credentials.seed(session, id),
    );
    if (account) logger.info({ account: account.id }, 'first account created');
  }

  async #addWithPassword(
    username: string,
    password: string,
    together?: (session: WriteSession, accountId: string) => Promise<void>,
  ): Promise<TokenHolder | undefined> {
    const passwordHash = await this.#hasher.hash(password);
    return this.#add({ username, passwordHash, issuer: null }, together);
  }

  /** Adds the account and what belongs to it, or gives undefined when the name is taken. */
  async #add(
    account: Omit<NewAccount, 'id'>,
    together?: (session: WriteSession, accountId: string) => Promise<void>,
  ): Promise<TokenHolder | undefined> {
    const id = randomUUID();
    try {
      await this.#db.write(async (session) => {
        await insertAccount(session, { id, ...account });
        await together?.(session, id);
      });
    } catch (error) {
      if (this.#db.dialect.isUniqueViolation(error)) return undefined;
      throw error;
    }
    return { id, username: account.username, tokenGeneration: 0, keptToken: null };
  }
}

/** Without the hash of the password. */
const holder = ({ id, username, tokenGeneration, keptToken }: StoredAccount): TokenHolder => ({
  id,
  username,
  tokenGeneration,
  keptToken,
});

function ofIssuer({ id, username, issuer: known }: StoredAccount, issuer: string): AdminAccount {
  if (known === issuer) return { id, username };
  throw new UnauthenticatedError('The user name belongs to an account of another issuer.');
}

function refuse(details: readonly ErrorDetail[]): void {
  if (details.length > 0) throw new InvalidError(inWords(details), { details });
}

const inWords = (details: readonly ErrorDetail[]): string =>
  details.map(({ path, message }) => `${path} ${message}`).join('; ');
