import type { ReadSession } from '../db/types.ts';
import type { Position } from './types.ts';

/** What has to be read before positions or a watermark are given out. */
export interface ReadingRow {
  /** The newest position of a statement; null while there is none. */
  readonly newest: number | null;
  /** The newest position of a feed event; null while there is none. */
  readonly event: number | null;
  /** The latest watermark that was taken from a clock and stored; 0 when there is none. */
  readonly watermark: number | null;
  /** The clock of the server, or of the machine that a file is on. */
  readonly now: number;
}

/** The newest used position; 0 while there is none. */
export function newestOf(row: Pick<ReadingRow, 'newest' | 'event' | 'watermark'> | undefined): Position {
  return Math.max(row?.newest ?? 0, row?.event ?? 0, row?.watermark ?? 0);
}

/** The columns of a `ReadingRow`. */
export function readingSql({ dialect }: Pick<ReadSession, 'dialect'>): string {
  return `SELECT (SELECT MAX(position) FROM statement) AS newest,
       (SELECT MAX(position) FROM feed_event) AS event, (SELECT watermark FROM write_lock) AS watermark,
       ${dialect.nowSql} AS now`;
}
