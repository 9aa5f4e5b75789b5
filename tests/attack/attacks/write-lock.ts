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

/** Just below 128 KiB, up to which a body is a small one. */
const smallBatch = 127 * 1024;

function storeSmallBatches(context: Context): Promise<void> {
  const statement = statementText();
  const body = `[${list(Math.floor(smallBatch / (statement.length + 1)), () => statement)}]`;
  return context.parallel(context.amount(600), 400, () => context.client.post(body));
}

export const writeLockAttacks: readonly Attack[] = [
  {
    name: 'small-batches',
    area: 'bodies',
    threat: 'batches of tiny statements, just below 128 KiB, over 400 connections at a time',
    run: storeSmallBatches,
  },
  {
    name: 'index-heavy-batches',
    area: 'references',
    threat: 'batches that need nearly as many index entries as one may, four at a time',
    honestElsewhere: true,
    run: storeHeavyBatches,
  },
];
