/**
 * Runs writes concurrently. It resolves or fails only after all of them have ended, because a transaction must not be
 * rolled back under a running statement.
 */
export async function together<const Writes extends readonly Promise<unknown>[]>(
  writes: Writes,
): Promise<{ -readonly [Index in keyof Writes]: Awaited<Writes[Index]> }> {
  await Promise.allSettled(writes);
  return Promise.all(writes);
}
