import type { Database } from '../db/types.ts';
import { ReferencePropagation } from './commit/reference-propagation.ts';
import { hasBuffer } from './search/index-buffer.ts';
import { upkeepSql } from './search/index-upkeep.ts';
import { SearchIndex } from './search/search-index.ts';

/** Maintenance of stored statements that no request waits for, for processes that do it on a schedule. */
export interface StatementMaintenance {
  /**
   * Propagates search keys to referring statements until nothing is left to do.
   * @param deadline milliseconds since the epoch; no transaction begins after it.
   * @returns whether nothing is left.
   */
  propagateReferences(deadline: number): Promise<boolean>;
  /** Merges the write buffer of the search index, where the engine has one. */
  mergeIndex(): Promise<void>;
  /** Lets the engine reorganise the index, which may take long; undefined where the engine does not need it. */
  readonly tendIndex: (() => Promise<void>) | undefined;
}

export function createStatementMaintenance(db: Database): StatementMaintenance {
  const index = new SearchIndex();
  const propagation = new ReferencePropagation(db, index);
  const sql = upkeepSql(db);
  return {
    propagateReferences: (deadline) => propagation.runUntil(deadline),
    async mergeIndex() {
      if (hasBuffer(db.dialect)) await db.write((session) => index.merge(session));
    },
    tendIndex:
      sql === undefined
        ? undefined
        : async () => {
            await db.read((session) => session.select(sql), { maintenance: true });
          },
  };
}
