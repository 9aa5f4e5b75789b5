import type { WriteSession } from '../../db/types.ts';
import { derivedId } from '../generate/generate.ts';
import { type Firing, selectMade } from '../store/firing-rows.ts';
import type { MatchLimits, ReactionError } from '../types.ts';
import type { Reaction } from './active-reactions.ts';
import { ChainRoom } from './chain-room.ts';
import type { Pending, Piece, Prepared } from './parts.ts';
import type { Made } from './react.ts';

/** What is stored of a piece. */
export interface Admitted extends Pick<Piece, 'whole' | 'pending'> {
  /** Statements for which there is no room. */
  readonly refused: number;
  /** Why there is none; the reaction is to be stopped. */
  readonly refusal: ReactionError | undefined;
}

/** `dropped`: an earlier trigger stops the reaction. */
type Decision = 'stored' | 'refused' | 'dropped';

export interface AdmissionOptions {
  readonly limits: Pick<MatchLimits, 'reactionMaxChainStatements'>;
  /** Whether a reaction is stopped that is refused room. */
  readonly stops: boolean;
}

/**
 * Decides what is stored of what triggers cause in reactions: of one trigger all statements of a reaction, or none where they do
 * not all have room in the chain. The decision falls with the first piece. Statements of which a process has stored some before it
 * crashed are stored to the last, even if others have taken the room since.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  /** A transaction that is repeated decides anew. */
  readonly #decisions = new Map<Prepared, Decision>();
  /** By the id of a reaction, what has stopped it. Room only shrinks, so what was refused once is refused again. */
  readonly #stopped = new Map<string, Prepared>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** @param pieces in the order of the triggers. @returns them without statements that are made already, and without dropped ones. */
  async admit(session: WriteSession, pieces: readonly Piece[]): Promise<Admitted[]> {
    const concerned = pieces.flatMap(({ whole, pending, isFirst }) => (isFirst ? whole.pending : pending));
    const ids = concerned.map(({ made }) => made.id);
    const known = new Map((await selectMade(session, ids)).map((firing) => [firing.statementId, firing]));
    const unmade = (pending: readonly Pending[], { reaction }: Prepared): Pending[] =>
      pending.filter(({ made }) => !isSame(known.get(made.id), reaction, made));
    const wanted = pieces.map((piece) => {
      const { whole, pending, isFirst } = piece;
      const left = unmade(isFirst ? whole.pending : pending, whole);
      return { ...piece, left, isBegun: !isFirst || left.length < whole.pending.length };
    });
    const links = wanted.flatMap(({ whole, left }) =>
      left.map(({ made }) => ({ id: made.id, chainStart: whole.chainStart })),
    );
    const room = await ChainRoom.of(session, links, this.#options.limits);
    return wanted.flatMap(({ whole, pending, isFirst, left, isBegun }): Admitted | [] => {
      if (isFirst) this.#decisions.set(whole, this.#decide(whole, room, { left, isBegun }));
      else if (this.#decisions.get(whole) === 'stored') takeAll(room, whole, { left, isBegun });
      const decision = this.#decisions.get(whole);
      if (decision === 'dropped') return [];
      const own = unmade(pending, whole);
      if (decision === 'stored') return { whole, pending: own, refused: 0, refusal: undefined };
      // What is refused in a replay was refused before, or will be each time: that is not counted.
      const isTold = this.#options.stops;
      return {
        whole,
        pending: [],
        refused: isTold ? own.length : 0,
        refusal: isTold ? room.refusal.stored : undefined,
      };
    });
  }

  #decide(whole: Prepared, room: ChainRoom, wanted: Wanted): Decision {
    const { id } = whole.reaction;
    const stopped = this.#stopped.get(id);
    if (stopped !== undefined && stopped !== whole) return 'dropped';
    if (takeAll(room, whole, wanted)) return 'stored';
    if (this.#options.stops) this.#stopped.set(id, whole);
    return 'refused';
  }
}

interface Wanted {
  /** What is not stored yet. */
  readonly left: readonly Pending[];
  /** Whether some is stored already. */
  readonly isBegun: boolean;
}

function takeAll(room: ChainRoom, { chainStart }: Prepared, { left, isBegun }: Wanted): boolean {
  const ids = left.map(({ made }) => made.id);
  return room.take(ids, { chainStart, isBegun });
}

/** Whether a match is the same as an earlier one. */
function isSame(earlier: Firing | undefined, reaction: Reaction, { match }: Made): boolean {
  if (earlier === undefined) return false;
  const { matched, combination } = earlier;
  if (combination !== null) return combination === derivedId(reaction, match);
  if (Object.keys(matched).length !== match.size) return false;
  return [...match].every(([name, { id }]) => Object.hasOwn(matched, name) && matched[name] === id);
}
