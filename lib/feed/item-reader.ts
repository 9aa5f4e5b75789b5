import { type Database, type ReadSession, smallContentBytes } from '../db/types.ts';
import { Pauses } from '../in-turns.ts';
import type { Position } from '../statements/types.ts';
import { isVoiding, targetOf, voidedVerb } from '../xapi/statement/reference.ts';
import { parseStoredValues } from '../xapi/statement/stored-statement.ts';
import { type HeadRow, type RecentStatements, shortStatement } from './recent-statements.ts';
import type { ErasureItem, FeedHandler, FeedItem, StatementItem } from './types.ts';

export interface BatchLimits {
  /** The most items that a batch reads. */
  readonly statements: number;
  /** The most bytes of the texts of a batch; a single longer text is still handed over. */
  readonly bytes: number;
}

/** A batch for a consumer. */
export interface Batch {
  readonly items: readonly FeedItem[];
  /** The position up to which the batch contains all items that the consumer needs. */
  readonly through: Position;
  /** Whether there may be more items after it. */
  readonly more: boolean;
  /** How many rows are to be looked at for the next one. */
  readonly nextRows: number;
}

/**
 * Statements and events after a position, in one SELECT. It sees committed rows only, and positions rise in commit order,
 * so nothing that becomes visible later belongs between two of its rows (docs/decisions/0007).
 */
const headsSql = `SELECT position, id, voided,
    CASE WHEN bytes <= :short THEN verb END AS verb, CASE WHEN bytes <= :short THEN actor END AS actor,
    CASE WHEN bytes <= :short THEN object END AS object, registration, bytes
  FROM (SELECT position, id, voided, verb, actor, object, registration, OCTET_LENGTH(payload) AS bytes
    FROM statement WHERE position > :after ORDER BY position LIMIT :rows) s
  UNION ALL SELECT position, NULL, NULL, NULL, NULL, NULL, NULL, bytes
  FROM (SELECT position, OCTET_LENGTH(detail) AS bytes FROM feed_event WHERE position > :after ORDER BY position LIMIT :rows) e`;

/** The first items of a batch: half of them for each halving, but one at least. */
export function partOf(batch: Batch, halvings: number): Batch {
  const items = batch.items.slice(0, Math.max(1, Math.ceil(batch.items.length / 2 ** halvings)));
  const last = items.at(-1);
  if (last === undefined || items.length === batch.items.length) return batch;
  return { ...batch, items, through: last.position, more: true };
}

export interface BatchQuery {
  readonly after: Position;
  readonly limits: BatchLimits;
  /** How many rows are looked at, at most as many as the batch may have items. */
  readonly rows: number;
  readonly recent: RecentStatements;
  readonly handler: Pick<FeedHandler, 'prepare' | 'wants'>;
  /** The name of the consumer. */
  readonly consumer: string;
}

/** Reads the next items of a consumer, in short reads of bounded size. */
export async function readBatch(
  db: Database,
  { after, limits, rows, recent, handler, consumer }: BatchQuery,
): Promise<Batch> {
  const heads = recent.behind(after, rows) ?? (await db.read((session) => selectHeads(session, after, rows)));
  if (heads.length > 0) await handler.prepare?.();
  const chosen: HeadRow[] = [];
  let through = after;
  let bytes = 0;
  let looked = 0;
  const pauses = new Pauses();
  for (const head of heads) {
    const pause = pauses.pause();
    if (pause !== undefined) await pause;
    if (isWanted(head, handler, consumer)) {
      bytes += head.bytes;
      if (chosen.length > 0 && bytes > limits.bytes) break;
      chosen.push(head);
    }
    through = head.position;
    looked += 1;
  }
  const items = await itemsOf(db, chosen);
  const isFull = heads.length === rows;
  // Where texts are long, few: MariaDB reads a text to tell its length.
  const nextRows = isFull ? Math.min(2 * looked, limits.statements) : limits.statements;
  return { items, through, more: looked < heads.length || isFull, nextRows };
}

async function selectHeads(session: ReadSession, after: Position, rows: number): Promise<HeadRow[]> {
  const heads = await session.select<HeadRow>(headsSql, { after, rows, short: shortStatement });
  // Each half is complete up to its last row; rows beyond that are read again.
  return heads.sort((a, b) => a.position - b.position).slice(0, rows);
}

function isWanted(head: HeadRow, handler: BatchQuery['handler'], consumer: string): boolean {
  const { position, id, voided, verb, actor, object, registration } = head;
  if (handler.wants === undefined || id === null || verb === null) return true;
  return handler.wants({ position, id, voided: voided === 1, verb, actor, object, registration }, consumer);
}

/** Without statements that were erased meanwhile, which a later item reports, and events that nobody needs. */
async function itemsOf(db: Database, heads: readonly HeadRow[]): Promise<FeedItem[]> {
  const statements = heads.filter(({ id }) => id !== null);
  const events = heads.filter(({ id }) => id === null);
  const texts = await readTexts(db, statements, selectTexts);
  const details = await readTexts(db, events, selectDetails);
  return heads.flatMap((head): FeedItem | [] => {
    if (head.id === null) {
      const detail = details.get(head.position);
      return detail === undefined ? [] : eventItem(detail);
    }
    const row = texts.get(head.position);
    return row === undefined ? [] : statementItem(head, head.id, row);
  });
}

function eventItem({ position, detail }: DetailRow): ErasureItem {
  const { statements } = JSON.parse(detail);
  return { kind: 'erasure', position, statements };
}

function statementItem(head: HeadRow, id: string, { position, text, voided }: TextRow): StatementItem {
  const voids = voidedBy(head, text);
  return {
    kind: 'statement',
    position,
    id,
    voided: voided === 1,
    text,
    ...(voids !== undefined && { voids }),
  };
}

function voidedBy({ verb, object }: HeadRow, text: string): string | undefined {
  if (verb !== null) return verb === voidedVerb ? object?.toLowerCase() : undefined;
  if (!text.includes(voidedVerb)) return undefined;
  const statement = parseStoredValues(text);
  return isVoiding(statement) ? targetOf(statement) : undefined;
}

/** A process reads large data in one place at a time; these reads are split so that none of them is large. */
async function readTexts<Row extends { readonly position: Position }>(
  db: Database,
  heads: readonly HeadRow[],
  select: (session: ReadSession, positions: readonly Position[]) => Promise<Row[]>,
): Promise<Map<Position, Row>> {
  const texts = new Map<Position, Row>();
  for (let start = 0, end = 0; start < heads.length; start = end) {
    let bytes = 0;
    for (end = start; end < heads.length; end += 1) {
      bytes += heads[end]?.bytes ?? 0;
      if (end > start && bytes > smallContentBytes) break;
    }
    const positions = heads.slice(start, end).map(({ position }) => position);
    const large = end === start + 1 && bytes > smallContentBytes;
    const rows = await db.read((session) => select(session, positions), { large });
    for (const row of rows) texts.set(row.position, row);
  }
  return texts;
}

interface TextRow {
  readonly position: Position;
  readonly text: string;
  readonly voided: number;
}

function selectTexts(session: ReadSession, positions: readonly Position[]): Promise<TextRow[]> {
  return session.select(
    'SELECT position, payload AS text, voided FROM statement WHERE position IN (:positions)',
    { positions },
  );
}

interface DetailRow {
  readonly position: Position;
  readonly detail: string;
}

function selectDetails(session: ReadSession, positions: readonly Position[]): Promise<DetailRow[]> {
  return session.select('SELECT position, detail FROM feed_event WHERE position IN (:positions)', {
    positions,
  });
}
