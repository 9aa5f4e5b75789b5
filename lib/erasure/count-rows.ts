import type { Database } from '../db/types.ts';
import {
  abandonedBefore,
  type FoundStatement,
  foundByKeys,
  keysOfActor,
  mentions,
  type Start,
  scanRows,
  voidedBefore,
} from '../statements/actor-statements.ts';
import { belongingsOf, countUnused } from '../statements/removal.ts';
import { noRows, sumOf } from './counts.ts';
import { countAgent, countNames, documentsAfter, firstKey } from './record-store.ts';
import type { RowCounts } from './types.ts';

/** Counts what an erasure would remove, in small reads and without a write. */
export async function countRows(db: Database, identifier: string): Promise<RowCounts> {
  const contents = new Map<string, number>();
  let counts = noRows;
  for await (const statements of mentioning(db, identifier)) {
    const belongings = await db.read((session) => belongingsOf(session, statements));
    counts = sumOf(counts, belongings.counts);
    for (const sha2 of belongings.contents) contents.set(sha2, (contents.get(sha2) ?? 0) + 1);
  }
  const attachment = await db.read((session) => countUnused(session, contents));
  const agent_name = await db.read((session) => countNames(session, identifier));
  const agent = await db.read((session) => countAgent(session, identifier));
  return sumOf(counts, { attachment, agent, agent_name, document: await countDocuments(db, identifier) });
}

/** The statements that mention the actor, each once. */
async function* mentioning(db: Database, identifier: string): AsyncGenerator<FoundStatement[]> {
  const keys = keysOfActor(identifier);
  const seen = new Set<number>();
  const walks = [
    voidedBefore,
    abandonedBefore,
    (session: Parameters<typeof foundByKeys>[0], start: Start) => foundByKeys(session, keys, start),
  ];
  for (const walk of walks) {
    for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
      const start: Start = { before, rows: scanRows };
      const { statements, next } = await db.read((session) => walk(session, start));
      const fresh = statements.filter((each) => !seen.has(each.position) && mentions(each, identifier));
      for (const { position, voided } of fresh) if (voided) seen.add(position);
      if (fresh.length > 0) yield fresh;
      before = next;
    }
  }
}

async function countDocuments(db: Database, identifier: string): Promise<number> {
  let count = 0;
  for (let after: string | undefined = firstKey; after !== undefined; ) {
    const start: string = after;
    const { keys, next } = await db.read((session) => documentsAfter(session, identifier, start));
    count += keys.length;
    after = next;
  }
  return count;
}
