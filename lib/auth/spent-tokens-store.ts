import type { ReadSession, WriteSession } from '../db/types.ts';

/**
 * Notes that a one-time token is used, and forgets those that have expired until then (seconds since the epoch).
 * @returns false when it was used before.
 */
export async function spendToken(
  session: WriteSession,
  {
    id,
    expiresAt,
    forgetUntil,
  }: { readonly id: string; readonly expiresAt: number; readonly forgetUntil: number },
): Promise<boolean> {
  await session.execute('DELETE FROM spent_token WHERE expires_at < :forgetUntil', { forgetUntil });
  if (await isSpent(session, id)) return false;
  await session.execute('INSERT INTO spent_token (id, expires_at) VALUES (:id, :expiresAt)', {
    id,
    expiresAt,
  });
  return true;
}

export async function isSpent(session: ReadSession, id: string): Promise<boolean> {
  const spent = await session.select('SELECT id FROM spent_token WHERE id = :id', { id });
  return spent.length > 0;
}
