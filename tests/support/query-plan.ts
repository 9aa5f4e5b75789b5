import { factsOf } from '../../lib/db/dialects/facts.ts';
import type { Database, Replacements } from '../../lib/db/types.ts';

/**
 * The steps by which the engine would read a whole one of the tables, which are given by name or alias. Test tables are so
 * small that reading them whole may be the fastest, so a server is asked whether it has another way.
 */
export async function wholeTableReads(
  db: Database,
  tables: readonly string[],
  query: { readonly sql: string; readonly replacements: Replacements },
): Promise<string[]> {
  const { sql, replacements } = query;
  switch (factsOf(db.dialect.name).family) {
    case 'postgres': {
      const steps = await db.read(async (session) => {
        await session.select('SET enable_seqscan = off');
        const found = await session.select<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, replacements);
        await session.select('RESET enable_seqscan');
        return found;
      });
      const scan = new RegExp(`Seq Scan on (${tables.join('|')})\\b`);
      return steps.map((step) => step['QUERY PLAN']).filter((step) => scan.test(step));
    }
    case 'mariadb': {
      // It explains no UPDATE or DELETE where nothing may be written.
      const steps = await db.write((session) =>
        session.select<{ table: string | null; possible_keys: string | null; type: string | null }>(
          `EXPLAIN ${sql}`,
          replacements,
        ),
      );
      return steps
        .filter(({ table, type, possible_keys: keys }) => {
          const whole = type === 'ALL' || (type === 'index' && keys === null);
          return whole && keys === null && tables.includes(table ?? '');
        })
        .map((step) => JSON.stringify(step));
    }
    default: {
      const steps = await db.read((session) =>
        session.select<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, replacements),
      );
      const scan = new RegExp(`^SCAN (${tables.join('|')})( |$)`);
      const details = steps.map(({ detail }) => detail);
      // The rows of a query inside the query have a name like a table's.
      return details.filter(
        (step) => scan.test(step) && !details.includes(step.replace(/^SCAN (\w+).*/, 'CO-ROUTINE $1')),
      );
    }
  }
}
