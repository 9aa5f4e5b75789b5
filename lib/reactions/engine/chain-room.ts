import type { Database, ReadSession, WriteSession } from '../../db/types.ts';
import { slicesOf } from '../../slices.ts';
import type { Position } from '../../statements/types.ts';
import { ReactionFailure } from '../failure.ts';
import { selectStored } from '../store/erased-ids.ts';
import { type CountedRange, countInChains } from '../store/firing-rows.ts';
import type { MatchLimits } from '../types.ts';
import type { Reacted } from './react.ts';

/** A statement that is to be stored. */
export interface ChainLink {
  readonly id: string;
  /** The position where its chain began. */
  readonly chainStart: Position;
}

type ChainLimits = Pick<MatchLimits, 'reactionMaxChainStatements'>;

/** The number of chains that one query counts. */
const chainsAtOnce = 500;

/** How many statements of each chain there are up to a position. */
export interface CountedChains {
  /** What is committed later has greater positions. */
  readonly through: Position;
  /** By where the chain began. */
  readonly made: ReadonlyMap<Position, number>;
}

/**
 * Counts the statements of chains that are to get more, before the transaction that stores these: a chain may have thousands, and
 * counting them would hold the write lock.
 */
export async function countChains(
  db: Pick<Database, 'read'>,
  reacted: readonly Reacted[],
  { reactionMaxChainStatements: most }: ChainLimits,
): Promise<CountedChains> {
  const starts = new Set(reacted.flatMap(({ made, chainStart }) => (made.length > 0 ? chainStart : [])));
  if (starts.size === 0) return { through: 0, made: new Map() };
  return db.read(async (session) => {
    const [newest] = await session.select<{ position: Position | null }>(
      'SELECT MAX(position) AS position FROM statement',
    );
    const through = newest?.position ?? 0;
    return { through, made: await countAll(session, [...starts], { most, through }) };
  });
}

async function countAll(
  session: ReadSession,
  starts: readonly Position[],
  range: CountedRange,
): Promise<Map<Position, number>> {
  const all = new Map<Position, number>();
  for (const some of slicesOf(starts, chainsAtOnce))
    for (const [start, count] of await countInChains(session, some, range)) all.set(start, count);
  return all;
}

interface ChainRoomOptions {
  readonly limits: ChainLimits;
  readonly counted: CountedChains;
  readonly granted: readonly ChainLink[];
}

interface ChainState {
  readonly most: number;
  readonly taken: Map<Position, number>;
  readonly known: Set<string>;
  readonly short: ReadonlySet<Position>;
}

/**
 * The number of statements that reactions may still generate in each chain. Stored statements are counted, so the limit
 * holds across processes.
 */
export class ChainRoom {
  readonly #most: number;
  readonly #taken: Map<Position, number>;
  /** Ids that are not counted, because a stored or pending statement has them. */
  readonly #known: Set<string>;
  /** Where chains began that cannot take all statements. */
  readonly #short: ReadonlySet<Position>;

  private constructor({ most, taken, known, short }: ChainState) {
    this.#most = most;
    this.#taken = taken;
    this.#known = known;
    this.#short = short;
  }

  /**
   * Read in a transaction that is about to store these statements.
   * @param counted the chains of all of them.
   * @param granted others, which have room and are stored later.
   */
  static async of(
    session: WriteSession,
    links: readonly ChainLink[],
    { limits, counted, granted }: ChainRoomOptions,
  ): Promise<ChainRoom> {
    const { reactionMaxChainStatements: most } = limits;
    const concerned = new Set(links.map(({ chainStart }) => chainStart));
    const starts = [...concerned];
    const grantedThere = granted.filter(({ chainStart }) => concerned.has(chainStart));
    const all = [...grantedThere, ...links];
    const later = await countAll(session, starts, { most, after: counted.through });
    const taken = new Map(
      starts.map((start) => [start, (counted.made.get(start) ?? 0) + (later.get(start) ?? 0)]),
    );
    const wanted = new Map(taken);
    for (const { chainStart } of all) wanted.set(chainStart, (wanted.get(chainStart) ?? 0) + 1);
    const short = new Set(starts.filter((start) => (wanted.get(start) ?? 0) > most));
    // Templates may specify ids that are taken; that matters only near the limit.
    const stored = await selectStored(
      session,
      all.flatMap(({ id, chainStart }) => (short.has(chainStart) ? id : [])),
    );
    const room = new ChainRoom({ most, taken, known: new Set(stored), short });
    for (const { id, chainStart } of grantedThere) room.take([id], { chainStart, isBegun: true });
    return room;
  }

  /** Whether the chain has no room for all statements that are to be stored. */
  isShort(chainStart: Position): boolean {
    return this.#short.has(chainStart);
  }

  /**
   * Takes room for statements that are stored all together or not at all.
   * @param isBegun whether some of them are stored already: then the others have room in any case.
   * @returns whether there was room for all; otherwise none is taken.
   */
  take(
    ids: readonly string[],
    { chainStart, isBegun }: { readonly chainStart: Position; readonly isBegun: boolean },
  ): boolean {
    const fresh = new Set(ids.filter((id) => !this.#known.has(id)));
    const taken = (this.#taken.get(chainStart) ?? 0) + fresh.size;
    if (taken > this.#most && fresh.size > 0 && !isBegun) return false;
    this.#taken.set(chainStart, taken);
    for (const id of fresh) this.#known.add(id);
    return true;
  }

  /** The error of a reaction that exceeds the limit. */
  get refusal(): ReactionFailure {
    return new ReactionFailure(
      'ReactionLimitError',
      `Because of one statement that a client has sent, at most ${this.#most} statements may be generated, directly and through other reactions (lrs.reactionMaxChainStatements). This reaction would exceed that, so nothing is stored that it generates from the trigger. Let the conditions compare \`verb.id\`, so that they leave out what other reactions generate.`,
      'chain',
    );
  }
}
