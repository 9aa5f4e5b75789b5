import type { ReadSession, WriteSession } from '../db/types.ts';
import type { AdminAccount } from './types.ts';

export interface StoredAccount extends AdminAccount {
  readonly passwordHash: string;
}

const attributes = ['id', 'username'];

export async function insertAccount(session: WriteSession, account: StoredAccount): Promise<void> {
  await session.models.AdminAccount.create({ ...account }, session.options);
}

/** By SQL of our own, which binds the name: what a stranger sends never becomes part of a query's text. */
export async function findByUsername(
  session: ReadSession,
  username: string,
): Promise<StoredAccount | undefined> {
  const [row] = await session.select<{ id: string; username: string; password_hash: string }>(
    'SELECT id, username, password_hash FROM admin_account WHERE username = :username',
    { username },
  );
  return row && { id: row.id, username: row.username, passwordHash: row.password_hash };
}

export async function findById(session: ReadSession, id: string): Promise<AdminAccount | undefined> {
  const row = await session.models.AdminAccount.findByPk(id, { ...session.options, attributes, raw: true });
  return row ?? undefined;
}

/** All accounts, by name. */
export async function listAccounts(session: ReadSession): Promise<AdminAccount[]> {
  return session.models.AdminAccount.findAll({
    ...session.options,
    attributes,
    order: ['username'],
    raw: true,
  });
}

/** The ids of all accounts; no other transaction can delete one of them until this one ends. */
export async function lockAccountIds(session: WriteSession): Promise<string[]> {
  const options = { ...session.options, attributes: ['id'], order: ['id'], raw: true, lock: true };
  const rows = await session.models.AdminAccount.findAll(options);
  return rows.map(({ id }) => id);
}

/** Deletes the account, and by the foreign key its credentials. */
export async function deleteAccount(session: WriteSession, id: string): Promise<void> {
  await session.models.AdminAccount.destroy({ ...session.options, where: { id } });
}
