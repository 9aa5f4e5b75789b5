import type { ReadSession } from '../db/types.ts';

/** How many stores there are in each state that any is in. */
export async function countByState(session: ReadSession): Promise<Readonly<Record<string, number>>> {
  const rows = await session.select<{ state: string; count: number }>(
    'SELECT state, COUNT(*) AS count FROM store GROUP BY state ORDER BY state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
