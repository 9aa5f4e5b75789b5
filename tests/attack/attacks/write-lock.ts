import { list, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

/** A statement with so many context activities, each an entry of the search index. */
function manyActivities(count: number, name: string): string {
  const other = list(count, (index) => `{"id":"http://x.org/${name}/${index}"}`);
  return statementText({ context: `{"contextActivities":{"other":[${other}]}}` });
}

/** Batches that need nearly as many index entries as `stmtMaxIndexEntries` permits. */
function storeHeavyBatches(context: Context): Promise<void> {
  return context.parallel(context.amount(20), 4, (batch) =>
    context.client.post(`[${list(10, (index) => manyActivities(1450, `${batch}-${index}`))}]`),
  );
}

export const writeLockAttacks: readonly Attack[] = [
  {
    name: 'index-heavy-batches',
    area: 'references',
    threat: 'batches that need nearly as many index entries as one may, four at a time',
    honestElsewhere: true,
    run: storeHeavyBatches,
  },
];
