/**
 * Writes that don't wait for each other's way to the database. All of them have ended when this does, whatever becomes of
 * them: a transaction must not be rolled back under a running statement.
 */
export async function together<const Writes extends readonly Promise<unknown>[]>(
  writes: Writes,
): Promise<{ -readonly [Index in keyof Writes]: Awaited<Writes[Index]> }> {
  await Promise.allSettled(writes);
  return Promise.all(writes);
}
