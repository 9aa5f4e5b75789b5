import type { ReadSession } from '../db/types.ts';
import type { Position } from './types.ts';

/** What there is to know before positions are taken, or promised not to be. */
export interface ReadingRow {
  /** The newest position of a statement; null while there is none. */
  readonly newest: number | null;
  /** The same of an event of the feed. */
  readonly event: number | null;
  /** By the clock of the server; null where there is none. */
  readonly now: number | null;
}

/** The newest position that is taken; 0 while none is. */
export function newestOf(row: Pick<ReadingRow, 'newest' | 'event'> | undefined): Position {
  return Math.max(row?.newest ?? 0, row?.event ?? 0);
}

/** Gives a `ReadingRow`. */
export function readingSql({ dialect }: Pick<ReadSession, 'dialect'>): string {
  return `SELECT (SELECT MAX(position) FROM statement) AS newest,
       (SELECT MAX(position) FROM feed_event) AS event, ${dialect.nowSql ?? 'NULL'} AS now`;
}
