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
  /** Where the chain that it belongs to began. */
  readonly chainStart: Position;
}

/** How many chains are counted at once. */
const chainsAtOnce = 500;

/** The statements that reactions may still make in each chain. What is counted is stored, so it counts for every process. */
export class ChainRoom {
  readonly #most: number;
  readonly #taken: Map<Position, number>;
  /** Ids that take no room, because a statement has them, or is about to. */
  readonly #known: Set<string>;

  private constructor(most: number, taken: Map<Position, number>, known: Set<string>) {
    this.#most = most;
    this.#taken = taken;
    this.#known = known;
  }

  /** As it is in a transaction, for the statements that this is about to store. */
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
    // Templates may give ids that are taken; that matters only where room is short.
    const short = links.filter(({ chainStart }) => (wanted.get(chainStart) ?? 0) > most);
    const stored = await selectStored(
      session,
      short.map(({ id }) => id),
    );
    return new ChainRoom(most, taken, new Set(stored));
  }

  /** Takes room for a statement. @returns whether there was any. */
  take({ id, chainStart }: ChainLink): boolean {
    if (this.#known.has(id)) return true;
    const taken = this.#taken.get(chainStart) ?? 0;
    if (taken >= this.#most) return false;
    this.#taken.set(chainStart, taken + 1);
    this.#known.add(id);
    return true;
  }

  /** Why a reaction is refused room. */
  get refusal(): ReactionFailure {
    return new ReactionFailure(
      'ReactionLimitError',
      `Reactions have made as many statements of one statement as permitted, what they have made of each other's statements included: the limit is ${this.#most} (lrs.reactionMaxChainStatements). Let the conditions compare \`verb.id\`, so that they leave out what other reactions make.`,
    );
  }
}
