import { selectByIds } from '../../db/select-by-ids.ts';
import type { ReadSession, WriteSession } from '../../db/types.ts';
import { slicesOf } from '../../slices.ts';
import type { Position } from '../../statements/types.ts';
import { firingTable } from './tables.ts';

/** A statement that a reaction has made. Ids are in lower case. */
export interface Firing {
  readonly statementId: string;
  readonly reactionId: string;
  /** That of the reaction at that time. */
  readonly version: number;
  /** Null when the statement was erased. */
  readonly triggerId: string | null;
  readonly triggerPosition: Position;
  /** Of the statement that began the chain: the trigger, or, where a reaction has made that, what began the chain of that one. */
  readonly chainStart: Position;
  /** Of the statement that was made. */
  readonly position: Position;
  /** The id of the statement for each condition; null when the statement was erased. */
  readonly matched: Readonly<Record<string, string | null>>;
  /** Stands for the matched statements where one of them was erased (`combinationId`); else null. */
  readonly combination: string | null;
}

/** A firing as it is made. */
export type NewFiring = Omit<Firing, 'triggerId' | 'combination'> & { readonly triggerId: string };

/** In place of the id of a trigger that was erased. */
const noStatement = '00000000-0000-0000-0000-000000000000';

interface FiringRow {
  readonly statement_id: string;
  readonly reaction_id: string;
  readonly version: number;
  readonly trigger_id: string;
  readonly trigger_position: Position;
  readonly trigger_erased: number;
  readonly chain_start: Position;
  readonly position: Position;
  readonly matched: string;
  readonly combination: string | null;
}

const columns =
  'statement_id, reaction_id, version, trigger_id, trigger_position, trigger_erased, chain_start, position, matched, combination';

/** A row that is there stays: its statement was erased, and another one has got its id. */
export async function insertFirings(session: WriteSession, firings: readonly NewFiring[]): Promise<void> {
  await session.insert(
    firingTable,
    firings.map((firing) => [
      firing.statementId,
      firing.reactionId,
      firing.version,
      firing.triggerId,
      firing.triggerPosition,
      firing.position,
      JSON.stringify(firing.matched),
      firing.chainStart,
    ]),
    { skipTaken: true },
  );
}

/** Which firings of a chain are counted. */
export interface CountedRange {
  /** Of each chain, so many rows are counted at most. */
  readonly most: number;
  /** Those of statements behind this position; all when absent. */
  readonly after?: Position;
  /** Those of statements up to this position; all when absent. */
  readonly through?: Position;
}

const inRange = 'position > :after AND position <= :through';

/** How many parts of a UNION one query has: SQLite takes at most 500. */
const partsAtOnce = 100;
const allParts = Array.from({ length: partsAtOnce }, (_, index) => index);
/** The same text for fewer chains, so that it is prepared once: no row belongs to a chain that begins at null. */
const eachChainSql = allParts
  .map(
    (index) =>
      `SELECT MIN(start) AS start, COUNT(*) AS made FROM
         (SELECT chain_start AS start FROM reaction_firing WHERE chain_start = :start${index} AND ${inRange} LIMIT :most) found`,
  )
  .join(' UNION ALL ');

/**
 * How many statements have come about in each of the chains, by where they began.
 * Chains without any may be left out. For n chains this takes one query, or 1 + n / 100 where they are long together.
 */
export async function countInChains(
  session: ReadSession,
  starts: readonly Position[],
  { most, after = -1, through = Number.MAX_SAFE_INTEGER }: CountedRange,
): Promise<ReadonlyMap<Position, number>> {
  const range = { most, after, through };
  const rows = await session.select<{ start: Position; made: number }>(
    `SELECT start, COUNT(*) AS made FROM
       (SELECT chain_start AS start FROM reaction_firing WHERE chain_start IN (:starts) AND ${inRange} LIMIT :most) found
     GROUP BY start`,
    { starts, ...range },
  );
  const together = new Map(rows.map(({ start, made }) => [start, Number(made)]));
  const total = [...together.values()].reduce((sum, made) => sum + made, 0);
  if (total < most) return together;
  // Usually the chains are short, and one query counts all of them. Here it may have left some out.
  const alone = new Map<Position, number>();
  for (const some of slicesOf(starts, partsAtOnce)) {
    const named = allParts.map((index) => [`start${index}`, some[index] ?? null] as const);
    const counted = await session.select<{ start: Position | null; made: number }>(eachChainSql, {
      ...Object.fromEntries(named),
      ...range,
    });
    for (const { start, made } of counted) if (start !== null) alone.set(start, Number(made));
  }
  return alone;
}

/** Those of a reaction before a position, newest first. */
export async function selectFirings(
  session: ReadSession,
  page: { readonly reactionId: string; readonly before: Position; readonly limit: number },
): Promise<Firing[]> {
  return found(
    session,
    'reaction_id = :reactionId AND position < :before ORDER BY position DESC LIMIT :limit',
    page,
  );
}

/** Those that have made the statements. */
export async function selectMade(session: ReadSession, ids: readonly string[]): Promise<Firing[]> {
  const sql = `SELECT ${columns} FROM reaction_firing WHERE statement_id IN (:ids)`;
  return (await selectByIds<FiringRow>(session, sql, ids)).map(firingOf);
}

/** What a trigger has caused in a reaction. */
export type Begun = Pick<NewFiring, 'triggerId' | 'reactionId' | 'version'>;

type BegunRow = Pick<FiringRow, 'trigger_id' | 'reaction_id' | 'version'>;

/** Looks each up on its own: a trigger may have many firings. Null stands for none, as in `eachChainSql`. */
const eachBegunSql = allParts
  .map(
    (index) =>
      `SELECT trigger_id, reaction_id, version FROM
         (SELECT trigger_id, reaction_id, version FROM reaction_firing
          WHERE trigger_id = :trigger${index} AND reaction_id = :reaction${index} AND version = :version${index}
            AND trigger_erased = 0 LIMIT 1) found`,
  )
  .join(' UNION ALL ');

/** Those of which a statement was made. For n of them this takes n / 100 queries, each of 100 look-ups. */
export async function selectBegun(session: ReadSession, wanted: readonly Begun[]): Promise<Begun[]> {
  const begun: Begun[] = [];
  for (const some of slicesOf(wanted, partsAtOnce)) {
    const named = allParts.flatMap((index) => {
      const { triggerId = null, reactionId = null, version = null } = some[index] ?? {};
      return [
        [`trigger${index}`, triggerId],
        [`reaction${index}`, reactionId],
        [`version${index}`, version],
      ];
    });
    const rows = await session.select<BegunRow>(eachBegunSql, Object.fromEntries(named));
    for (const { trigger_id: triggerId, reaction_id: reactionId, version } of rows)
      begun.push({ triggerId, reactionId, version });
  }
  return begun;
}

/** Those that the statement has triggered before a position, newest first. */
export async function selectTriggered(
  session: ReadSession,
  page: { readonly triggerId: string; readonly before: Position; readonly limit: number },
): Promise<Firing[]> {
  return found(
    session,
    'trigger_id = :triggerId AND trigger_erased = 0 AND position < :before ORDER BY position DESC LIMIT :limit',
    page,
  );
}

/** The next ones behind the one that has made a statement, or the first ones, in the order of the ids of generated statements. */
export async function selectFiringsAfter(
  session: ReadSession,
  after: string | undefined,
  rows: number,
): Promise<Firing[]> {
  const order = 'ORDER BY statement_id LIMIT :rows';
  if (after === undefined) return found(session, `1 = 1 ${order}`, { rows });
  return found(session, `statement_id > :after ${order}`, { after, rows });
}

/** Writes what erasure changes. */
export async function updateMatched(
  session: WriteSession,
  { statementId, triggerId, matched, combination }: Firing,
): Promise<void> {
  await session.execute(
    `UPDATE reaction_firing SET trigger_id = :triggerId, trigger_erased = :erased, matched = :matched,
       combination = :combination WHERE statement_id = :statementId`,
    {
      statementId,
      triggerId: triggerId ?? noStatement,
      erased: triggerId === null ? 1 : 0,
      matched: JSON.stringify(matched),
      combination,
    },
  );
}

async function found(
  session: ReadSession,
  condition: string,
  values: Parameters<ReadSession['select']>[1],
): Promise<Firing[]> {
  const rows = await session.select<FiringRow>(
    `SELECT ${columns} FROM reaction_firing WHERE ${condition}`,
    values,
  );
  return rows.map(firingOf);
}

function firingOf(row: FiringRow): Firing {
  return {
    statementId: row.statement_id,
    reactionId: row.reaction_id,
    version: row.version,
    triggerId: row.trigger_erased === 1 ? null : row.trigger_id,
    triggerPosition: row.trigger_position,
    chainStart: row.chain_start,
    position: row.position,
    matched: JSON.parse(row.matched),
    combination: row.combination,
  };
}
