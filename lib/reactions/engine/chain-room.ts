import type { WriteSession } from '../../db/types.ts';
import { slicesOf } from '../../slices.ts';
import type { Position } from '../../statements/types.ts';
import { ReactionFailure } from '../failure.ts';
import { selectStored } from '../store/erased-ids.ts';
import { countInChains } from '../store/firing-rows.ts';
import type { MatchLimits } from '../types.ts';

/** A statement that is to be stored. */
export interface ChainLink {
  readonly id: string;
  /** The position where its chain began. */
  readonly chainStart: Position;
}

/** The number of chains that one query counts. */
const chainsAtOnce = 500;

/**
 * The number of statements that reactions may still generate in each chain. Stored statements are counted, so the limit
 * holds across processes.
 */
export class ChainRoom {
  readonly #most: number;
  readonly #taken: Map<Position, number>;
  /** Ids that are not counted, because a stored or pending statement has them. */
  readonly #known: Set<string>;

  private constructor(most: number, taken: Map<Position, number>, known: Set<string>) {
    this.#most = most;
    this.#taken = taken;
    this.#known = known;
  }

  /** Read in a transaction that is about to store these statements. */
  static async of(
    session: WriteSession,
    links: readonly ChainLink[],
    { reactionMaxChainStatements: most }: Pick<MatchLimits, 'reactionMaxChainStatements'>,
  ): Promise<ChainRoom> {
    const starts = [...new Set(links.map(({ chainStart }) => chainStart))];
    const taken = new Map<Position, number>();
    for (const some of slicesOf(starts, chainsAtOnce)) {
      const counts = await countInChains(session, some, most);
      for (const [start, count] of counts) taken.set(start, count);
    }
    const wanted = new Map(taken);
    for (const { chainStart } of links) wanted.set(chainStart, (wanted.get(chainStart) ?? 0) + 1);
    // Templates may specify ids that are taken; that matters only near the limit.
    const short = links.filter(({ chainStart }) => (wanted.get(chainStart) ?? 0) > most);
    const stored = await selectStored(
      session,
      short.map(({ id }) => id),
    );
    return new ChainRoom(most, taken, new Set(stored));
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
      `Reactions would make more statements of one statement than permitted, what they make of each other's statements included: the limit is ${this.#most} (lrs.reactionMaxChainStatements). So none of those is stored that this one makes of the trigger. Let the conditions compare \`verb.id\`, so that they leave out what other reactions make.`,
    );
  }
}
