import { adminAccount } from '../db/tables/administration.ts';
import type { ReadSession, WriteSession } from '../db/types.ts';
import type { AdminAccount, TokenHolder } from './types.ts';

export interface StoredAccount extends TokenHolder {
  /** undefined: the account can't log in with a password. */
  readonly passwordHash: string | undefined;
  /** The system that vouches for an account without a password. */
  readonly issuer: string | null;
}

interface Row {
  readonly id: string;
  readonly username: string;
  readonly password_hash: string;
  readonly issuer: string | null;
  readonly token_generation: number;
  readonly kept_token: string | null;
}

export type NewAccount = Pick<StoredAccount, 'id' | 'username' | 'passwordHash' | 'issuer'>;

/** What stands in place of a hash; no password has it. */
const noHash = '';

export async function insertAccount(session: WriteSession, account: NewAccount): Promise<void> {
  const passwordHash = account.passwordHash ?? noHash;
  const Account = await session.model(adminAccount);
  await Account.create({ ...account, passwordHash }, session.options);
}

export function findByUsername(session: ReadSession, username: string): Promise<StoredAccount | undefined> {
  return find(session, 'username', username);
}

export function findById(session: ReadSession, id: string): Promise<StoredAccount | undefined> {
  return find(session, 'id', id);
}

/** By SQL of our own, which binds the value: what a stranger sends never becomes part of a query's text. */
async function find(
  session: ReadSession,
  column: 'id' | 'username',
  value: string,
): Promise<StoredAccount | undefined> {
  const [row] = await session.select<Row>(
    `SELECT id, username, password_hash, issuer, token_generation, kept_token
     FROM admin_account WHERE ${column} = :value`,
    { value },
  );
  return (
    row && {
      id: row.id,
      username: row.username,
      passwordHash: row.password_hash === noHash ? undefined : row.password_hash,
      issuer: row.issuer,
      tokenGeneration: row.token_generation,
      keptToken: row.kept_token,
    }
  );
}

/** All accounts, by name. */
export async function listAccounts(session: ReadSession): Promise<AdminAccount[]> {
  const Account = await session.model(adminAccount);
  return Account.findAll({
    ...session.options,
    attributes: ['id', 'username'],
    order: ['username'],
    raw: true,
  });
}

/** All accounts with the hashes of their passwords, by name. */
export async function selectAccounts(session: ReadSession): Promise<NewAccount[]> {
  const Account = await session.model(adminAccount);
  const rows = await Account.findAll({ ...session.options, order: ['username'], raw: true });
  return rows.map(({ id, username, passwordHash, issuer }) => ({
    id,
    username,
    passwordHash: passwordHash === noHash ? undefined : passwordHash,
    issuer,
  }));
}

/** How many accounts there are. */
export async function countAccounts(session: ReadSession): Promise<number> {
  const Account = await session.model(adminAccount);
  return Account.count(session.options);
}

/** Whether there is any account. */
export async function hasAccounts(session: ReadSession): Promise<boolean> {
  return (await session.select('SELECT id FROM admin_account LIMIT 1')).length > 0;
}

/** All accounts and whether they have a password; no other transaction can delete one of them until this one ends. */
export async function lockAccounts(
  session: WriteSession,
): Promise<{ readonly id: string; readonly hasPassword: boolean }[]> {
  const attributes = ['id', 'passwordHash'];
  const options = { ...session.options, attributes, order: ['id'], raw: true, lock: true };
  const Account = await session.model(adminAccount);
  const rows = await Account.findAll(options);
  return rows.map(({ id, passwordHash }) => ({ id, hasPassword: passwordHash !== noHash }));
}

/** Revokes the account's tokens except the one with the `jti` `keptToken`. */
export async function startTokenGeneration(
  session: WriteSession,
  id: string,
  keptToken: string | null,
): Promise<void> {
  await session.execute(
    'UPDATE admin_account SET token_generation = token_generation + 1, kept_token = :keptToken WHERE id = :id',
    { id, keptToken },
  );
}

/** @returns whether the old hash was still there to be replaced. */
export async function replacePasswordHash(
  session: WriteSession,
  id: string,
  hashes: { readonly before: string | undefined; readonly after: string },
): Promise<boolean> {
  const Account = await session.model(adminAccount);
  const [changed] = await Account.update(
    { passwordHash: hashes.after },
    { ...session.options, where: { id, passwordHash: hashes.before ?? noHash } },
  );
  return changed === 1;
}

/** Deletes the account, and by the foreign key its credentials. */
export async function deleteAccount(session: WriteSession, id: string): Promise<void> {
  const Account = await session.model(adminAccount);
  await Account.destroy({ ...session.options, where: { id } });
}
