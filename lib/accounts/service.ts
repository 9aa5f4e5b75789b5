import { randomUUID } from 'node:crypto';
import { PasswordHasher } from '../auth/password-hasher.ts';
import type { Credentials } from '../credentials/service.ts';
import type { Database, WriteSession } from '../db/types.ts';
import { ConflictError, InvalidError, NotFoundError, UnauthenticatedError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { brokenRules } from './rules.ts';
import {
  deleteAccount,
  findById,
  findByUsername,
  insertAccount,
  listAccounts,
  lockAccountIds,
} from './store.ts';
import type { AccountService, AdminAccount } from './types.ts';

export interface AccountOptions {
  readonly logger: Logger;
  /** The account that `bootstrap` creates; its name and password are taken as they are. */
  readonly firstAccount?: { readonly username: string; readonly password: string };
  /** Told when the first account is created, and when an account is gone together with its credentials. */
  readonly credentials: Pick<Credentials, 'seed' | 'forgetVerified'>;
}

/** Administration accounts in the database. */
export function createAccountService(db: Database, options: AccountOptions): AccountService {
  const { logger, firstAccount, credentials } = options;
  const hasher = new PasswordHasher();

  /** Adds the account and what belongs to it, or gives undefined when the name is taken. */
  async function add(
    { username, password }: { readonly username: string; readonly password: string },
    together: (session: WriteSession, accountId: string) => Promise<void> = async () => {},
  ): Promise<AdminAccount | undefined> {
    const account = { id: randomUUID(), username };
    const passwordHash = await hasher.hash(password);
    try {
      await db.write(async (session) => {
        await insertAccount(session, { ...account, passwordHash });
        await together(session, account.id);
      });
    } catch (error) {
      if (db.dialect.isUniqueViolation(error)) return undefined;
      throw error;
    }
    return account;
  }

  return {
    async login(username, password) {
      const account = await db.read((session) => findByUsername(session, username));
      const matches = await hasher.matches(password, account?.passwordHash);
      if (!account || !matches) throw new UnauthenticatedError('User name or password is wrong.');
      return { id: account.id, username: account.username };
    },

    async create(username, password) {
      const details = brokenRules(username, password);
      if (details.length > 0) throw new InvalidError(inWords(details), { details });
      const account = await add({ username, password });
      if (!account) throw new ConflictError('An account with this user name exists already.');
      return account;
    },

    list: () => db.read(listAccounts),

    find: (id) => db.read((session) => findById(session, id)),

    async delete(id) {
      await db.write(async (session) => {
        const ids = await lockAccountIds(session);
        if (!ids.includes(id)) throw new NotFoundError('There is no such account.');
        if (ids.length === 1) throw new InvalidError('The only account cannot be deleted.');
        await deleteAccount(session, id);
      });
      credentials.forgetVerified();
    },

    async bootstrap() {
      if (!firstAccount) return;
      const details = brokenRules(firstAccount.username, firstAccount.password);
      if (details.length > 0) {
        logger.warn(
          `The configured first account breaks rules: ${inWords(details)}. Replace it by a permanent account.`,
        );
      }
      if (await db.read((session) => findByUsername(session, firstAccount.username))) return;
      const account = await add(firstAccount, (session, accountId) => credentials.seed(session, accountId));
      if (account) logger.info({ account: account.id }, 'first account created');
    },
  };
}

const inWords = (details: readonly { readonly path: string; readonly message: string }[]): string =>
  details.map(({ path, message }) => `${path} ${message}`).join(', ');
